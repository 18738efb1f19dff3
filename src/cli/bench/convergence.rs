//! Iterations that each method of solving a rod needs, against its stiffness, as a plot.

use glam::DVec3;
use sinew::compute::{CpuExecutor, Data, Executor, Run};
use sinew::export::{Line, Marks, Plot};
use sinew::model::Model;
use sinew::scene::{Hold, Rod, RodEnd, RodMaterial, RodMethod, RodShape, Scene};
use sinew::solver::Solver;

/// Iterations after which a method has had its chance.
const MOST: u32 = 4000;
/// What is left of the way to the solution when it counts as found.
const FOUND: f64 = 0.01;
/// Young's moduli from foam to steel: powers of ten [Pa].
const POWERS: std::ops::RangeInclusive<i32> = 5..=11;

/// A rod of 1 m that begins to fall from a wall: one substep of 1/1200 s.
fn scene(youngs_modulus: f64, method: RodMethod, iterations: u32) -> Scene {
    let rod = Rod {
        shape: RodShape::Line { from: DVec3::ZERO, to: DVec3::X, segments: 50 },
        material: RodMaterial { youngs_modulus, ..RodMaterial::RUBBER },
        start: RodEnd { hold: Hold::Clamped, ..RodEnd::default() },
        method,
        ..Rod::default()
    };
    Scene { time_step: 1.0 / 1200.0, substeps: 1, iterations, rod: vec![rod], ..Scene::default() }
}

/// The offsets after each iteration of the first substep, in f64.
fn offsets(scene: &Scene) -> anyhow::Result<Vec<Vec<f64>>> {
    let solver = Solver::new(&Model::new(scene)?)?;
    let mut cpu = CpuExecutor::<f64>::new(&solver.buffers, &solver.passes);
    let buffer = solver.buffers.find("offsets").ok_or_else(|| anyhow::anyhow!("a solver has offsets"))?;
    let list = &solver.passes.list;
    let rounds = |pass: usize| {
        list[pass].kernel.name.starts_with("solve_chain")
            || ["stretch_shear", "bend_twist", "walk_rods", "project_rods", "gather_rods"]
                .contains(&list[pass].kernel.name)
    };
    let mut states = Vec::new();
    for pass in solver.substep() {
        cpu.execute(&[Run { passes: pass..pass + 1, times: 1 }])?;
        let ends = rounds(pass)
            && (pass + 1 == solver.substep().end
                || !rounds(pass + 1)
                || list[pass + 1].launch.index != list[pass].launch.index);
        if ends || (!rounds(pass) && pass + 1 < solver.substep().end && rounds(pass + 1)) {
            let Data::Reals(values) = cpu.read(buffer)? else { continue };
            states.push(values);
        }
    }
    Ok(states)
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    // The fourth component is a mass.
    let parts = a.iter().zip(b).enumerate().filter(|(i, _)| i % 4 < 3);
    parts.map(|(_, (a, b))| (a - b) * (a - b)).sum::<f64>().sqrt()
}

/// Iterations until 1 % of the way to the solution is left, or nothing within [`MOST`].
fn iterations(youngs_modulus: f64, method: RodMethod) -> anyhow::Result<Option<u32>> {
    let exact = offsets(&scene(youngs_modulus, RodMethod::Direct, 30))?;
    let Some(exact) = exact.last() else { return Ok(None) };
    let states =
        offsets(&scene(youngs_modulus, method, if method == RodMethod::Direct { 30 } else { MOST }))?;
    let Some(start) = states.first().map(|first| distance(first, exact)) else { return Ok(None) };
    Ok(states.iter().position(|state| distance(state, exact) <= FOUND * start).map(|n| n as u32))
}

/// Measures all methods and draws the picture.
pub fn plot(path: &std::path::Path) -> anyhow::Result<()> {
    let mut plot = Plot::new(
        "Iterations to 1 % of a substep's solution, 50 segments, radius 5 mm, 1/1200 s",
        "Young's modulus [Pa]",
        "iterations",
    )
    .log_x()
    .log_y();
    println!("{:>12} {:>8} {:>9} {:>8}", "E [Pa]", "jacobi", "coloured", "direct");
    let methods =
        [("Jacobi", RodMethod::Jacobi), ("coloured", RodMethod::Coloured), ("direct", RodMethod::Direct)];
    let mut lines =
        methods.map(|(name, _)| Line { marks: Marks::LineAndDots, ..Line::new(name, Vec::new()) });
    for power in POWERS {
        let modulus = 10f64.powi(power);
        let mut cells = Vec::new();
        for ((_, method), line) in methods.iter().zip(&mut lines) {
            let needed = iterations(modulus, *method)?;
            line.points.push([modulus, needed.map_or(f64::NAN, f64::from)]);
            cells.push(needed.map_or(format!("> {MOST}"), |n| n.to_string()));
        }
        println!("{modulus:>12.0e} {:>8} {:>9} {:>8}", cells[0], cells[1], cells[2]);
    }
    for line in lines {
        plot = plot.line(line);
    }
    plot.write(path)?;
    Ok(())
}
