//! `sinew bench --table steel`: what a steel cantilever asks of each method of rods.
//!
//! A wire of one metre, E = 200 GPa, radius 2 mm, 100 segments, with 2 g at its tip, falls from a wall and comes to rest in steps of
//! 1/60 s. Beam theory says how far it sags, wL⁴/8EI + PL³/3EI. The explicit method is not run: its longest stable substep says enough.

use glam::DVec3;
use sinew::model::Model;
use sinew::rods::stable_step::stable_substeps;
use sinew::scene::{Hold, Rod, RodEnd, RodMaterial, RodMethod, RodShape, Scene};
use sinew::{Options, Precision, Simulation};
use std::time::Instant;

const GRAVITY: f64 = 9.81;
const TIME_STEP: f64 = 1.0 / 60.0;
/// Time to come to rest [s]: damping leaves e⁻⁸ of the motion.
const DURATION: f64 = 4.0;
/// Substeps and iterations that are tried, the cheapest first.
const DIRECT: [[u32; 2]; 6] = [[1, 1], [2, 1], [5, 1], [10, 1], [20, 1], [20, 2]];
const ITERATIVE: [[u32; 2]; 3] = [[20, 2], [20, 20], [20, 200]];

/// Prints the table; `quick` leaves out what takes longest.
pub fn print_table(quick: bool) -> anyhow::Result<()> {
    println!(
        "steel cantilever, 1 m, radius 2 mm, 100 segments, tip load 2 g, {DURATION} s in steps of 1/60 s, CPU f32"
    );
    println!(
        "  {:<10} {:>9} {:>11} {:>12} {:>10} {:>12}",
        "method", "substeps", "iterations", "sag [mm]", "off by", "ms a frame"
    );
    for (name, method, tries) in [
        ("direct", RodMethod::Direct, &DIRECT[..]),
        ("coloured", RodMethod::Coloured, &ITERATIVE[..if quick { 2 } else { 3 }]),
        ("jacobi", RodMethod::Jacobi, &ITERATIVE[..if quick { 2 } else { 3 }]),
    ] {
        for &[substeps, iterations] in tries {
            let scene = Scene { substeps, iterations, ..cantilever(method) };
            let (sag, milliseconds) = settle(&scene)?;
            println!(
                "  {name:<10} {substeps:>9} {iterations:>11} {:>12.2} {:>9.2}% {milliseconds:>12.2}",
                1e3 * sag,
                1e2 * (sag / beam_sag(&scene) - 1.0)
            );
        }
    }
    let explicit = Scene { raise_substeps: true, time_step: 1e-7, ..cantilever(RodMethod::Corde) };
    for (_, limit) in stable_substeps(&Model::new(&explicit)?) {
        println!(
            "  {:<10} {:>9.0} {:>11} stable to substeps of {:.3} µs: so many in a step of 1/60 s",
            "corde",
            (TIME_STEP / limit).ceil(),
            "",
            1e6 * limit
        );
    }
    println!("\noff by: against {:.2} mm of beam theory", 1e3 * beam_sag(&cantilever(RodMethod::Direct)));
    Ok(())
}

fn cantilever(method: RodMethod) -> Scene {
    let rod = Rod {
        shape: RodShape::Line { from: DVec3::ZERO, to: DVec3::X, segments: 100 },
        material: RodMaterial { radius: 0.002, ..RodMaterial::STEEL_WIRE },
        start: RodEnd { hold: Hold::Clamped, ..RodEnd::default() },
        end: RodEnd { weight: 0.002, ..RodEnd::default() },
        method,
        ..Rod::default()
    };
    Scene { time_step: TIME_STEP, damping: 4.0, rod: vec![rod], ..Scene::default() }
}

/// wL⁴/8EI + PL³/3EI with L = 1 m [m].
fn beam_sag(scene: &Scene) -> f64 {
    let (material, load) = (&scene.rod[0].material, scene.rod[0].end.weight * GRAVITY);
    let (weight, stiffness) = (material.density * material.area() * GRAVITY, material.bending_stiffness().x);
    weight / (8.0 * stiffness) + load / (3.0 * stiffness)
}

/// The sag [m] and the mean time of a step [ms].
fn settle(scene: &Scene) -> anyhow::Result<(f64, f64)> {
    let mut simulation = Simulation::new(scene, &Options::cpu(Precision::F32))?;
    let steps = (DURATION / scene.time_step).round() as u32;
    let start = Instant::now();
    simulation.advance(steps)?;
    let milliseconds = 1e3 * start.elapsed().as_secs_f64() / f64::from(steps);
    let tip = simulation.positions()?.last().copied().unwrap_or_default();
    Ok((-tip.y, milliseconds))
}
