//! `sinew run`: a scene without a window.

use super::folder::CHECKPOINT;
use super::outputs::{OutputArgs, Outputs, Setup};
use super::{BackendArgs, SceneArgs, note, print, scene_argument, sentence};
use anyhow::bail;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use sinew::Simulation;
use sinew::compute::ComputeError;
use sinew::scene::{ColourBy, Scene, limits};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

#[derive(Args)]
pub struct RunArgs {
    /// A scene file or the name of a built-in scene.
    scene: String,
    /// Simulated time [default: the scene's duration].
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    seconds: Option<f64>,
    /// Folder for all output; made if missing [default: out/<scene>]. It holds one run: what an earlier run wrote
    /// there is removed first, with a note, unless --resume continues it. Other files stay.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Check the scene's [expect] table at its time and fail if it is not met.
    #[arg(long)]
    expect: bool,
    /// Simulated time between checkpoints, the last one at the end; 0 writes none.
    #[arg(long, value_name = "S", default_value = "1", value_parser = seconds_or_none, allow_negative_numbers = true)]
    save_every: f64,
    /// Continue from the checkpoint in the output folder, or from FILE. Frames after it are made again.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    resume: Option<Option<PathBuf>>,
    /// Print nothing but errors.
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    outputs: OutputArgs,
    #[command(flatten)]
    backend: BackendArgs,
    #[command(flatten)]
    settings: SceneArgs,
    /// Destroy the device after this many steps, to test what happens then.
    #[arg(long, value_name = "N", hide = true)]
    lose_device_after: Option<u64>,
}

/// Steps done without looking up: soon enough to notice a run that blew up and to move the progress bar.
const MOST_STEPS_AT_ONCE: u64 = 64;

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value.is_finite() => Ok(value),
        _ => Err("must be a positive number of seconds".into()),
    }
}

fn seconds_or_none(text: &str) -> Result<f64, String> {
    if text.parse() == Ok(0.0) { Ok(0.0) } else { seconds(text) }
}

/// Which steps do what.
struct Plan {
    last: u64,
    steps_per_frame: u64,
    frames_per_second: f64,
    steps_per_save: Option<u64>,
    expect_at: Option<u64>,
    /// Pictures show what the last iteration did.
    watched: bool,
}

impl Plan {
    fn new(args: &RunArgs, scene: &Scene) -> anyhow::Result<Self> {
        let steps = |time: f64| (time / scene.time_step).round().max(1.0) as u64;
        let seconds = args.seconds.unwrap_or(scene.duration);
        if seconds / scene.time_step > limits::STEPS {
            bail!(
                "--seconds {seconds:e} takes more than {:e} steps of {} s; choose less",
                limits::STEPS,
                scene.time_step
            );
        }
        let last = steps(seconds);
        let expect_at = match (&scene.expect, args.expect) {
            (Some(expect), true) => Some(steps(expect.at.unwrap_or(scene.duration))),
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
            steps_per_save: (args.save_every > 0.0).then(|| steps(args.save_every)),
            expect_at,
            watched: scene.render.colour == ColourBy::Error,
        })
    }

    /// How many steps to do at once from here.
    fn stretch(&self, step: u64) -> u64 {
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

    fn saves_at(&self, step: u64) -> bool {
        self.steps_per_save.is_some_and(|period| step.is_multiple_of(period) || step == self.last)
    }
}

pub fn run(args: &RunArgs) -> anyhow::Result<ExitCode> {
    // Before anything uses the threads.
    let options = args.backend.options()?;
    let (mut scene, name) = scene_argument::load(&args.scene)?;
    args.settings.apply(&mut scene)?;
    let plan = Plan::new(args, &scene)?;
    let say = |line: &str| {
        if !args.quiet {
            note(line);
        }
    };

    let mut simulation = Simulation::new(&scene, &options)?;
    simulation.watch_limits();
    if let Some(reason) = simulation.fallback() {
        say(&format!("running on the CPU backend: {reason}"));
    }
    let model = simulation.model();
    say(&format!(
        "{name}: {} particles, {} constraints on {}",
        model.particle_count(),
        model.constraint_count(),
        simulation.describe()
    ));
    if plan.frames_per_second != scene.render.frames_per_second {
        say(&format!(
            "{:.4} frames a second instead of {}: a frame is a whole number of {} s steps",
            plan.frames_per_second, scene.render.frames_per_second, scene.time_step
        ));
    }

    let folder = args.out.clone().unwrap_or_else(|| Path::new("out").join(&name));
    let checkpoint = folder.join(CHECKPOINT);
    if let Some(file) = &args.resume {
        let file = file.as_ref().unwrap_or(&checkpoint);
        resume(&mut simulation, &plan, file)?;
        say(&format!("resumed at {:.3} s from {}", simulation.time(), file.display()));
    }
    let unmet = if simulation.steps() > 0 && simulation.steps() >= plan.last {
        say("nothing left to do: the checkpoint is at or after the end; give a larger --seconds");
        if plan.expect_at.is_some() { simulation.unmet()? } else { Vec::new() }
    } else {
        let resumed_after = args.resume.is_some().then(|| simulation.steps() / plan.steps_per_frame);
        let setup = Setup {
            folder: &folder,
            frames_per_second: plan.frames_per_second,
            resumed_after,
            adapter: &options.adapter,
            say: &say,
        };
        let outputs = Outputs::new(&args.outputs, &scene, &mut simulation, &setup)?;
        complete(args, &plan, &mut simulation, outputs, &folder)?
    };
    for line in &unmet {
        note(format_args!("sinew: {name}: not as expected: {line}"));
    }
    if plan.expect_at.is_some() && unmet.is_empty() && !args.quiet {
        print("all expectations are met")?;
    }
    Ok(if unmet.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn resume(simulation: &mut Simulation, plan: &Plan, file: &Path) -> anyhow::Result<()> {
    if !file.exists() {
        bail!(
            "--resume: there is no checkpoint {}; run without --resume to start from the beginning, or name \
             another with --resume=FILE",
            file.display()
        );
    }
    simulation.resume(file)?;
    if let Some(at) = plan.expect_at.filter(|&at| at < simulation.steps()) {
        bail!(
            "--expect: the scene expects something at {:.3} s and {} is later; run without --resume",
            at as f64 * simulation.model().settings.time_step,
            file.display()
        );
    }
    Ok(())
}

/// Runs to the end, completes the files and prints the summary; returns what is not as expected.
fn complete(
    args: &RunArgs,
    plan: &Plan,
    simulation: &mut Simulation,
    mut outputs: Outputs,
    folder: &Path,
) -> anyhow::Result<Vec<String>> {
    let checkpoint = folder.join(CHECKPOINT);
    let progress = progress_bar(args.quiet, plan.last);
    let outcome = advance(args, plan, simulation, &mut outputs, &checkpoint, &progress);
    progress.finish_and_clear();
    let Outcome { solving, unmet, steps } = match outcome {
        Ok(outcome) => outcome,
        Err(error) => {
            let salvaged = outputs.salvage();
            let error = explain(error, simulation, &checkpoint);
            return Err(match salvaged {
                Ok(()) => error,
                Err(second) => anyhow::anyhow!("{}; then: {}", sentence(&error), sentence(&second)),
            });
        }
    };
    let video = outputs.finish()?;
    if !args.quiet {
        for line in simulation.warnings()? {
            note(format_args!("warning: {line}"));
        }
        print(summary(simulation, steps, solving)?)?;
        print(format_args!("output in {}", folder.display()))?;
        if let Some(line) = video {
            print(line)?;
        }
    }
    Ok(unmet)
}

struct Outcome {
    solving: Duration,
    steps: u64,
    unmet: Vec<String>,
}

fn advance(
    args: &RunArgs,
    plan: &Plan,
    simulation: &mut Simulation,
    outputs: &mut Outputs,
    checkpoint: &Path,
    progress: &ProgressBar,
) -> anyhow::Result<Outcome> {
    let first = simulation.steps();
    let mut outcome = Outcome { solving: Duration::ZERO, steps: 0, unmet: Vec::new() };
    if first == 0 {
        outputs.record(simulation, 0, Duration::ZERO)?;
    }
    progress.set_position(first);
    loop {
        let step = simulation.steps();
        if plan.expect_at == Some(step) {
            outcome.unmet = simulation.unmet()?;
        }
        if step >= plan.last {
            return Ok(outcome);
        }
        if args.lose_device_after.is_some_and(|after| step >= after)
            && let Some(gpu) = simulation.executor().gpu()
        {
            gpu.device().device.destroy();
        }
        let start = Instant::now();
        let stretch = plan.stretch(step) as u32;
        if plan.watched {
            simulation.advance(stretch - 1)?;
            simulation.watched_step(false)?;
        } else {
            simulation.advance(stretch)?;
        }
        outcome.solving += start.elapsed();
        let step = simulation.steps();
        outcome.steps = step - first;
        progress.set_position(step);
        if step.is_multiple_of(plan.steps_per_frame) {
            outputs.record(simulation, step / plan.steps_per_frame, outcome.solving)?;
        }
        // After the frame: a checkpoint promises that everything up to it is written.
        if plan.saves_at(step) {
            simulation.save(checkpoint)?;
        }
    }
}

/// The error with what can be done now. A lost device can show itself as any other error, so it is asked.
fn explain(error: anyhow::Error, simulation: &mut Simulation, checkpoint: &Path) -> anyhow::Error {
    let Some(Err(lost @ ComputeError::DeviceLost(_))) =
        simulation.executor().gpu().map(|executor| executor.device().check())
    else {
        return error;
    };
    let time_step = simulation.model().settings.time_step;
    match simulation.last_state().filter(|_| checkpoint.exists()) {
        Some(state) => anyhow::anyhow!(
            "{lost}; the same command with --resume continues from {} at {:.3} s, with --backend cpu also \
             without the device",
            checkpoint.display(),
            state.steps() as f64 * time_step
        ),
        None => anyhow::anyhow!(
            "{lost}; there is no checkpoint to --resume from yet: run again, with a smaller --save-every"
        ),
    }
}

fn progress_bar(quiet: bool, last: u64) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let style =
        ProgressStyle::with_template("{bar:40} step {pos}/{len}  {elapsed_precise}, {eta_precise} left")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(last).with_style(style)
}

fn summary(simulation: &mut Simulation, steps: u64, solving: Duration) -> anyhow::Result<String> {
    let measures = simulation.measure()?;
    let per_step = solving.as_secs_f64() / steps.max(1) as f64;
    let real_time = simulation.model().settings.time_step / per_step.max(f64::MIN_POSITIVE);
    let mut inverted = match measures.inverted {
        0 => String::new(),
        1 => ", 1 tetrahedron inside out".into(),
        count => format!(", {count} tetrahedra inside out"),
    };
    if measures.max_compression > 0.0 {
        inverted += &format!(", largest compression {:.2} %", 1e2 * measures.max_compression);
    }
    if measures.switches > 0 {
        inverted += &format!(", {} switches of inversion", measures.switches);
    }
    let counts = [
        ("conjugate gradients", simulation.iterations()?),
        ("strain limits", simulation.limit_iterations()?),
    ];
    let substeps = simulation.steps() as f64 * f64::from(simulation.model().settings.substeps);
    let counts =
        counts.into_iter().filter_map(|(name, counts)| Some((name, counts?))).map(|(name, counts)| {
            let mean = f64::from(counts.total) / substeps;
            format!("\n{name}: {mean:.2} iterations a substep, {} at most", counts.most)
        });
    let counts: String = counts.collect();
    let beyond = simulation.worst_violation().map_or(String::new(), |violation| {
        format!("; largest strain beyond a limit in any frame {:.3} %", 1e2 * violation)
    });
    Ok(format!(
        "{:.3} s simulated in {steps} steps, {:.3} ms/step, {real_time:.1} x real time on {}\n\
         energy {:.4e} J, largest stretch {:.2} %, fastest particle {:.3} m/s{inverted}{counts}{beyond}",
        simulation.time(),
        1e3 * per_step,
        simulation.describe(),
        measures.energy(),
        1e2 * measures.max_stretch,
        measures.max_speed,
    ))
}
