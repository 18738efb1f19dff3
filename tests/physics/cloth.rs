//! Cloth against membrane and beam theory.

use crate::common::*;
use glam::DVec3;
use sinew::measure::measure;
use sinew::meshing::generate;
use sinew::model::Model;
use sinew::scene::{
    Bending, Cloth, ClothShape, Edge, Pin, Scene, Selector, SolverKind, Tethers, TriangleMesh, motion,
};

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
    /// What iterations leave open (Jacobi shares each mass among four links or eight) and 12 time constants: 0.3 %.
    const TOLERANCE: f64 = 0.005;
    /// With diagonals the pinned edge cannot contract, over about a width of 0.2 m.
    const SHEAR_TOLERANCE: f64 = 0.02;
    for (backend, solver, name) in backends_and_solvers() {
        // Per area the diagonals store ½ G (εx + εy)², so a strip free to contract sideways is stiffer by
        // (Y + 2G)/(Y + G).
        for (shear, tolerance) in [(0.0, TOLERANCE), (20.0, SHEAR_TOLERANCE)] {
            let stiffness = STRETCH * (STRETCH + 2.0 * shear) / (STRETCH + shear);
            let iterations = if solver == SolverKind::Jacobi { 12 } else { 4 };
            let mut simulation = backend.simulate(&settling(solver, iterations, strip(shear)));
            simulation.advance(SETTLING_STEPS).unwrap();
            let measured = elongation(&simulation.positions().unwrap());
            let expected = DENSITY * G * HEIGHT * HEIGHT / (2.0 * stiffness);
            assert_close(measured, expected, tolerance, &format!("{name}, shear stiffness {shear}"));
        }
    }
}

/// The largest distance of a particle from the pin above it, over that at rest.
fn largest_stretch(backend: &TestBackend, solver: SolverKind, tethers: Option<Tethers>) -> f64 {
    let cloth = Cloth { stretch_stiffness: 20.0, tethers, ..strip(0.0) };
    let mut simulation = backend.simulate(&settling(solver, 4, cloth));
    simulation.advance(SETTLING_STEPS).unwrap();
    let x = simulation.positions().unwrap();
    let (row, rows) = (CELLS[0] as usize + 1, CELLS[1] as usize);
    let below = (0..rows).flat_map(|j| (0..row).map(move |i| (i, j)));
    let stretch = |(i, j): (usize, usize)| {
        x[rows * row + i].distance(x[j * row + i]) / (HEIGHT * (rows - j) as f64 / rows as f64)
    };
    below.map(stretch).fold(0.0, f64::max)
}

fn check_tethers(solver: SolverKind) {
    /// A tether is rigid, but solved with the links that pull at it: what the iterations leave open.
    const OPEN: f64 = 1e-4;
    let slack = 1.02;
    for backend in backends() {
        let without = largest_stretch(&backend, solver, None);
        assert!(without > slack + 0.01, "{}: without tethers it stretches to {without}", backend.name);
        let with = largest_stretch(&backend, solver, Some(Tethers { slack, ..Tethers::default() }));
        assert_below(with, slack + OPEN, &format!("{}, {solver:?}: largest stretch", backend.name));
    }
}

#[test]
fn tethers_limit_the_distance_from_the_pins() {
    check_tethers(SolverKind::Jacobi);
}

#[test]
fn tethers_of_the_coloured_solver_limit_the_distance_from_the_pins() {
    check_tethers(SolverKind::Coloured);
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

/// The cantilever: length and width [m], cells, bending stiffness B [N m].
const BEAM_SIZE: [f64; 2] = [0.2, 0.04];
const BEAM_CELLS: [u32; 2] = [10, 2];
const BEAM_STIFFNESS: f64 = 0.04;
const BEAM_ROW: usize = BEAM_CELLS[0] as usize + 1;

/// Deflections under their own weight of the particles of a sheet of linear hinges, clamped at its first two columns.
///
/// Each edge between two triangles stores ½ k |e|²/(A₁+A₂) θ², with θ the jump of slope across it, k = 4/3 B along the grid and
/// 2/3 B on diagonals: the statics of the same sheet by other means, assembled and eliminated.
fn hinge_sheet(mesh: &TriangleMesh, masses: &[f64]) -> Vec<f64> {
    let x = &mesh.positions;
    let count = x.len();
    let mut stiffness = vec![vec![0.0; count]; count];
    for edge in mesh.edges().unwrap() {
        let (first, Some(second)) = edge.opposite else { continue };
        let [u, v] = edge.ends.map(|p| p as usize);
        let e = x[v] - x[u];
        let mut jump = vec![0.0; count];
        let mut area = 0.0;
        for apex in [first, second].map(|p| p as usize) {
            let twice = e.cross(x[apex] - x[u]).length();
            let (height, foot) = (twice / e.length(), (x[apex] - x[u]).dot(e) / e.length_squared());
            jump[apex] += 1.0 / height;
            jump[u] -= (1.0 - foot) / height;
            jump[v] -= foot / height;
            area += 0.5 * twice;
        }
        let is_diagonal = e.x.abs() > 1e-9 && e.y.abs() > 1e-9;
        let factor = if is_diagonal { 2.0 / 3.0 } else { 4.0 / 3.0 };
        let scale = factor * BEAM_STIFFNESS * e.length_squared() / area;
        for (row, a) in stiffness.iter_mut().zip(&jump) {
            row.iter_mut().zip(&jump).for_each(|(k, b)| *k += scale * a * b);
        }
    }
    let clamped = |p: usize| p % BEAM_ROW < 2;
    let mut load: Vec<f64> = masses.iter().map(|m| m * G).collect();
    for p in (0..count).filter(|&p| clamped(p)) {
        stiffness[p].fill(0.0);
        stiffness.iter_mut().for_each(|row| row[p] = 0.0);
        (stiffness[p][p], load[p]) = (1.0, 0.0);
    }
    // Gauss-Jordan; a stiffness matrix needs no pivoting.
    for k in 0..count {
        let (pivot_row, pivot_load) = (stiffness[k].clone(), load[k]);
        for i in (0..count).filter(|&i| i != k) {
            let factor = stiffness[i][k] / pivot_row[k];
            stiffness[i].iter_mut().zip(&pivot_row).for_each(|(a, b)| *a -= factor * b);
            load[i] -= factor * pivot_load;
        }
    }
    (0..count).map(|k| load[k] / stiffness[k][k]).collect()
}

fn tip(deflections: impl Fn(usize) -> f64) -> f64 {
    let rows = BEAM_CELLS[1] as usize + 1;
    (0..rows).map(|j| deflections(j * BEAM_ROW + BEAM_ROW - 1)).sum::<f64>() / rows as f64
}

/// A sheet of hinges is a plate with Poisson's ratio −1/3: a wide strip sags as a beam of the same B, and one that is free to curl
/// across 9/8 of that. This strip has only two cells across, which leave it little room to curl.
#[test]
fn a_cantilever_sags_as_its_hinges_do_and_as_a_plate_does() {
    /// Against the sheet of linear hinges: deflections of 5 % of the length shorten the arms by 0.3 %; the start is 20 %
    /// away from the answer and seven time constants ago, 0.2 %; a substep is converged to 0.1 %.
    const TOLERANCE: f64 = 0.01;
    /// The sheet of hinges over the beam, with 10 × 2 cells.
    const HINGES_OVER_BEAM: f64 = 0.969;
    let spacing = BEAM_SIZE[0] / f64::from(BEAM_CELLS[0]);
    // The beam is free from the middle between its clamped columns.
    let free = BEAM_SIZE[0] - 0.5 * spacing;
    let beam = DENSITY * G * free.powi(4) / (8.0 * BEAM_STIFFNESS);
    for bending in [Bending::Dihedral, Bending::Isometric] {
        for (backend, solver, name) in backends_and_solvers() {
            let clamped =
                (0..=BEAM_CELLS[1]).flat_map(|j| [j * BEAM_ROW as u32, j * BEAM_ROW as u32 + 1]).collect();
            let scene = Scene {
                solver,
                substeps: 80,
                // Jacobi shares a particle's mass among some twenty constraints and needs as many times longer.
                iterations: if solver == SolverKind::Jacobi { 60 } else { 3 },
                // Critical: ω = 3.5 √(B/σ)/L² = 39/s.
                damping: 80.0,
                cloth: vec![Cloth {
                    shape: ClothShape::Grid { size: BEAM_SIZE, cells: BEAM_CELLS },
                    rotation: DVec3::new(-90.0, 0.0, 0.0),
                    density: DENSITY,
                    bending,
                    bending_stiffness: BEAM_STIFFNESS,
                    pin: vec![hold(clamped)],
                    ..Default::default()
                }],
                ..Default::default()
            };
            let mut model = Model::new(&scene).unwrap();
            let masses = model.order.undo(&model.particles.masses);
            let deflections = hinge_sheet(&generate::grid(BEAM_SIZE, BEAM_CELLS), &masses);
            let expected = tip(|p| deflections[p]);
            assert_close(expected / beam, HINGES_OVER_BEAM, 0.005, "sag of the hinges over that of a beam");
            for (new, x) in model.particles.positions.iter_mut().enumerate() {
                x.y -= 1.2 * deflections[model.order.old_of_new[new] as usize];
            }
            let mut simulation = backend.simulate_model(model);
            simulation.advance(11).unwrap();
            let x = simulation.positions().unwrap();
            assert_close(tip(|p| -x[p].y), expected, TOLERANCE, &format!("{name}, {bending:?}: tip"));
        }
    }
}

/// The bending energy of a sheet laid on a cylinder of curvature 1/m, over ½ B κ² times its area.
fn cylinder_energy(shape: ClothShape, bending: Bending) -> f64 {
    let (stiffness, density) = (0.01, 0.3);
    let cloth = Cloth { shape, bending, density, bending_stiffness: stiffness, ..Default::default() };
    let mut model = Model::new(&Scene { cloth: vec![cloth], ..Scene::default() }).unwrap();
    model.elements[0].links.clear();
    let roll = |x: &DVec3| DVec3::new(x.x.sin(), x.y, 1.0 - x.x.cos());
    let x: Vec<DVec3> = model.particles.positions.iter().map(roll).collect();
    let v = vec![DVec3::ZERO; x.len()];
    let area = model.particles.masses.iter().sum::<f64>() / density;
    measure(&model, &x, &v, &model.particles.inverse_masses).elastic_energy / (0.5 * stiffness * area)
}

/// A parallelogram of equilateral triangles, `cells` along each side of 1 m, turned by `turn` degrees.
fn equilateral(cells: u32, turn: f64) -> ClothShape {
    let side = 1.0 / f64::from(cells);
    let rotation = motion::rotation(DVec3::Z * turn);
    let at = |i: u32, j: u32| j * (cells + 1) + i;
    let nodes = (0..=cells).flat_map(|j| (0..=cells).map(move |i| (f64::from(i), f64::from(j))));
    let positions =
        nodes.map(|(i, j)| rotation * (side * DVec3::new(i + 0.5 * j, 0.75f64.sqrt() * j, 0.0))).collect();
    let quads = (0..cells).flat_map(|j| (0..cells).map(move |i| (i, j)));
    let triangles = quads.flat_map(|(i, j)| {
        [[at(i, j), at(i + 1, j), at(i, j + 1)], [at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]]
    });
    ClothShape::Triangles(TriangleMesh { positions, triangles: triangles.collect(), ..Default::default() })
}

#[test]
fn a_sheet_on_a_cylinder_stores_half_the_stiffness_times_curvature_squared() {
    /// Folds of 0.05 rad: an angle is its sine to (κh)²/6.
    const TOLERANCE: f64 = 1e-3;
    /// A border has no hinges; what that costs is in proportion to the triangles' size, and to the square of it.
    const BORDER_TOLERANCE: f64 = 0.005;
    /// A disc's triangles are far from equilateral in places, and there hinges are too stiff.
    const DISC_EXCESS: f64 = 0.16;
    for bending in [Bending::Dihedral, Bending::Isometric] {
        let grid = ClothShape::Grid { size: [1.0, 1.0], cells: [20, 20] };
        // Twenty columns of cells have nineteen lines of hinges between them. All particles on the cylinder are not at rest there:
        // every other one comes off it by κh²/16, which releases a quarter of this energy and leaves ½ B κ².
        assert_close(
            cylinder_energy(grid, bending),
            4.0 / 3.0 * 19.0 / 20.0,
            TOLERANCE,
            &format!("{bending:?}, grid"),
        );
        for turn in [0.0, 20.0, 30.0] {
            let [coarse, fine] = [20, 40].map(|cells| cylinder_energy(equilateral(cells, turn), bending));
            let name = format!("{bending:?}, equilateral triangles turned by {turn}°");
            assert_close(2.0 * fine - coarse, 1.0, BORDER_TOLERANCE, &name);
        }
        let disc = cylinder_energy(ClothShape::Disc { radius: 0.5, rings: 20 }, bending);
        assert_near(disc, 1.0, DISC_EXCESS, &format!("{bending:?}, disc"));
    }
}
