//! `sinew bench --table limits`: what strain limits cost against mesh size, by method, as in table 3.1 of
//! Thomaszewski 2010.
//!
//! A sheet of irregular triangles and moduli (500, 500, 250) N/m with limits of 10 % along the threads and 20 % in shear swings from two corners for
//! one second. Time in limiting is that of the limits' passes, time in integration that of all others. Every method has
//! the same limit of iterations and the same tolerance; the largest violation of any limit in any step tells what it made
//! of them.

use sinew::model::sheets::largest_violation;
use sinew::scene::{Cloth, ClothModel, ClothShape, Corner, Fabric, Limiter, Pin, Scene, Selector};
use sinew::scene::{SolverKind, StrainLimiting, StrainLimits};
use sinew::{Options, Precision, Simulation};

/// Cells of the sheets: each has four times the triangles of the one before.
const CELLS: [[u32; 2]; 4] = [[11, 10], [22, 20], [44, 40], [88, 80]];
const METHODS: [(&str, Limiter, SolverKind, bool); 6] = [
    ("filter, Gauss–Seidel", Limiter::Filter, SolverKind::Coloured, false),
    ("filter, active set", Limiter::Filter, SolverKind::Coloured, true),
    ("filter, Jacobi", Limiter::Filter, SolverKind::Jacobi, false),
    ("edges", Limiter::Edges, SolverKind::Coloured, false),
    ("impulses, Gauss–Seidel", Limiter::Impulses, SolverKind::Coloured, false),
    ("impulses, Jacobi", Limiter::Impulses, SolverKind::Jacobi, false),
];
/// Simulated time [s].
const DURATION: f64 = 1.0;
const SUBSTEPS: u32 = 8;
/// The kernels of the limits, by the beginnings of their names.
const LIMITING: [&str; 4] = ["limit_", "strain_limit", "edge_limit", "scan_"];

/// What a method made of a sheet.
struct Outcome {
    iterations: f64,
    unfinished: u32,
    limiting: f64,
    integration: f64,
    violation: f64,
}

/// Prints the table; `quick` leaves the largest sheet out.
pub fn print_table(quick: bool) -> anyhow::Result<()> {
    let sheets = &CELLS[..if quick { CELLS.len() - 1 } else { CELLS.len() }];
    println!(
        "strain limits, 1 s of a swinging sheet, {SUBSTEPS} substeps of 1/60 s, tolerance 0.001, CPU f32"
    );
    println!(
        "  {:<24} {:>9} {:>11} {:>10} {:>12} {:>15} {:>10}",
        "method", "triangles", "iterations", "ran out", "limiting [s]", "integration [s]", "violation"
    );
    for (name, method, solver, active_set) in METHODS {
        for &cells in sheets {
            let scene = swing(cells, method, solver, active_set);
            let o = run(&scene)?;
            println!(
                "  {:<24} {:>9} {:>11.2} {:>10} {:>12.2} {:>15.2} {:>9.2}%",
                name,
                2 * cells[0] * cells[1],
                o.iterations,
                o.unfinished,
                o.limiting,
                o.integration,
                1e2 * o.violation
            );
        }
    }
    println!("\niterations: mean of a substep, 200 at most    ran out: substeps that would have needed more");
    println!(
        "violation: the largest strain beyond any limit of a triangle after any step; `edges` limits no triangle"
    );
    Ok(())
}

/// The sheet of table 3.1.
pub fn swing(cells: [u32; 2], method: Limiter, solver: SolverKind, active_set: bool) -> Scene {
    let fabric = Fabric {
        weft_modulus: 500.0,
        warp_modulus: 500.0,
        shear_modulus: 250.0,
        shear_viscosity: 0.05,
        limits: StrainLimits { weft: [f64::NEG_INFINITY, 0.1], warp: [f64::NEG_INFINITY, 0.1], shear: 0.2 },
        ..Fabric::default()
    };
    let corners = [Corner::BottomLeft, Corner::BottomRight];
    let cloth = Cloth {
        shape: ClothShape::Grid { size: [1.0, 1.0], cells },
        irregular: 0.25,
        model: ClothModel::Green,
        fabric,
        density: 0.5,
        bending_stiffness: 2e-5,
        rotation: glam::DVec3::new(90.0, 0.0, 0.0),
        pin: vec![Pin { selector: Selector::Corners(corners.to_vec()), ..Pin::default() }],
        ..Cloth::default()
    };
    let strain_limiting = StrainLimiting { method, iterations: 200, active_set, ..StrainLimiting::default() };
    Scene { cloth: vec![cloth], substeps: SUBSTEPS, solver, strain_limiting, ..Scene::default() }
}

fn run(scene: &Scene) -> anyhow::Result<Outcome> {
    let mut simulation = Simulation::new(scene, &Options::cpu(Precision::F32))?;
    let (mut limiting, mut integration, mut violation) = (0.0, 0.0, 0.0f64);
    while simulation.time() < DURATION - 0.5 * scene.time_step {
        for (kernel, milliseconds) in simulation.profile_step()? {
            let is_limit = LIMITING.iter().any(|start| kernel.starts_with(start));
            *(if is_limit { &mut limiting } else { &mut integration }) += 1e-3 * milliseconds;
        }
        let x = simulation.model_positions()?;
        violation = violation.max(largest_violation(simulation.model(), &x));
    }
    let counts = simulation.limit_iterations()?.unwrap_or_default();
    let substeps = simulation.steps() as f64 * f64::from(scene.substeps);
    let iterations = f64::from(counts.total) / substeps;
    Ok(Outcome { iterations, unfinished: counts.unfinished, limiting, integration, violation })
}
