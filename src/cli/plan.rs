//! Which steps of a run do what.

use anyhow::bail;
use sinew::limits;
use sinew::scene::{ColourBy, Scene};

/// Steps done without looking up: soon enough to notice a run that blew up and to move the progress bar.
const MOST_STEPS_AT_ONCE: u64 = 64;

/// Which steps do what.
pub struct Plan {
    pub last: u64,
    pub steps_per_frame: u64,
    pub frames_per_second: f64,
    steps_per_save: Option<u64>,
    pub expect_at: Option<u64>,
    /// Pictures show what the last iteration did.
    pub watched: bool,
}

impl Plan {
    /// `seconds` and `save_every` as on the command line; with `expect`, the time of the scene's [expect] table is one of the steps.
    pub fn new(scene: &Scene, seconds: Option<f64>, save_every: f64, expect: bool) -> anyhow::Result<Self> {
        let steps = |time: f64| (time / scene.time_step).round().max(1.0) as u64;
        let seconds = seconds.unwrap_or(scene.duration);
        if seconds / scene.time_step > limits::STEPS {
            bail!(
                "--seconds {seconds:e} takes more than {:e} steps of {} s; choose less",
                limits::STEPS,
                scene.time_step
            );
        }
        let last = steps(seconds);
        let expect_at = match (&scene.expect, expect) {
            (Some(expected), true) => Some(steps(expected.at.unwrap_or(scene.duration))),
            (None, true) => bail!("--expect: the scene has no [expect] table"),
            (_, false) => None,
        };
        if let Some(at) = expect_at.filter(|&at| at > last) {
            let time = at as f64 * scene.time_step;
            bail!(
                "--expect: the scene expects something at {time:.3} s and the run ends before; leave out --seconds"
            );
        }
        let wanted = scene.render.frames_per_second;
        let steps_per_frame = steps(1.0 / wanted);
        let possible = 1.0 / (steps_per_frame as f64 * scene.time_step);
        // A frame is a whole number of steps. Where that is what was asked for, rounding shall not show.
        let same = (possible / wanted - 1.0).abs() < 1e-9;
        Ok(Self {
            last,
            steps_per_frame,
            frames_per_second: if same { wanted } else { possible },
            steps_per_save: (save_every > 0.0).then(|| steps(save_every)),
            expect_at,
            watched: scene.render.colour == ColourBy::Error,
        })
    }

    /// How many steps to do at once from here.
    pub fn stretch(&self, step: u64) -> u64 {
        let next_multiple = |period: u64| (step / period + 1).saturating_mul(period);
        [
            Some(self.last),
            Some(next_multiple(self.steps_per_frame)),
            self.steps_per_save.map(next_multiple),
            self.expect_at,
        ]
        .into_iter()
        .flatten()
        .filter(|&at| at > step)
        .min()
        .map_or(1, |at| at - step)
        .min(MOST_STEPS_AT_ONCE)
    }

    pub fn saves_at(&self, step: u64) -> bool {
        self.steps_per_save.is_some_and(|period| step.is_multiple_of(period) || step == self.last)
    }
}
