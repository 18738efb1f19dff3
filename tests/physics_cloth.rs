//! Cloth against membrane and beam theory.

mod common;

use common::*;
use glam::DVec3;
use sinew::model::Model;
use sinew::model::measure::measure;
use sinew::scene::{Bending, Cloth, ClothShape, Edge, Pin, Scene, Selector, SolverKind, Tethers};

/// Mass per area [kg/m²] and height [m] of the hanging strip.
const DENSITY: f64 = 0.2;
const HEIGHT: f64 = 1.0;
const CELLS: [u32; 2] = [4, 20];
/// Y [N/m]: soft enough to stretch by one per cent.
const STRETCH: f64 = 100.0;

fn strip(shear_stiffness: f64) -> Cloth {
    Cloth {
        shape: ClothShape::Grid { size: [0.2, HEIGHT], cells: CELLS },
        density: DENSITY,
        stretch_stiffness: STRETCH,
        shear_stiffness,
        bending: Bending::None,
        pin: vec![Pin { selector: Selector::Edge(Edge::Top), ..Default::default() }],
        ..Default::default()
    }
}

/// A strip let settle: its slowest mode, ω = π/2H √(Y/σ) = 35/s, is critically damped, 0.35 s are 12 time constants.
fn settling(solver: SolverKind, iterations: u32, cloth: Cloth) -> Scene {
    Scene { solver, substeps: 30, iterations, damping: 70.0, cloth: vec![cloth], ..Default::default() }
}
const SETTLING_STEPS: u32 = 21;

/// How far the lower edge has come down, on average [m].
fn elongation(x: &[DVec3]) -> f64 {
    let row = CELLS[0] as usize + 1;
    -0.5 * HEIGHT - x[..row].iter().map(|x| x.y).sum::<f64>() / row as f64
}

#[test]
fn a_hanging_strip_stretches_as_a_membrane_does() {
    /// Not converged within a substep, w/α̃ = 0.01 per iteration, and 12 time constants: 0.3 %.
    const TOLERANCE: f64 = 0.005;
    /// With diagonals the pinned edge cannot contract, over about a width of 0.2 m.
    const SHEAR_TOLERANCE: f64 = 0.02;
    for (backend, solver, name) in backends_and_solvers() {
        // Per area the diagonals store ½ G (εx + εy)², so a strip free to contract sideways is stiffer by
        // (Y + 2G)/(Y + G).
        for (shear, tolerance) in [(0.0, TOLERANCE), (20.0, SHEAR_TOLERANCE)] {
            let stiffness = STRETCH * (STRETCH + 2.0 * shear) / (STRETCH + shear);
            let mut simulation = backend.simulate(&settling(solver, 4, strip(shear)));
            simulation.advance(SETTLING_STEPS).unwrap();
            let measured = elongation(&simulation.positions().unwrap());
            let expected = DENSITY * G * HEIGHT * HEIGHT / (2.0 * stiffness);
            assert_close(measured, expected, tolerance, &format!("{name}, shear stiffness {shear}"));
        }
    }
}

#[test]
fn tethers_limit_the_distance_from_the_pins() {
    /// A tether is rigid, but solved with the links that pull at it: what two iterations leave open.
    const OPEN: f64 = 1e-3;
    let slack = 1.02;
    let soft = |tethers| Cloth { stretch_stiffness: 20.0, tethers, ..strip(0.0) };
    let stretch = |x: &[DVec3]| {
        let (row, rows) = (CELLS[0] as usize + 1, CELLS[1] as usize);
        let rest = HEIGHT / rows as f64;
        let below = (0..rows).flat_map(|j| (0..row).map(move |i| (i, j)));
        below
            .map(|(i, j)| x[rows * row + i].distance(x[j * row + i]) / (rest * (rows - j) as f64))
            .fold(0.0, f64::max)
    };
    for (backend, solver, name) in backends_and_solvers() {
        let mut run = [None, Some(Tethers { slack })].map(|tethers| {
            let mut simulation = backend.simulate(&settling(solver, 4, soft(tethers)));
            simulation.advance(SETTLING_STEPS).unwrap();
            stretch(&simulation.positions().unwrap())
        });
        let limited = run[1];
        assert_below(
            slack,
            std::mem::take(&mut run[0]),
            &format!("{name}: it would stretch further without"),
        );
        assert_below(limited, slack + OPEN, &format!("{name}: largest distance over that at rest"));
    }
}

#[test]
fn both_solvers_settle_at_the_same_place() {
    /// Of the elongation, for each pair of solvers: all have converged within the substep to a tenth of this.
    const TOLERANCE: f64 = 1e-3;
    for backend in backends() {
        let settled = [(SolverKind::Coloured, 0.0), (SolverKind::Jacobi, 0.0), (SolverKind::Jacobi, 0.6)]
            .map(|(solver, chebyshev)| {
                let scene = Scene { chebyshev, ..settling(solver, 12, strip(20.0)) };
                let mut simulation = backend.simulate(&scene);
                simulation.advance(SETTLING_STEPS).unwrap();
                simulation.positions().unwrap()
            });
        let [coloured, jacobi, chebyshev] = &settled;
        let size = elongation(coloured);
        for (other, what) in [(jacobi, "Jacobi"), (chebyshev, "Chebyshev")] {
            let error = largest_distance(coloured, other) / size;
            assert_below(error, TOLERANCE, &format!("{}: coloured and {what}", backend.name));
        }
    }
}

#[test]
fn chebyshev_reaches_a_residual_in_fewer_iterations_than_plain_jacobi() {
    /// Share of the initial strain that counts as solved.
    const SOLVED: f64 = 0.02;
    let links = 16u32;
    for backend in backends() {
        let residual = |chebyshev: f64, iterations: u32| {
            let points = (0..=links).map(|i| DVec3::X * (f64::from(i) / f64::from(links))).collect();
            let scene = Scene {
                gravity: DVec3::ZERO,
                solver: SolverKind::Jacobi,
                substeps: 1,
                iterations,
                chebyshev,
                points: vec![linked(points, 0.01, 0.0, chain_links(links + 1), vec![0])],
                ..Default::default()
            };
            let mut model = Model::new(&scene).unwrap();
            // Rigid links, 5 % too long.
            model.particles.positions.iter_mut().for_each(|x| *x *= 1.05);
            let mut simulation = backend.simulate_model(model);
            simulation.step().unwrap();
            let x = simulation.positions().unwrap();
            let strain = |i: usize| x[i].distance(x[i - 1]) * f64::from(links) - 1.0;
            (1..x.len()).map(|i| strain(i).powi(2)).sum::<f64>().sqrt() / (0.05 * f64::from(links).sqrt())
        };
        let needed = |chebyshev: f64| {
            let counts = (2..).map(|k| 1 << k).take_while(|&count| count <= 4096);
            counts.clone().find(|&count| residual(chebyshev, count) < SOLVED).expect("it converges")
        };
        let (plain, accelerated) = (needed(0.0), needed(0.99));
        println!("{}: {plain} iterations of Jacobi, {accelerated} with Chebyshev", backend.name);
        assert!(4 * accelerated <= plain, "{}: {accelerated} against {plain}", backend.name);
    }
}

/// The tip of a chain of hinges clamped at its first two columns under the weights of its columns: each hinge turns by
/// M h/(B b), b being the width.
fn beam_tip(weights: &[f64], spacing: f64, bending: f64, width: f64) -> f64 {
    let last = weights.len() - 1;
    (1..last)
        .map(|j| {
            let arm = |k: usize| (k - j) as f64 * spacing;
            let moment: f64 = (j + 1..=last).map(|k| weights[k] * arm(k)).sum();
            moment * spacing / (bending * width) * arm(last)
        })
        .sum()
}

#[test]
fn a_cantilever_bends_as_a_beam() {
    /// Against the chain of hinges: deflections of 5 % of the length shorten the arms by 0.3 %, a substep is converged
    /// to about 1 %, and the start is 20 % away from the answer and seven time constants ago.
    const TOLERANCE: f64 = 0.02;
    /// Between the chain and the continuous beam of the length that is free, from the middle between the clamped
    /// columns: second order in 1/10.
    const BEAM_TOLERANCE: f64 = 0.02;
    let (size, cells, stiffness) = ([0.2, 0.04], [10u32, 2u32], 0.04);
    let spacing = size[0] / f64::from(cells[0]);
    let row = cells[0] as usize + 1;
    let free = size[0] - 0.5 * spacing;
    for bending in [Bending::Dihedral, Bending::Isometric] {
        for (backend, solver, name) in backends_and_solvers() {
            let clamped = (0..=cells[1]).flat_map(|j| [j * row as u32, j * row as u32 + 1]).collect();
            let scene = Scene {
                solver,
                substeps: 80,
                iterations: if solver == SolverKind::Jacobi { 8 } else { 3 },
                damping: 80.0,
                cloth: vec![Cloth {
                    shape: ClothShape::Grid { size, cells },
                    rotation: DVec3::new(-90.0, 0.0, 0.0),
                    density: DENSITY,
                    bending,
                    bending_stiffness: stiffness,
                    pin: vec![hold(clamped)],
                    ..Default::default()
                }],
                ..Default::default()
            };
            let mut model = Model::new(&scene).unwrap();
            let masses = model.order.undo(&model.particles.masses);
            let weights: Vec<f64> =
                (0..row).map(|i| (i..masses.len()).step_by(row).map(|p| G * masses[p]).sum()).collect();
            let tip = beam_tip(&weights, spacing, stiffness, size[1]);
            let beam = DENSITY * G * free.powi(4) / (8.0 * stiffness);
            assert_close(tip, beam, BEAM_TOLERANCE, "the chain of hinges and the beam");
            // Starts bent to the shape of a loaded cantilever, too far by a fifth.
            for (x, w) in model.particles.positions.iter_mut().zip(&model.particles.inverse_masses) {
                let s = ((x.x + 0.5 * size[0] - 0.5 * spacing) / free).max(0.0);
                if *w > 0.0 {
                    x.y -= 1.2 * tip * s * s * (6.0 - 4.0 * s + s * s) / 3.0;
                }
            }
            let mut simulation = backend.simulate_model(model);
            simulation.advance(11).unwrap();
            let x = simulation.positions().unwrap();
            let measured = -(0..=cells[1] as usize).map(|j| x[j * row + row - 1].y).sum::<f64>() / 3.0;
            assert_close(measured, tip, TOLERANCE, &format!("{name}, {bending:?}: tip"));
        }
    }
}

/// The bending energy of a sheet laid on a cylinder of curvature κ, over ½ B κ² times its area.
fn cylinder_energy(shape: ClothShape, bending: Bending, curvature: f64, area: f64) -> f64 {
    let stiffness = 0.01;
    let cloth = Cloth { shape, bending, bending_stiffness: stiffness, ..Default::default() };
    let mut model = Model::new(&Scene { cloth: vec![cloth], ..Scene::default() }).unwrap();
    model.elements[0].links.clear();
    let roll = |x: &DVec3| {
        let angle = x.x * curvature;
        DVec3::new(angle.sin() / curvature, x.y, (1.0 - angle.cos()) / curvature)
    };
    let x: Vec<DVec3> = model.particles.positions.iter().map(roll).collect();
    let v = vec![DVec3::ZERO; x.len()];
    measure(&model, &x, &v).elastic_energy / (0.5 * stiffness * curvature * curvature * area)
}

#[test]
fn a_sheet_on_a_cylinder_stores_half_the_stiffness_times_curvature_squared() {
    /// Folds of 0.05 rad: an angle is its chord to (κh)²/12.
    const GRID_TOLERANCE: f64 = 1e-3;
    /// The disc's triangles are not all alike; its rim has no hinges, which costs a share in proportion to their size.
    const DISC_TOLERANCE: f64 = 0.03;
    for bending in [Bending::Dihedral, Bending::Isometric] {
        let grid = |cells: u32| ClothShape::Grid { size: [1.0, 1.0], cells: [cells, cells] };
        let energy = cylinder_energy(grid(20), bending, 1.0, 1.0);
        // Twenty columns of cells have nineteen lines of hinges between them.
        assert_close(energy, 19.0 / 20.0, GRID_TOLERANCE, &format!("{bending:?}, grid"));
        let disc = |rings| {
            cylinder_energy(
                ClothShape::Disc { radius: 0.5, rings },
                bending,
                1.0,
                std::f64::consts::PI * 0.25,
            )
        };
        let [coarse, fine] = [10, 20].map(disc);
        println!("{bending:?}, disc: {coarse:.4} with 10 rings, {fine:.4} with 20");
        assert_close(2.0 * fine - coarse, 1.0, DISC_TOLERANCE, &format!("{bending:?}, disc of many rings"));
    }
}
