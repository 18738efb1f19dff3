//! `sinew check`: what a scene is, without running it.

use super::{SceneArgs, scene_argument};
use anyhow::Context;
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
    #[arg(long)]
    compare: bool,
    /// Steps to compare.
    #[arg(long, value_name = "N", default_value_t = 2, requires = "compare")]
    steps: u32,
    /// Largest difference of a pass that counts as equal, relative to the values in the buffer.
    #[arg(long, value_name = "X", default_value_t = 1e-5, requires = "compare")]
    tolerance: f64,
    #[command(flatten)]
    settings: SceneArgs,
    /// Use the adapter whose name contains NAME for the comparison.
    #[arg(long, value_name = "NAME", requires = "compare")]
    adapter: Option<String>,
}

pub fn check(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    let Some(argument) = &args.scene else {
        println!("built-in scenes:");
        for scene in scenes::BUILT_IN {
            println!("  {:18} {}", scene.name, scene.summary());
        }
        return Ok(ExitCode::SUCCESS);
    };
    let (mut scene, name) = scene_argument::load(argument)?;
    args.settings.apply(&mut scene)?;
    let model = Model::new(&scene)?;
    let solver = Solver::new(&model)?;
    describe(&name, &model, &solver);
    if !args.compare {
        return Ok(ExitCode::SUCCESS);
    }
    compare(args, &solver)
}

fn describe(name: &str, model: &Model, solver: &Solver) {
    println!("{name}: valid");
    for body in &model.bodies {
        let particles = &body.particles;
        let mass: f64 = particles
            .clone()
            .map(|i| model.particles.masses[model.order.new_of_old[i as usize] as usize])
            .sum();
        println!(
            "  body `{}`: {} particles, {} triangles, {mass:.4} kg",
            body.name,
            particles.len(),
            body.triangles.len()
        );
    }
    let held = model.particles.inverse_masses.iter().filter(|&&w| w == 0.0).count();
    println!(
        "  {held} particles held, {} pins that move, give or let go, {} colliders",
        model.pins.len(),
        model.colliders.len()
    );
    let settings = &model.settings;
    println!(
        "  {:?} solver, {} substeps of {:.3} ms, {} iterations",
        settings.solver,
        settings.substeps,
        1e3 * settings.time_step / f64::from(settings.substeps),
        settings.iterations
    );
    for family in &solver.families {
        match family.colours {
            Some(colours) => println!(
                "  {}: {} constraints in {} colours of {} to {} (balance {:.2})",
                family.name,
                family.count,
                colours.colour_count,
                colours.smallest,
                colours.largest,
                colours.balance
            ),
            None => println!("  {}: {} constraints", family.name, family.count),
        }
    }
    println!(
        "  {:.1} MiB on the device, {} passes a substep",
        solver.buffers.bytes() as f64 / f64::from(1 << 20),
        solver.substep.len()
    );
    for (k, body) in model.bodies.iter().enumerate() {
        if let Some(limit) = sinew::model::sheets::stable_substep(model, k) {
            println!(
                "  `{}`: symplectic integration is stable to substeps of {:.3} ms at rest",
                body.name,
                1e3 * limit
            );
        }
    }
    for line in sinew::model::advice::advice(model) {
        println!("  advice: {line}");
    }
}

fn compare(args: &CheckArgs, solver: &Solver) -> anyhow::Result<ExitCode> {
    let gpu =
        Gpu::open(&AdapterChoice { name: args.adapter.clone() }).context("comparing needs an adapter")?;
    let mut device = GpuExecutor::new(&gpu, &solver.buffers, &solver.passes)?;
    let mut cpu = CpuExecutor::<f32>::new(&solver.buffers, &solver.passes);
    let repetitions = args.steps * solver.substeps;
    println!("comparing {} with the CPU backend over {repetitions} substeps", gpu.report.title());
    let outcome =
        compare_runs(&solver.buffers, &solver.passes, repetitions, [&mut cpu, &mut device], args.tolerance)?;
    Ok(match outcome {
        Ok(largest) => {
            println!("every pass agrees; largest relative difference {largest:.1e}");
            ExitCode::SUCCESS
        }
        Err(difference) => {
            println!("they part (CPU first, GPU second): {difference}");
            ExitCode::FAILURE
        }
    })
}
