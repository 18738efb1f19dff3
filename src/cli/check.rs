//! `sinew check`: what a scene is, whether both backends agree on it, and hashes of the states in which scenes end.

use super::{BackendName, PrecisionName, SceneArgs, counted, hash, print, scene_argument};
use anyhow::{Context, bail};
use clap::Args;
use sinew::Precision;
use sinew::checkpoint::{CheckpointError, Fingerprint, State};
use sinew::compute::{AdapterChoice, CpuExecutor, Gpu, GpuExecutor, compare_runs};
use sinew::integrate::easy;
use sinew::model::{Model, Settings};
use sinew::scene::Preconditioner;
use sinew::scenes;
use sinew::solver::Solver;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Args)]
pub struct CheckArgs {
    /// A scene file or the name of a built-in scene, or several with --hash; without one, the built-in scenes are listed.
    #[arg(value_name = "SCENE")]
    scenes: Vec<OsString>,
    /// Run the GPU and the CPU backend in lock-step and compare every buffer after every pass.
    #[arg(long, requires = "scenes")]
    compare: bool,
    /// Steps to compare.
    #[arg(long, value_name = "N", default_value_t = 2, requires = "compare",
        value_parser = clap::value_parser!(u32).range(1..=MOST_STEPS))]
    steps: u32,
    /// Largest difference of a pass that counts as equal, relative to the values in the buffer.
    #[arg(long, value_name = "X", default_value = "1e-5", requires = "compare", value_parser = tolerance, allow_negative_numbers = true)]
    tolerance: f64,
    /// Run scenes (all built-in ones if none is named) to their ends and print a hash of each final state: a line per scene and
    /// precision. Equal hashes are states equal to the bit.
    #[arg(long, conflicts_with = "compare")]
    hash: bool,
    /// Compare with the hashes in FILE, which are lines as --hash prints them, and fail if any differs.
    #[arg(long, value_name = "FILE", requires = "hash")]
    against: Option<PathBuf>,
    /// Hash the state after this simulated time, if the scene is longer; with --against, only compare runs that are not
    /// longer.
    #[arg(long, value_name = "S", requires = "hash", value_parser = super::run::seconds, allow_negative_numbers = true)]
    seconds: Option<f64>,
    /// Where to run for hashes: a device (gpu) or the CPU.
    #[arg(long, value_enum, value_name = "WHERE", requires = "hash")]
    backend: Option<BackendName>,
    /// Arithmetic of the CPU backend for hashes [default: both].
    #[arg(long, value_enum, value_name = "P", requires = "hash")]
    precision: Option<PrecisionName>,
    #[command(flatten)]
    settings: SceneArgs,
    /// Use the adapter whose name contains NAME.
    #[arg(long, value_name = "NAME")]
    adapter: Option<String>,
}

/// Steps that a comparison may take: with the most substeps, their number still fits a `u32`.
const MOST_STEPS: i64 = 100_000;

fn tolerance(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value >= 0.0 && value.is_finite() => Ok(value),
        _ => Err("must be a number that is not negative".into()),
    }
}

pub fn check(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    if args.hash {
        // They are written to a file of text, line by line.
        let names: Option<Vec<String>> =
            args.scenes.iter().map(|name| name.to_str().map(String::from)).collect();
        let names = names.context("--hash: the names of scenes must be UTF-8")?;
        return hash::hash(&hash::Request {
            scenes: &names,
            against: args.against.as_deref(),
            seconds: args.seconds,
            device: args.backend == Some(BackendName::Gpu),
            adapter: args.adapter.as_deref(),
            precision: args.precision,
            settings: &args.settings,
        });
    }
    if args.scenes.len() > 1 {
        bail!("several scenes at once are for --hash; name one of them");
    }
    let Some(argument) = args.scenes.first() else {
        print("built-in scenes:")?;
        for scene in scenes::BUILT_IN {
            print(format_args!("  {:18} {}", scene.name, scene.summary()))?;
        }
        return Ok(ExitCode::SUCCESS);
    };
    let (mut scene, name) = scene_argument::load(argument)?;
    args.settings.apply(&mut scene)?;
    let named = || argument.display().to_string();
    let mut model = Model::new(&scene).with_context(named)?;
    let settled = sinew::contact::advice::settle_start(&mut model).with_context(named)?;
    let solver = Solver::new(&model)?;
    if let Some(file) = &scene.start_from {
        start(&model, &solver, file).with_context(|| format!("{name}: `start_from`"))?;
    }
    describe(&name, &model, &solver)?;
    settled.iter().try_for_each(|line| print(format_args!("  {line}")))?;
    if args.compare {
        compare(args, &solver).with_context(|| name)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether the state that a scene starts from is of this scene, in either precision.
fn start(model: &Model, solver: &Solver, file: &Path) -> Result<(), CheckpointError> {
    let load = |precision| {
        State::load_cut(file, |journal| {
            let whole = || Fingerprint::new(model, &solver.buffers, precision);
            if journal.is_empty() {
                return Ok(whole());
            }
            // A journal of another body cannot be followed; then the particles of the whole one do not fit either.
            let cut = model.with_journal(journal).ok().and_then(|cut| Some((Solver::new(&cut).ok()?, cut)));
            Ok(cut.map_or_else(whole, |(solver, cut)| Fingerprint::new(&cut, &solver.buffers, precision)))
        })
    };
    match load(Precision::F32) {
        Err(CheckpointError::Precision { found, .. }) => load(found).map(drop),
        loaded => loaded.map(drop),
    }
}

fn describe(name: &str, model: &Model, solver: &Solver) -> anyhow::Result<()> {
    print(format_args!("{name}: valid"))?;
    for body in &model.bodies {
        let particles = &body.particles;
        let mass: f64 = particles
            .clone()
            .map(|i| model.particles.masses[model.order.new_of_old[i as usize] as usize])
            .sum();
        let tets = match body.tetrahedra.len() {
            0 => String::new(),
            1 => ", 1 tetrahedron".into(),
            count => format!(", {count} tetrahedra"),
        };
        print(format_args!(
            "  body `{}`: {}, {}{tets}, {mass:.4} kg",
            body.name,
            counted(particles.len(), "particle"),
            counted(body.triangles.len(), "triangle")
        ))?;
    }
    for body in &model.rigid {
        let name = &model.bodies[body.body as usize].name;
        let [a, b, c] = body.moments.to_array();
        print(format_args!(
            "  rigid body `{name}`: principal moments of inertia {a:.4e}, {b:.4e}, {c:.4e} kg m²"
        ))?;
    }
    for body in &model.composites {
        let millimetres =
            |v: sinew::glam::DVec3| format!("{:.4} × {:.4} × {:.4} mm", 1e3 * v.x, 1e3 * v.y, 1e3 * v.z);
        print(format_args!(
            "  bonded cells `{}`: {} of {}, {}; strength and fracture energy allow cells up to {}",
            model.bodies[body.body as usize].name,
            counted(body.particles.len(), "cell"),
            millimetres(body.cell),
            counted(body.bonds.len(), "face"),
            millimetres(body.wood.longest_cell())
        ))?;
    }
    let held = model.particles.inverse_masses.iter().filter(|&&w| w == 0.0).count();
    print(format_args!(
        "  {}; {}; {}",
        counted(held, "fixed particle"),
        counted(model.pins.len(), "moving, elastic or timed pin"),
        counted(model.colliders.len(), "collider")
    ))?;
    let settings = &model.settings;
    print(format_args!(
        "  {:?} solver, {} of {:.3} ms, {}",
        settings.solver,
        counted(settings.substeps as usize, "substep"),
        1e3 * settings.time_step / f64::from(settings.substeps),
        counted(settings.iterations as usize, "iteration")
    ))?;
    for family in &solver.families {
        match family.colours {
            Some(colours) => print(format_args!(
                "  {}: {} constraints in {} colours of {} to {} (balance {:.2})",
                family.name,
                family.count,
                colours.colour_count,
                colours.smallest,
                colours.largest,
                colours.balance
            ))?,
            None => print(format_args!("  {}: {} constraints", family.name, family.count))?,
        }
    }
    print(format_args!(
        "  {:.1} MiB on the device, {} passes a substep",
        solver.buffers.bytes() as f64 / f64::from(1 << 20),
        solver.substep().len()
    ))?;
    for (k, body) in model.bodies.iter().enumerate() {
        let limit = sinew::cloth::sheets::stable_substep(model, k)
            .or_else(|| sinew::solids::measure::stable_substep(model, k));
        if let Some(limit) = limit {
            print(format_args!(
                "  `{}`: explicit integration is stable to substeps of {:.3} ms at rest",
                body.name,
                1e3 * limit
            ))?;
            describe_levels(&body.name, settings, body.particles.len(), limit)?;
        }
    }
    if let Some(([a, b], limit)) = sinew::magnets::advice::stiffest_pair(model) {
        let [a, b] = [a, b].map(|k| &model.bodies[k as usize].name);
        print(format_args!(
            "  magnets: `{a}` and `{b}` want substeps of at most {:.4} ms where they touch",
            1e3 * limit
        ))?;
    }
    for (body, limit) in sinew::rods::stable_step::stable_substeps(model) {
        print(format_args!(
            "  `{}`: CoRdE is stable to substeps of {:.4} ms at rest",
            model.bodies[body as usize].name,
            1e3 * limit
        ))?;
    }
    for line in sinew::model::advice::advice(model) {
        print(format_args!("  advice: {line}"))?;
    }
    for line in sinew::contact::advice::advice(model) {
        print(format_args!("  contact: {line}"))?;
    }
    Ok(())
}

/// What `preconditioner = "auto"` makes of a body.
fn describe_levels(name: &str, settings: &Settings, particles: usize, stable: f64) -> anyhow::Result<()> {
    if !settings.integrator.solves() || settings.preconditioner != Preconditioner::Auto {
        return Ok(());
    }
    if particles > easy::MOST_PARTICLES {
        return print(format_args!(
            "  `{name}`: solved with coarser levels, as it has more than {} particles",
            easy::MOST_PARTICLES
        ));
    }
    let estimate = easy::iterations(settings, stable);
    let (levels, relation) =
        if estimate <= easy::MOST_ITERATIONS { ("without", "at most") } else { ("with", "more than") };
    print(format_args!(
        "  `{name}`: solved {levels} coarser levels; 3×3 blocks alone would take about {estimate:.0} iterations, {relation} {:.0}",
        easy::MOST_ITERATIONS
    ))
}

fn compare(args: &CheckArgs, solver: &Solver) -> anyhow::Result<()> {
    let gpu =
        Gpu::open(&AdapterChoice { name: args.adapter.clone() }).context("comparing needs an adapter")?;
    let mut device = GpuExecutor::new(&gpu, &solver.buffers, &solver.passes)?;
    let mut cpu = CpuExecutor::<f32>::new(&solver.buffers, &solver.passes);
    let repetitions = args.steps * solver.substeps();
    print(format_args!("comparing {} with the CPU backend over {repetitions} substeps", gpu.report.title()))?;
    let outcome =
        compare_runs(&solver.buffers, &solver.passes, repetitions, [&mut cpu, &mut device], args.tolerance)?;
    match outcome {
        Ok(largest) => print(format_args!("every pass agrees; largest relative difference {largest:.1e}")),
        Err(difference) => bail!("the backends part (CPU first, GPU second): {difference}"),
    }
}
