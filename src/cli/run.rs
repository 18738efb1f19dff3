//! `sinew run`: a scene without a window.

use super::folder::{self, CHECKPOINT};
use super::manifest::{Contents, Described};
use super::outputs::{OutputArgs, Outputs, Setup};
use super::plan::Plan;
use super::summary::Summary;
use super::{BackendArgs, SceneArgs, changes, interrupt, note, print, scene_argument, sentence};
use anyhow::{anyhow, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use sinew::compute::ComputeError;
use sinew::contact::verify::{Report, Shapes, Watcher};
use sinew::export::si;
use sinew::{Plausibility, Simulation, SimulationError, Warning};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

#[derive(Args)]
pub struct RunArgs {
    /// A scene file or the name of a built-in scene.
    scene: OsString,
    /// Simulated time [default: the scene's duration].
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    seconds: Option<f64>,
    /// Folder for all output; made if missing [default: out/<scene>]. It holds one run, whose files are listed in
    /// manifest.jsonl there; other files are never touched.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Replace the run that the output folder holds; without this, such a folder is refused.
    #[arg(long)]
    overwrite: bool,
    /// Check the scene's [expect] table at its time and fail if it is not met.
    #[arg(long)]
    expect: bool,
    /// Count after every step, in f64, what goes through what, and fail if anything does.
    #[arg(long)]
    verify: bool,
    /// Simulated time between checkpoints, the last one at the end; 0 writes none.
    #[arg(long, value_name = "S", default_value = "1", value_parser = seconds_or_none, allow_negative_numbers = true)]
    save_every: f64,
    /// Continue from the checkpoint in the output folder, or from FILE, and complete plots, USDA and video. Frames
    /// after the checkpoint are made again. Without other options the run writes what it wrote before.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    resume: Option<Option<PathBuf>>,
    /// Continue although the scene has changed since the run was started.
    #[arg(long, requires = "resume")]
    accept_changes: bool,
    /// Fail if the run is not believable: energy from nowhere, speeds or stretches that jump, solvers that ran out of
    /// iterations. Without this they are warnings.
    #[arg(long)]
    strict: bool,
    /// Print the summary as JSON.
    #[arg(long)]
    json: bool,
    /// Print nothing but errors.
    #[arg(long, short, conflicts_with = "json")]
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

pub fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value.is_finite() => Ok(value),
        _ => Err("must be a positive number of seconds".into()),
    }
}

fn seconds_or_none(text: &str) -> Result<f64, String> {
    if text.parse() == Ok(0.0) { Ok(0.0) } else { seconds(text) }
}

pub fn run(args: &RunArgs) -> anyhow::Result<ExitCode> {
    // Before anything uses the threads.
    let options = args.backend.options()?;
    let (mut scene, name) = scene_argument::load(&args.scene)?;
    args.settings.apply(&mut scene)?;
    let say = |line: &str| {
        if !args.quiet {
            note(line);
        }
    };

    let path = args.out.clone().unwrap_or_else(|| Path::new("out").join(&name));
    let start = Start::find(args, &path)?;
    let seconds = args.seconds.or(start.continued.as_ref().and_then(|run| run.seconds));
    let plan = Plan::new(&scene, seconds, args.save_every, args.expect)?;
    let mut simulation = Simulation::new(&scene, &options).map_err(|error| match error {
        SimulationError::Model(error) => anyhow!(error).context(args.scene.display().to_string()),
        error => error.into(),
    })?;
    simulation.watch_limits();
    if let Some(reason) = simulation.fallback() {
        say(&format!("running on the CPU backend: {reason}"));
    }
    let model = simulation.model();
    let substeps = simulation.model().settings.substeps;
    if substeps > scene.substeps {
        say(&format!("{substeps} substeps a step, chosen for the loads on its rods and nets"));
    }
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

    let described = Described {
        sinew: env!("CARGO_PKG_VERSION").into(),
        scene: name.clone(),
        toml: scene.to_toml().unwrap_or_default(),
        seconds,
        frames_per_second: plan.frames_per_second,
        outputs: match &start.continued {
            Some(run) if !args.outputs.asked() => run.outputs,
            _ => args.outputs,
        },
    };
    if let Some(file) = &start.checkpoint {
        // First, because the list of changes says more than a state that does not fit.
        start.check(&described, args.accept_changes)?;
        resume(&mut simulation, &plan, file)?;
        say(&format!("resumed at {:.3} s from {}", simulation.time(), file.display()));
    }
    if simulation.steps() > 0 && simulation.steps() >= plan.last {
        say("nothing left to do: the checkpoint is at or after the end; give a larger --seconds to go on");
        if start.checkpoint.is_none() {
            return Ok(ExitCode::SUCCESS);
        }
        say("completing the files of the run");
    }
    let setup = Setup {
        folder: &path,
        described: &described,
        overwrite: args.overwrite,
        resumed: start.checkpoint.is_some(),
        last_frame: plan.last.max(simulation.steps()) / plan.steps_per_frame,
        adapter: &options.adapter,
        say: &say,
    };
    let outputs = Outputs::new(&scene, &mut simulation, &setup)?;
    interrupt::listen()?;
    let Outcome { warnings, unmet, .. } = complete(args, &name, &plan, &mut simulation, outputs, &path)?;
    if interrupt::asked() {
        note(format_args!(
            "stopped at {:.3} s of {:.3} s; the same command with --resume goes on",
            simulation.time(),
            plan.last as f64 * scene.time_step
        ));
        return Ok(interrupt::code());
    }
    for line in &unmet {
        note(format_args!("sinew: {name}: not as expected: {line}"));
    }
    if plan.expect_at.is_some() && unmet.is_empty() && !args.quiet && !args.json {
        print("all expectations are met")?;
    }
    if args.strict && !warnings.is_empty() {
        let lines: Vec<String> = warnings.iter().map(Warning::to_string).collect();
        bail!("--strict: {name}: {}", lines.join("; also "));
    }
    Ok(if unmet.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Where a run starts: at the beginning, or from a checkpoint of an earlier one.
struct Start {
    checkpoint: Option<PathBuf>,
    /// The run that the checkpoint is of, if a manifest lies beside it.
    continued: Option<Described>,
}

impl Start {
    /// Refuses early what the folder would refuse later: preparing a large scene takes time.
    fn find(args: &RunArgs, path: &Path) -> anyhow::Result<Self> {
        let here = Contents::read(path)?;
        let Some(file) = &args.resume else {
            if !args.overwrite {
                folder::refuse_second(path, &here)?;
            }
            return Ok(Self { checkpoint: None, continued: None });
        };
        let own = path.join(CHECKPOINT);
        let file = file.clone().unwrap_or_else(|| own.clone());
        let canonical = |path: &Path| path.canonicalize().ok();
        if canonical(&file) == canonical(&own) {
            return Ok(Self { checkpoint: Some(file), continued: here.run });
        }
        if here.run.is_some() && !args.overwrite {
            bail!(
                "{} holds a run, and {} is not its checkpoint: what it has after that time would be made again; \
                 --overwrite allows that, or choose another folder with --out",
                path.display(),
                file.display()
            );
        }
        let beside = file.parent().map(Contents::read).transpose()?.unwrap_or_default();
        Ok(Self { checkpoint: Some(file), continued: beside.run })
    }

    /// Refuses to continue another scene than the one that was started.
    fn check(&self, now: &Described, accept_changes: bool) -> anyhow::Result<()> {
        let Some(before) = &self.continued else { return Ok(()) };
        let [old, new] = [before, now].map(|run| run.frames_per_second);
        if old != new {
            bail!(
                "--resume: the run has {old} frames a second and the scene now gives {new}, which numbers frames \
                 otherwise; set the old rate, or run without --resume"
            );
        }
        let changes = changes::list(&before.toml, &now.toml);
        if !changes.is_empty() && !accept_changes {
            bail!(
                "--resume: the scene has changed since the run was started: {}; put it back, or continue with the \
                 changes by --accept-changes",
                changes.join("; ")
            );
        }
        Ok(())
    }
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

/// Runs to the end, completes the files and prints the summary.
fn complete(
    args: &RunArgs,
    name: &str,
    plan: &Plan,
    simulation: &mut Simulation,
    mut outputs: Outputs,
    folder: &Path,
) -> anyhow::Result<Outcome> {
    let progress = progress_bar(args.quiet, plan.last);
    let outcome = advance(args, plan, simulation, &mut outputs, &progress);
    progress.finish_and_clear();
    let mut outcome = match outcome {
        Ok(outcome) => outcome,
        Err(error) => {
            let salvaged = outputs.salvage();
            let error = explain(error, simulation, &folder.join(CHECKPOINT));
            return Err(match salvaged {
                Ok(()) => error,
                Err(second) => anyhow::anyhow!("{}; then: {}", sentence(&error), sentence(&second)),
            });
        }
    };
    let video = outputs.finish(simulation.steps() / plan.steps_per_frame)?;
    outcome.unmet.extend(outcome.verified.iter().flat_map(Report::problems));
    outcome.unmet.extend(out_of_balance(simulation)?);
    outcome.warnings.extend(simulation.warnings()?);
    if !args.quiet && !args.strict {
        outcome.warnings.iter().for_each(|warning| note(format_args!("warning: {warning}")));
    }
    let summary = Summary {
        scene: name,
        folder,
        steps: outcome.steps,
        solving: outcome.solving,
        warnings: &outcome.warnings,
        unmet: &outcome.unmet,
        is_interrupted: interrupt::asked(),
    };
    if args.json {
        summary.print_json(simulation)?;
    } else if !args.quiet {
        summary.print(simulation)?;
        if let Some(report) = &outcome.verified {
            print(report.summary())?;
        }
        if let Some(line) = video {
            print(line)?;
        }
    }
    Ok(outcome)
}

/// A sentence if statics has not found its balance.
fn out_of_balance(simulation: &mut Simulation) -> anyhow::Result<Option<String>> {
    // A run that somebody has stopped is not asked for its end.
    let Some(left) = simulation.imbalance()?.filter(|_| !interrupt::asked()) else { return Ok(None) };
    Ok((!left.is_balanced()).then(|| {
        format!(
            "`integrator = \"static\"` has not found a balance of forces: {} are left on a particle of `{}`, {:.1} % of the largest pull; \
             let it run longer, raise `newton` or the `iterations` of `solver = {{ … }}`, or lighten the loads",
            si(left.force, "N"),
            left.body,
            1e2 * left.share()
        )
    }))
}

/// What came of advancing a run.
#[derive(Default)]
struct Outcome {
    solving: Duration,
    steps: u64,
    unmet: Vec<String>,
    verified: Option<Report>,
    warnings: Vec<Warning>,
}

fn advance(
    args: &RunArgs,
    plan: &Plan,
    simulation: &mut Simulation,
    outputs: &mut Outputs,
    progress: &ProgressBar,
) -> anyhow::Result<Outcome> {
    let first = simulation.steps();
    let mut outcome = Outcome::default();
    let mut plausibility = Plausibility::new(simulation, false)?;
    if first == 0 {
        let measures = simulation.measure()?;
        outputs.record(simulation, &measures, 0, Duration::ZERO)?;
    }
    let mut watcher = args.verify.then(|| Watcher::new(Shapes::whole(simulation.model())));
    if let Some(watcher) = &mut watcher {
        watcher.look(&simulation.surface_positions()?);
    }
    let mut epoch = simulation.epoch();
    progress.set_position(first);
    loop {
        let step = simulation.steps();
        if plan.expect_at == Some(step) {
            outcome.unmet = simulation.unmet()?;
        }
        if step >= plan.last {
            outcome.verified = watcher.map(|watcher| watcher.report);
            return Ok(outcome);
        }
        if args.lose_device_after.is_some_and(|after| step >= after)
            && let Some(gpu) = simulation.executor().gpu()
        {
            gpu.device().device.destroy();
        }
        let start = Instant::now();
        let stretch = if args.verify { 1 } else { plan.stretch(step) as u32 };
        if plan.watched {
            simulation.advance(stretch - 1)?;
            simulation.watched_step(false)?;
        } else {
            simulation.advance(stretch)?;
        }
        outcome.solving += start.elapsed();
        if let Some(watcher) = &mut watcher {
            if simulation.epoch() != epoch {
                epoch = simulation.epoch();
                watcher.follow(Shapes::whole(simulation.model()));
            }
            watcher.look(&simulation.surface_positions()?);
        }
        let step = simulation.steps();
        outcome.steps = step - first;
        progress.set_position(step);
        if step.is_multiple_of(plan.steps_per_frame) {
            let measures = simulation.measure()?;
            outputs.record(simulation, &measures, step / plan.steps_per_frame, outcome.solving)?;
            plausibility.look(simulation, &measures)?;
            outcome.warnings = plausibility.warnings().to_vec();
        }
        // After the frame: a checkpoint promises that everything up to it is written.
        let stopping = interrupt::asked();
        if plan.saves_at(step) || stopping {
            outputs.save(simulation)?;
        }
        if stopping {
            outcome.verified = watcher.map(|watcher| watcher.report);
            return Ok(outcome);
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
