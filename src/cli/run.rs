//! `sinew run`: a scene without a window.

use super::outputs::{OutputArgs, Outputs};
use super::{BackendArgs, SceneArgs, scene_argument};
use anyhow::{Context, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use sinew::compute::ComputeError;
use sinew::scene::Scene;
use sinew::{Simulation, SimulationError};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

#[derive(Args)]
pub struct RunArgs {
    /// A scene file or the name of a built-in scene.
    scene: String,
    /// Simulated time [default: the scene's duration].
    #[arg(long, value_name = "S", value_parser = seconds)]
    seconds: Option<f64>,
    /// Folder for all output; made if missing [default: out/<scene>].
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    #[command(flatten)]
    outputs: OutputArgs,
    #[command(flatten)]
    backend: BackendArgs,
    #[command(flatten)]
    settings: SceneArgs,
    /// Check the scene's [expect] table at its time and fail if it is not met.
    #[arg(long)]
    expect: bool,
    /// Simulated time between checkpoints; 0 writes none.
    #[arg(long, value_name = "S", default_value = "1", value_parser = seconds_or_none)]
    save_every: f64,
    /// Continue from the last checkpoint in the output folder, or from FILE.
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "")]
    resume: Option<String>,
    /// Print nothing but errors.
    #[arg(long, short)]
    quiet: bool,
    /// Destroy the device after this many steps, to test what happens then.
    #[arg(long, value_name = "N", hide = true)]
    lose_device_after: Option<u64>,
}

/// The name of the checkpoint in the output folder.
const CHECKPOINT: &str = "checkpoint.sinew";

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
    steps_per_save: Option<u64>,
    expect_at: Option<u64>,
}

impl Plan {
    fn new(args: &RunArgs, scene: &Scene) -> anyhow::Result<Self> {
        let steps = |time: f64| (time / scene.time_step).round().max(1.0) as u64;
        let last = steps(args.seconds.unwrap_or(scene.duration));
        let expect_at = match (&scene.expect, args.expect) {
            (Some(expect), true) => Some(steps(expect.at.unwrap_or(scene.duration))),
            (None, true) => bail!("--expect: the scene has no [expect] table"),
            (_, false) => None,
        };
        if let Some(at) = expect_at.filter(|&at| at > last) {
            let time = at as f64 * scene.time_step;
            bail!(
                "--expect: the scene expects something at {time} s and the run ends before; leave out --seconds"
            );
        }
        Ok(Self {
            last,
            steps_per_frame: steps(1.0 / scene.render.frames_per_second),
            steps_per_save: (args.save_every > 0.0).then(|| steps(args.save_every)),
            expect_at,
        })
    }

    /// How many steps to do at once from here.
    fn stretch(&self, step: u64) -> u64 {
        let next_multiple = |period: u64| (step / period + 1) * period;
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
    }
}

pub fn run(args: &RunArgs) -> anyhow::Result<ExitCode> {
    let (mut scene, name) = scene_argument::load(&args.scene)?;
    args.settings.apply(&mut scene)?;
    let plan = Plan::new(args, &scene)?;
    let say = |line: &str| {
        if !args.quiet {
            eprintln!("{line}");
        }
    };

    let mut simulation = Simulation::new(&scene, &args.backend.options()?)?;
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

    let folder = args.out.clone().unwrap_or_else(|| Path::new("out").join(&name));
    std::fs::create_dir_all(&folder).with_context(|| format!("making the folder {}", folder.display()))?;
    let checkpoint = folder.join(CHECKPOINT);
    if let Some(file) = &args.resume {
        let file = if file.is_empty() { checkpoint.clone() } else { file.into() };
        simulation.resume(&file)?;
        say(&format!("resumed at {:.3} s from {}", simulation.time(), file.display()));
        if simulation.steps() >= plan.last {
            say("nothing left to do: the checkpoint is at or after the end; give a larger --seconds");
            return Ok(ExitCode::SUCCESS);
        }
    }

    let resumed = args.resume.is_some();
    let mut outputs = Outputs::new(&args.outputs, &scene, &mut simulation, &folder, resumed, &say)?;
    let progress = progress_bar(args.quiet, plan.last);
    let outcome = advance(args, &plan, &mut simulation, &mut outputs, &checkpoint, &progress);
    progress.finish_and_clear();
    let Outcome { solving, unmet, steps } = match outcome {
        Ok(outcome) => outcome,
        Err(error) => return Err(explain(error, args, &checkpoint)),
    };
    for line in outputs.finish()? {
        say(&line);
    }
    say(&summary(&mut simulation, steps, solving)?);
    say(&format!("output in {}", folder.display()));
    for line in &unmet {
        eprintln!("sinew: {name}: not as expected: {line}");
    }
    if plan.expect_at.is_some() && unmet.is_empty() {
        say("all expectations are met");
    }
    Ok(if unmet.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
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
        outputs.record(simulation, 0)?;
    }
    progress.set_position(first);
    while simulation.steps() < plan.last {
        let stretch = plan.stretch(simulation.steps());
        let start = Instant::now();
        simulation.advance(u32::try_from(stretch).unwrap_or(u32::MAX))?;
        outcome.solving += start.elapsed();
        let step = simulation.steps();
        outcome.steps = step - first;
        progress.set_position(step);
        if step.is_multiple_of(plan.steps_per_frame) {
            outputs.record(simulation, step / plan.steps_per_frame)?;
        }
        if plan.expect_at == Some(step) {
            outcome.unmet = simulation.unmet()?;
        }
        if plan.steps_per_save.is_some_and(|period| step.is_multiple_of(period)) {
            simulation.save(checkpoint)?;
        }
        if args.lose_device_after.is_some_and(|after| step >= after)
            && let Some(gpu) = simulation.executor().gpu()
        {
            gpu.device().device.destroy();
        }
    }
    Ok(outcome)
}

/// The error with what can be done now.
fn explain(error: anyhow::Error, args: &RunArgs, checkpoint: &Path) -> anyhow::Error {
    let lost = error.chain().any(|cause| {
        matches!(cause.downcast_ref(), Some(SimulationError::Compute(ComputeError::DeviceLost(_))))
    });
    if lost && checkpoint.exists() {
        let mut advice = format!("continue with: sinew run {} --resume", args.scene);
        if let Some(out) = &args.out {
            advice += &format!(" --out {}", out.display());
        }
        return error.context(advice);
    }
    error
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
    Ok(format!(
        "{:.3} s simulated in {steps} steps, {:.3} ms/step, {real_time:.1} x real time on {}\n\
         energy {:.4e} J, largest stretch {:.2} %, fastest particle {:.3} m/s",
        simulation.time(),
        1e3 * per_step,
        simulation.describe(),
        measures.energy(),
        1e2 * measures.max_stretch,
        measures.max_speed,
    ))
}
