//! Tetrahedra as constraints: gradients, moduli, rest.

use super::{E, assert_close, backends, cuboid, scene, simulate};
use glam::{DMat3, DVec3};
use sinew::math::Vec3;
use sinew::model::elements::Tet;
use sinew::scene::{
    ConjugateGradients, Integrator, Load, Pin, Scene, Selector, Solid, SolidModel, SolverKind,
};
use sinew::solids::elasticity::Rest;
use sinew::solids::tet_position::Shape;

/// With masses of nothing in the way (w → 0), λ = −C/α̃ and the pulls are the energy's slopes times −dt².
#[test]
fn the_pulls_of_a_free_constraint_are_the_slopes_of_its_energy() {
    let rest = [DVec3::ZERO, DVec3::X, DVec3::new(0.1, 0.9, 0.0), DVec3::new(0.2, 0.1, 0.8)];
    let tet = Tet::new([0, 1, 2, 3], rest, 0);
    let (lambda, mu) = (3.0, 1.5);
    let x = [
        DVec3::new(0.1, 0.0, 0.2),
        DVec3::new(1.2, 0.1, 0.0),
        DVec3::new(0.0, 0.8, 0.1),
        DVec3::new(0.3, 0.2, 1.1),
    ];
    let energy = |x: [DVec3; 4]| {
        let f: DMat3 = tet.deformation(x);
        let square: f64 = f.to_cols_array().iter().map(|x| x * x).sum();
        tet.rest_volume * (0.5 * lambda * (f.determinant() - 1.0 - mu / lambda).powi(2) + 0.5 * mu * square)
    };
    let shape = Shape {
        rest: Rest { g: tet.gradients.map(|g| Vec3::of(g.to_array())), volume: 1.0 },
        tilde: [1.0 / (lambda * tet.rest_volume), 1.0 / (mu * tet.rest_volume)],
        goal: 1.0 + mu / lambda,
        weights: [1e-12; 4],
    };
    let f = shape.rest.gradient([1, 2, 3].map(|c| Vec3::of((x[c] - x[0]).to_array())));
    let (_, pulls) = shape.solve(f, f, [0.0; 2], 1e-12);
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

/// Hanging from its top, a soft block gets longer by ρ g L²/2E in the middle, whether by forces or by constraints.
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
    let sags = SolidModel::NAMES.map(|(_, model)| sag(model));
    println!("sags {sags:?}, ρ g L²/2E = {:.4}", 1000.0 * 9.81 / 2e5);
    for sag in sags {
        assert_close("sag", sag, 1000.0 * 9.81 / 2e5, 0.06);
    }
}
