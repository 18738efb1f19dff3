//! `sinew bench --table limits`: what strain limits cost against mesh size, by method, as in table 3.1 of
//! Thomaszewski 2010.
//!
//! A sheet of irregular triangles and moduli (500, 500, 250) N/m with limits of 10 % along the threads and 20 % in shear swings from two corners for
//! one second. Time in limiting is that of the limits' passes, time in integration that of all others; on a device both are shares
//! of the time of whole steps, in the proportion of those whose passes are timed. Every method has
//! the same limit of iterations and the same tolerance; the largest violation of any limit in any step tells what it made
//! of them.

use super::Backend;
use sinew::compute::AdapterChoice;
use sinew::scene::{Cloth, ClothModel, ClothShape, Corner, Fabric, Limiter, Pin, Scene, Selector};
use sinew::scene::{SolverKind, StrainLimiting, StrainLimits};
use sinew::{Options, Precision, Simulation};
use std::time::Instant;

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
/// On a device one step in so many has its passes timed, which takes far longer than running them; it tells how the time of the
/// others is divided.
const PROFILED_ON_DEVICE: u64 = 20;
/// The kernels of the limits, by the beginnings of their names.
const LIMITING: [&str; 4] = ["limit_", "strain_limit", "edge_limit", "scan_"];

/// What a method made of a sheet.
#[derive(Clone, Copy)]
struct Outcome {
    iterations: f64,
    unfinished: u32,
    limiting: f64,
    integration: f64,
    violation: f64,
}

/// Prints the table of a backend; `quick` leaves the largest sheet out.
pub fn print_table(backend: Backend, adapter: Option<&str>, quick: bool) -> anyhow::Result<()> {
    let sheets = &CELLS[..if quick { CELLS.len() - 1 } else { CELLS.len() }];
    let options = match backend {
        Backend::Cpu => Options::cpu(Precision::F32),
        Backend::Gpu => {
            Options { adapter: AdapterChoice { name: adapter.map(str::to_owned) }, ..Options::gpu() }
        }
    };
    let place = Simulation::new(&swing(CELLS[0], Limiter::Impulses, SolverKind::Coloured, false), &options)?;
    say!(
        "strain limits, 1 s of a swinging sheet, {SUBSTEPS} substeps of 1/60 s, tolerance 0.001, on {}",
        place.describe()
    );
    say!(
        "  {:<24} {:>9} {:>11} {:>10} {:>12} {:>15} {:>10}",
        "method",
        "triangles",
        "iterations",
        "ran out",
        "limiting [s]",
        "integration [s]",
        "violation"
    );
    let mut largest = Vec::new();
    for (name, method, solver, active_set) in METHODS {
        for &cells in sheets {
            let scene = swing(cells, method, solver, active_set);
            let o = run(&scene, &options)?;
            say!(
                "  {:<24} {:>9} {:>11.2} {:>10} {:>12.2} {:>15.2} {:>9.2}%",
                name,
                2 * cells[0] * cells[1],
                o.iterations,
                o.unfinished,
                o.limiting,
                o.integration,
                1e2 * o.violation
            );
            if Some(&cells) == sheets.last() {
                largest.push((method, solver, o));
            }
        }
    }
    for solver in [SolverKind::Coloured, SolverKind::Jacobi] {
        print_gain(&largest, solver);
    }
    Ok(())
}

/// What remembered impulses have over Thomaszewski's (2010) filter on the largest sheet.
fn print_gain(outcomes: &[(Limiter, SolverKind, Outcome)], solver: SolverKind) {
    let of = |method: Limiter| outcomes.iter().find(|o| (o.0, o.1) == (method, solver)).map(|o| o.2);
    let (Some(filter), Some(impulses)) = (of(Limiter::Filter), of(Limiter::Impulses)) else { return };
    let name = match solver {
        SolverKind::Coloured => "Gauss–Seidel",
        SolverKind::Jacobi => "Jacobi",
    };
    say!(
        "  {name}, largest sheet: impulses take {:.1} times fewer iterations than the filter, {:.1} times\n    \
         less time in limiting, and the largest violation is {:.1} times smaller",
        filter.iterations / impulses.iterations,
        filter.limiting / impulses.limiting,
        filter.violation / impulses.violation
    );
}

pub fn print_legend() {
    say!("\niterations: mean of a substep, 200 at most    ran out: substeps that would have needed more");
    say!(
        "violation: the largest strain beyond any limit of a triangle after any step; `edges` limits no triangle"
    );
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

fn run(scene: &Scene, options: &Options) -> anyhow::Result<Outcome> {
    let mut simulation = Simulation::new(scene, options)?;
    simulation.watch_limits();
    let every = if simulation.executor().gpu().is_some() { PROFILED_ON_DEVICE } else { 1 };
    // Time of the limits' passes and of all others where every pass was timed, and of the other steps as a whole [s].
    let (mut parts, mut whole) = ([0.0; 2], 0.0);
    while simulation.time() < DURATION - 0.5 * scene.time_step {
        if !simulation.steps().is_multiple_of(every) {
            let start = Instant::now();
            simulation.step()?;
            whole += start.elapsed().as_secs_f64();
            continue;
        }
        for (kernel, milliseconds) in simulation.profile_step()? {
            let is_limit = LIMITING.iter().any(|start| kernel.starts_with(start));
            parts[usize::from(!is_limit)] += 1e-3 * milliseconds;
        }
    }
    let [limiting, integration] = if every > 1 {
        let seconds = whole * every as f64 / (every - 1) as f64;
        parts.map(|part| seconds * part / (parts[0] + parts[1]))
    } else {
        parts
    };
    let violation = simulation.worst_violation().unwrap_or_default();
    let counts = simulation.limit_iterations()?.unwrap_or_default();
    let substeps = simulation.steps() as f64 * f64::from(scene.substeps);
    let iterations = f64::from(counts.total) / substeps;
    Ok(Outcome { iterations, unfinished: counts.unfinished, limiting, integration, violation })
}
