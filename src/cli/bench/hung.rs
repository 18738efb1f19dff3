//! `sinew bench --table hung`: what a frame of a hung sheet costs at a stated accuracy, against its resolution.
//!
//! A sheet of 1 m, 2,000 N/m and 0.2 kg/m² lies flat, held by two corners, and swings for a second in one step a frame of
//! `integrator = "bdf2"`. Beside the time of a frame stand the mean strain of its threads, at the end and in the worst frame, the lowest point, and
//! what became of its energy: a solver that stops early is fast, stretches the sheet and brakes its swing. Many small steps lead to −0.16 m.

use super::scenes::{coarse, hung};
use super::statistics::{growth_exponent, median};
use glam::DVec3;
use sinew::scene::{ConjugateGradients, Integrator, Scene};
use sinew::{Options, Precision, Simulation};
use std::time::Instant;

/// Particles along an edge.
const SIZES: [u32; 3] = [64, 128, 256];
/// How many of them `--quick` takes.
const QUICK: usize = 2;
/// In each step of Newton's method.
const ITERATIONS: u32 = 4;
const FRAMES: u32 = 60;
/// What the sheet has to swing with: half of its weight times its length [J].
const ENERGY: f64 = 0.98;

/// What came out of a second.
struct Outcome {
    milliseconds: f64,
    strain: f64,
    worst: f64,
    lowest: f64,
    lost: f64,
    gained: f64,
}

/// The sheet in steps of a frame, with so many iterations in each of the two steps of Newton's method.
fn swinging(n: u32, substeps: u32) -> Scene {
    let mut scene = hung(n);
    scene.integrator = Integrator::Bdf2;
    scene.substeps = substeps;
    scene.conjugate_gradients = ConjugateGradients { iterations: ITERATIONS, tolerance: 1e-2 };
    scene
}

/// Prints the table.
pub fn print_table(quick: bool) -> anyhow::Result<()> {
    say!(
        "hung sheet, 1 s in steps of 1/60 s, bdf2, two Newton steps of {ITERATIONS} iterations a substep, CPU f32"
    );
    say!(
        "  {:<6} {:>8} {:>10} {:>9} {:>11} {:>10} {:>7} {:>7} {:>7} {:>10}",
        "size",
        "substeps",
        "ms a frame",
        "strain",
        "worst frame",
        "lowest [m]",
        "lost",
        "gained",
        "passes",
        "B/particle"
    );
    let sizes = &SIZES[..if quick { QUICK } else { SIZES.len() }];
    for substeps in [1, 4] {
        let mut times = Vec::new();
        for &n in sizes {
            let mut simulation = Simulation::new(&swinging(n, substeps), &Options::cpu(Precision::F32))?;
            let o = swing(&mut simulation)?;
            print_row(&simulation, n, substeps, &o);
            times.push((f64::from(n * n), o.milliseconds));
        }
        if let Some(exponent) = growth_exponent(&times) {
            say!("  time grows with the number of particles to the power {exponent:.2}");
        }
    }
    say!("\nposition-based, threads that do not stretch, coarse links and tethers");
    for (n, substeps) in
        [(64, 5), (128, 5), (256, 5), (512, 10)].into_iter().take(if quick { QUICK } else { 4 })
    {
        let mut simulation = Simulation::new(&coarse(n, substeps), &Options::cpu(Precision::F32))?;
        let o = swing(&mut simulation)?;
        print_row(&simulation, n, substeps, &o);
    }
    say!("\nstrain: mean of |length/rest − 1| of all threads, at the end and in the worst frame");
    say!("lost, gained: energy, of {ENERGY} J to swing with    B/particle: all buffers, lists included");
    Ok(())
}

fn print_row(simulation: &Simulation, n: u32, substeps: u32, o: &Outcome) {
    let solver = simulation.solver();
    let passes: usize = solver.step.iter().map(|run| run.passes.len() * run.times as usize).sum();
    let bytes: usize = solver.buffers.ids().map(|id| 4 * solver.buffers.initial(id).len()).sum();
    say!(
        "  {:<6} {substeps:>8} {:>10.1} {:>8.3}% {:>10.3}% {:>10.3} {:>6.1}% {:>6.1}% {passes:>7} {:>10.0}",
        format!("{n}²"),
        o.milliseconds,
        1e2 * o.strain,
        1e2 * o.worst,
        o.lowest,
        1e2 * o.lost / ENERGY,
        1e2 * o.gained / ENERGY,
        bytes as f64 / f64::from(n * n)
    );
}

fn swing(simulation: &mut Simulation) -> anyhow::Result<Outcome> {
    let rest = simulation.model_positions()?;
    let threads = threads(simulation, &rest);
    let first = simulation.measure()?.energy();
    let (mut times, mut worst, mut gained) = (Vec::new(), 0.0f64, 0.0f64);
    let (mut strain, mut lowest, mut energy) = (0.0, 0.0, 0.0);
    for _ in 0..FRAMES {
        let start = Instant::now();
        simulation.step()?;
        times.push(1e3 * start.elapsed().as_secs_f64());
        let x = simulation.model_positions()?;
        let stretch = |&[i, j]: &[usize; 2]| (x[i].distance(x[j]) / rest[i].distance(rest[j]) - 1.0).abs();
        strain = threads.iter().map(stretch).sum::<f64>() / threads.len() as f64;
        lowest = x.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
        energy = simulation.measure()?.energy() - first;
        (worst, gained) = (worst.max(strain), gained.max(energy));
    }
    Ok(Outcome { milliseconds: median(&times), strain, worst, lowest, lost: -energy, gained })
}

/// The edges of triangles along weft and warp, and the threads of nets.
fn threads(simulation: &Simulation, rest: &[DVec3]) -> Vec<[usize; 2]> {
    let membranes = simulation.model().elements.iter().flat_map(|elements| &elements.membranes);
    let edges = membranes.flat_map(|membrane| {
        let [a, b, c] = membrane.particles.map(|p| p as usize);
        // The longest of the three is the diagonal.
        let mut edges = [[a, b], [b, c], [c, a]];
        edges.sort_by(|[a, b], [c, d]| rest[*a].distance(rest[*b]).total_cmp(&rest[*c].distance(rest[*d])));
        [edges[0], edges[1]]
    });
    // Of a net, the links that the solver takes last.
    let links = simulation.model().elements.iter().flat_map(|elements| &elements.links);
    let last = links.clone().map(|link| link.rank).max();
    let links = links.filter(|link| Some(link.rank) == last).map(|link| link.ends.map(|p| p as usize));
    let mut edges: Vec<_> = edges.chain(links).map(|[i, j]| [i.min(j), i.max(j)]).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}
