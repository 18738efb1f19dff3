//! Tetrahedra as constraints: gradients, moduli, rest.

use super::{E, Random, assert_close, backends, cuboid, scene, simulate};
use glam::{DMat3, DVec3};
use sinew::math::{Mat3, Vec3};
use sinew::model::elements::Tet;
use sinew::scene::{
    ConjugateGradients, Integrator, Load, Pin, Scene, Selector, Solid, SolidMaterial, SolidModel, SolverKind,
};
use sinew::solids::elasticity::Rest;
use sinew::solids::tet_position::{POSITION_CRUSHED, Shape};

const LAMBDA: f64 = 3.0;
const MU: f64 = 1.5;
const REST: [DVec3; 4] = [DVec3::ZERO, DVec3::X, DVec3::new(0.1, 0.9, 0.0), DVec3::new(0.2, 0.1, 0.8)];

fn element(tet: &Tet, weights: [f64; 4]) -> Shape<f64> {
    Shape {
        rest: Rest { g: tet.gradients.map(|g| Vec3::of(g.to_array())), volume: 1.0 },
        stiffness: [LAMBDA * tet.rest_volume, MU * tet.rest_volume],
        weights,
    }
}

fn mat(m: DMat3) -> Mat3<f64> {
    let [x, y, z] = m.to_cols_array_2d().map(Vec3::of);
    Mat3::new(x, y, z)
}

/// With masses of nothing in the way (w → 0), Λ = −V dt² P and the pulls are the energy's slopes times −dt².
#[test]
fn the_pulls_of_a_free_constraint_are_the_slopes_of_its_energy() {
    let tet = Tet::new([0, 1, 2, 3], REST, 0);
    let stretched = [
        DVec3::new(0.1, 0.0, 0.2),
        DVec3::new(1.2, 0.1, 0.0),
        DVec3::new(0.0, 0.8, 0.1),
        DVec3::new(0.3, 0.2, 1.1),
    ];
    let energy = |x: [DVec3; 4]| {
        let f: DMat3 = tet.deformation(x);
        let square: f64 = f.to_cols_array().iter().map(|x| x * x).sum();
        let square = if square < POSITION_CRUSHED {
            0.5 * (square * square / POSITION_CRUSHED + POSITION_CRUSHED)
        } else {
            square
        };
        tet.rest_volume * (0.5 * LAMBDA * (f.determinant() - 1.0 - MU / LAMBDA).powi(2) + 0.5 * MU * square)
    };
    let shape = element(&tet, [1e-12; 4]);
    for x in [stretched, stretched.map(|x| 0.4 * x)] {
        let pulls = shape.rest.corners(shape.solve(mat(tet.deformation(x)), Mat3::ZERO));
        for (corner, pull) in pulls.iter().enumerate() {
            for axis in 0..3 {
                let moved = |size: f64| {
                    let mut x = x;
                    x[corner][axis] += size;
                    energy(x)
                };
                let slope = (moved(1e-6) - moved(-1e-6)) / 2e-6;
                let found = -[pull.x, pull.y, pull.z][axis];
                assert!((found - slope).abs() < 1e-7, "{found} {slope}");
            }
        }
    }
}

/// μ dF:dF + p dF:dH ≤ s dF:dF for every F and dF, and s is no more than a fifth too much at rest.
#[test]
fn the_bound_of_the_stiffness_is_one() {
    let mut random = Random::new(17);
    let tet = Tet::new([0, 1, 2, 3], REST, 0);
    let shape = element(&tet, [1.0; 4]);
    let [volume, mu] = shape.stiffness;
    let mut largest: f64 = 0.0;
    for k in 0..20_000 {
        let matrix =
            |random: &mut Random| DMat3::from_cols(random.vector(), random.vector(), random.vector());
        let f = DMat3::IDENTITY * f64::from(k % 4 - 1) + matrix(&mut random) * 1.5;
        let d = matrix(&mut random);
        let (e, change) = (1e-4, f.determinant() - 1.0);
        let slope = (mat(f + d * e).cofactors() - mat(f - d * e).cofactors()).scale(0.5 / e);
        // t F changes by t dF + 2 (F:dF) F/I₀ where F is crushed.
        let (square, along) = (mat(f).dot(mat(f)), mat(f).dot(mat(d)));
        let own = if square < POSITION_CRUSHED {
            (square + 2.0 * along * along / mat(d).dot(mat(d))) / POSITION_CRUSHED
        } else {
            1.0
        };
        let curvature = mu * own + (volume * change - mu) * slope.dot(mat(d)) / mat(d).dot(mat(d));
        largest = largest.max(curvature / shape.bound(mat(f), change));
    }
    assert!((0.8..1.0 + 1e-6).contains(&largest), "{largest} of the bound");
    let at_rest = shape.bound(Mat3::IDENTITY, 0.0) / (2.0 * mu);
    assert!((1.0..1.2).contains(&at_rest), "{at_rest}");
}

/// Steps far longer than explicit ones may be (1/ω is near 0.4 ms here) leave a stiff beam in its wall. Converged, it sags by w L⁴/8EI = 18 mm, less
/// what few cells across are too stiff; too few iterations are softer, by no more than a factor.
#[test]
fn a_beam_of_constraints_bears_long_steps() {
    for (solver, substeps, iterations, most) in [
        (SolverKind::Coloured, 4, 10, 0.03),
        (SolverKind::Coloured, 8, 10, 0.018),
        (SolverKind::Coloured, 4, 1, 0.06),
        (SolverKind::Jacobi, 4, 10, 0.12),
    ] {
        let solid = Solid {
            shape: cuboid([0.48, 0.12, 0.12], [8, 2, 2]),
            material: SolidMaterial { youngs_modulus: 3e6, ..SolidMaterial::default() },
            model: SolidModel::Position,
            pin: vec![Pin { selector: plane(-0.24), ..Pin::default() }],
            ..Solid::default()
        };
        let scene = Scene { substeps, iterations, solver, ..scene(solid) };
        for (name, options) in backends() {
            let mut simulation = simulate(&scene, &options);
            simulation.advance(20).unwrap();
            let sag = -0.06 - simulation.measure().unwrap().lowest;
            let what = format!("{solver:?} {substeps}x{iterations} {name}: sag {sag:.4} m");
            println!("{what}");
            assert!((0.012..most).contains(&sag), "{what}");
        }
    }
}

fn plane(at: f64) -> Selector {
    let infinite = f64::INFINITY;
    Selector::Box {
        min: DVec3::new(at - 1e-6, -infinite, -infinite),
        max: DVec3::new(at + 1e-6, infinite, infinite),
    }
}

/// A bar between two tractions settles at the strain of Hooke's law whatever the model, on every backend.
#[test]
fn pulled_bars_of_constraints_have_their_modulus() {
    for model in [SolidModel::Position, SolidModel::Strain] {
        for solver in [SolverKind::Coloured, SolverKind::Jacobi] {
            for (name, options) in backends() {
                let pull = DVec3::X * 0.2;
                let solid = Solid {
                    shape: cuboid([0.4, 0.1, 0.1], [4, 1, 1]),
                    model,
                    load: vec![
                        Load { selector: plane(0.2), force: pull },
                        Load { selector: plane(-0.2), force: -pull },
                    ],
                    ..Solid::default()
                };
                let scene = Scene {
                    gravity: DVec3::ZERO,
                    damping: 30.0,
                    substeps: 8,
                    iterations: 20,
                    solver,
                    conjugate_gradients: ConjugateGradients { iterations: 2, tolerance: 1e-6 },
                    integrator: Integrator::Symplectic,
                    ..scene(solid)
                };
                let mut simulation = simulate(&scene, &options);
                let rest = simulation.positions().unwrap();
                simulation.advance(40).unwrap();
                let now = simulation.positions().unwrap();
                let mean = |at: f64| {
                    let chosen: Vec<f64> = rest
                        .iter()
                        .zip(&now)
                        .filter(|(x, _)| (x.x - at).abs() < 1e-6)
                        .map(|(x, y)| y.x - x.x)
                        .collect();
                    chosen.iter().sum::<f64>() / chosen.len() as f64
                };
                let strain = (mean(0.2) - mean(-0.2)) / 0.4;
                assert_close(&format!("{model:?} {solver:?} {name}: E"), 20.0 / strain, E, 2e-3);
            }
        }
    }
}

/// A block at rest stays at rest with a single iteration: volume and shape are solved together.
#[test]
fn a_block_of_constraints_at_rest_stays_there() {
    for model in [SolidModel::Position, SolidModel::Strain] {
        let scene = Scene { gravity: DVec3::ZERO, ..scene(Solid { model, ..Solid::default() }) };
        for (name, options) in backends() {
            let mut simulation = simulate(&scene, &options);
            simulation.advance(60).unwrap();
            let speed = simulation.measure().unwrap().max_speed;
            assert!(speed < 1e-4, "{model:?} {name}: {speed} m/s");
        }
    }
}

/// Hanging from its top, a soft block gets longer by ρ g L²/2E in the middle, whether by forces or by constraints; of springs with the E
/// of their lattice.
#[test]
fn hanging_blocks_agree_whatever_the_model() {
    let sag = |model: SolidModel| {
        let top = Selector::Box {
            min: DVec3::new(f64::NEG_INFINITY, 0.499, f64::NEG_INFINITY),
            max: DVec3::INFINITY,
        };
        let solid = Solid {
            shape: cuboid([0.25, 1.0, 0.25], [2, 8, 2]),
            model,
            pin: vec![Pin { selector: top, ..Pin::default() }],
            ..Solid::default()
        };
        let scene = Scene { damping: 5.0, substeps: 10, iterations: 20, ..scene(solid) };
        let mut simulation = simulate(&scene, &backends()[1].1);
        simulation.advance(120).unwrap();
        -0.5 - simulation.measure().unwrap().lowest
    };
    for (name, model) in SolidModel::NAMES {
        // Springs have the modulus of their cubic lattice, C₁₁ − 2 C₁₂²/(C₁₁ + C₁₂) = 1.21 E.
        let young = if model == SolidModel::Springs { 120_968.0 } else { 1e5 };
        assert_close(&format!("{name}: sag"), sag(model), 1000.0 * 9.81 / (2.0 * young), 0.06);
    }
}
