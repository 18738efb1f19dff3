//! `sinew check`: what a scene is, without running it.

use super::{SceneArgs, print, scene_argument};
use anyhow::{Context, bail};
use clap::Args;
use sinew::compute::{AdapterChoice, CpuExecutor, Gpu, GpuExecutor, compare_runs};
use sinew::model::Model;
use sinew::scenes;
use sinew::solver::Solver;
use std::process::ExitCode;

#[derive(Args)]
pub struct CheckArgs {
    /// A scene file or the name of a built-in scene; without one, the built-in scenes are listed.
    scene: Option<String>,
    /// Run the GPU and the CPU backend in lock-step and compare every buffer after every pass.
    #[arg(long, requires = "scene")]
    compare: bool,
    /// Steps to compare.
    #[arg(long, value_name = "N", default_value_t = 2, requires = "compare",
        value_parser = clap::value_parser!(u32).range(1..=MOST_STEPS))]
    steps: u32,
    /// Largest difference of a pass that counts as equal, relative to the values in the buffer.
    #[arg(long, value_name = "X", default_value = "1e-5", requires = "compare", value_parser = tolerance, allow_negative_numbers = true)]
    tolerance: f64,
    #[command(flatten)]
    settings: SceneArgs,
    /// Use the adapter whose name contains NAME for the comparison.
    #[arg(long, value_name = "NAME", requires = "compare")]
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
    let Some(argument) = &args.scene else {
        print("built-in scenes:")?;
        for scene in scenes::BUILT_IN {
            print(format_args!("  {:18} {}", scene.name, scene.summary()))?;
        }
        return Ok(ExitCode::SUCCESS);
    };
    let (mut scene, name) = scene_argument::load(argument)?;
    args.settings.apply(&mut scene)?;
    let model = Model::new(&scene)?;
    let solver = Solver::new(&model)?;
    describe(&name, &model, &solver)?;
    if args.compare {
        compare(args, &solver).with_context(|| name)?;
    }
    Ok(ExitCode::SUCCESS)
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
            "  body `{}`: {} particles, {} triangles{tets}, {mass:.4} kg",
            body.name,
            particles.len(),
            body.triangles.len()
        ))?;
    }
    let held = model.particles.inverse_masses.iter().filter(|&&w| w == 0.0).count();
    print(format_args!(
        "  {held} particles held, {} pins that move, give or let go, {} colliders",
        model.pins.len(),
        model.colliders.len()
    ))?;
    let settings = &model.settings;
    print(format_args!(
        "  {:?} solver, {} substeps of {:.3} ms, {} iterations",
        settings.solver,
        settings.substeps,
        1e3 * settings.time_step / f64::from(settings.substeps),
        settings.iterations
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
        solver.substep.len()
    ))?;
    for (k, body) in model.bodies.iter().enumerate() {
        let limit = sinew::model::sheets::stable_substep(model, k)
            .or_else(|| sinew::model::solid_measure::stable_substep(model, k));
        if let Some(limit) = limit {
            print(format_args!(
                "  `{}`: explicit integration is stable to substeps of {:.3} ms at rest",
                body.name,
                1e3 * limit
            ))?;
        }
    }
    for (body, limit) in sinew::model::corde::stable_substeps(model) {
        print(format_args!(
            "  `{}`: CoRdE is stable to substeps of {:.4} ms at rest",
            model.bodies[body as usize].name,
            1e3 * limit
        ))?;
    }
    for line in sinew::model::advice::advice(model) {
        print(format_args!("  advice: {line}"))?;
    }
    Ok(())
}

fn compare(args: &CheckArgs, solver: &Solver) -> anyhow::Result<()> {
    let gpu =
        Gpu::open(&AdapterChoice { name: args.adapter.clone() }).context("comparing needs an adapter")?;
    let mut device = GpuExecutor::new(&gpu, &solver.buffers, &solver.passes)?;
    let mut cpu = CpuExecutor::<f32>::new(&solver.buffers, &solver.passes);
    let repetitions = args.steps * solver.substeps;
    print(format_args!("comparing {} with the CPU backend over {repetitions} substeps", gpu.report.title()))?;
    let outcome =
        compare_runs(&solver.buffers, &solver.passes, repetitions, [&mut cpu, &mut device], args.tolerance)?;
    match outcome {
        Ok(largest) => print(format_args!("every pass agrees; largest relative difference {largest:.1e}")),
        Err(difference) => bail!("the backends part (CPU first, GPU second): {difference}"),
    }
}
