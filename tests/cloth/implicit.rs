//! Implicit integration of finite-element sheets: answers on paper, the solver, and both backends.

use crate::sheet::{PLACES, Place, crumple, deform, forces, gather, lively, parity, pin, scene};
use glam::DVec3;
use sinew::cloth::green;
use sinew::compute::{Data, Run};
use sinew::integrate::cg_block;
use sinew::math::{Vec3, Vec4};
use sinew::model::Model;
use sinew::scene::{ClothShape, ConjugateGradients, Fabric, Integrator, Preconditioner, Scene, TriangleMesh};
use sinew::solver::Solver;
use sinew::{Options, Precision, Simulation};

/// As good as f64 gets.
const EXACT: ConjugateGradients = ConjugateGradients { iterations: 30, tolerance: 1e-13 };

/// One triangle held at its base, whose apex swings along the warp: (the scene, the apex's mass, its ω² dt²).
///
/// K = A a₂₂/H² and m = ρA/3, so ω² = 3 a₂₂/(ρ H²).
fn oscillator(integrator: Integrator, dt_omega: f64, damping: f64) -> Scene {
    const HEIGHT: f64 = 0.5;
    const DENSITY: f64 = 0.3;
    let dt = 0.01;
    let warp_modulus = (dt_omega / dt).powi(2) * DENSITY * HEIGHT * HEIGHT / 3.0;
    // D = A (λ + 2μ)/H², D/m = 3 (λ + 2μ)/(ρ H²).
    let shear_viscosity = 0.5 * damping * DENSITY * HEIGHT * HEIGHT / 3.0;
    let fabric = Fabric { warp_modulus, shear_viscosity, ..Fabric::default() };
    let mut scene = scene([1.0, 1.0], [1, 1], fabric, dt);
    let positions = vec![DVec3::ZERO, DVec3::X, DVec3::new(0.5, HEIGHT, 0.0)];
    scene.cloth[0].shape = ClothShape::Triangles(TriangleMesh {
        positions,
        triangles: vec![[0, 1, 2]],
        texture_coordinates: None,
    });
    scene.cloth[0].density = DENSITY;
    scene.cloth[0].pin = vec![pin(vec![0, 1])];
    scene.integrator = integrator;
    scene.conjugate_gradients = EXACT;
    scene
}

/// The amplitude after 100 steps of ω dt = 0.2, relative to that of the start.
fn amplitude(integrator: Integrator, place: Place) -> f64 {
    let mut model = Model::new(&oscillator(integrator, 0.2, 0.0)).unwrap();
    let apex = model.order.new_of_old[2] as usize;
    let rest = model.particles.positions[apex];
    // Small, so that the law is linear, but not so small that f32 rounds much of it.
    let swing = place.within(1e-5, 1e-4);
    model.particles.positions[apex].y += swing;
    let omega = 0.2 / model.settings.time_step;
    let mut simulation = Simulation::from_model(model, &place.options()).unwrap();
    simulation.advance(100).unwrap();
    let x = simulation.model_positions().unwrap()[apex] - rest;
    let v = simulation.model_velocities().unwrap()[apex];
    x.y.hypot(v.y / omega) / swing
}

/// (1 + 0.2²)^±50, and exactly one.
#[test]
fn an_oscillation_decays_grows_or_stays_as_the_integrator_says_on_paper() {
    for place in PLACES {
        for (integrator, expected) in
            [(Integrator::Implicit, 0.1407), (Integrator::Explicit, 7.1067), (Integrator::Midpoint, 1.0)]
        {
            let found = amplitude(integrator, place);
            println!("{place:?}: after 100 steps of ω dt = 0.2 with {integrator:?} {found:.5}");
            assert!(
                (found - expected).abs() < 1e-3 * expected.max(1.0),
                "{place:?}, {integrator:?}: {found}"
            );
        }
        // Symplectic Euler: x² + (v/ω)² − ω dt x v/ω is what stays, so that the amplitude swings by a tenth at most.
        let found = amplitude(Integrator::Symplectic, place);
        assert!((found - 1.0).abs() < 0.11, "{place:?}: {found}");
    }
}

/// A sheet that falls freely has g t, and has fallen by what the integrator makes of ½ g t².
#[test]
fn every_integrator_lets_a_sheet_fall() {
    const STEPS: u32 = 50;
    let dt = 1e-3;
    for (integrator, lag) in [
        (Integrator::Symplectic, 0.5),
        (Integrator::Implicit, 0.5),
        (Integrator::Midpoint, 0.0),
        (Integrator::Explicit, -0.5),
    ] {
        let mut scene = scene([0.2, 0.2], [2, 2], Fabric::default(), dt);
        scene.gravity = DVec3::new(0.0, 0.0, -9.81);
        scene.integrator = integrator;
        let mut simulation = Simulation::new(&scene, &Options::cpu(Precision::F64)).unwrap();
        simulation.advance(STEPS).unwrap();
        let (t, n) = (dt * f64::from(STEPS), f64::from(STEPS));
        for (x, v) in simulation.positions().unwrap().iter().zip(simulation.model_velocities().unwrap()) {
            assert!((v.z + 9.81 * t).abs() < 1e-9, "{integrator:?}: {v}");
            let fallen = 9.81 * dt * dt * n * (0.5 * n + lag);
            assert!((x.z + fallen).abs() < 1e-9, "{integrator:?}: {x} and {fallen}");
        }
    }
}

#[test]
fn viscous_drag_of_one_over_the_step_halves_the_velocity() {
    let mut model = Model::new(&oscillator(Integrator::Implicit, 1e-6, 100.0)).unwrap();
    let apex = model.order.new_of_old[2] as usize;
    model.particles.velocities = vec![DVec3::ZERO; 3];
    model.particles.velocities[apex] = DVec3::new(0.0, 1e-4, 0.0);
    for place in PLACES {
        let mut simulation = Simulation::from_model(model.clone(), &place.options()).unwrap();
        simulation.advance(1).unwrap();
        let v = simulation.model_velocities().unwrap()[apex];
        println!("{place:?}: {:.9} of the velocity is left", v.y / 1e-4);
        assert!((v.y / 1e-4 - 0.5).abs() < 1e-6, "{place:?}: {v}");
    }
}

/// K d of a crumpled sheet without hinges, from the pass that conjugate gradients use [N].
fn stiffness_times(model: &Model, place: Place, d: &[DVec3]) -> Vec<DVec3> {
    let mut model = model.clone();
    model.settings.preconditioner = Preconditioner::Jacobi;
    let solver = Solver::new(&model).unwrap();
    let mut executor = place.executor(&solver);
    let list = &solver.passes.list;
    let change = list.iter().position(|pass| pass.kernel.name == "membrane_change").unwrap();
    executor.execute(&[Run { passes: 0..change, times: 1 }]).unwrap();
    let directions = solver.buffers.find("cg_directions").unwrap();
    let values = d.iter().flat_map(|d| [d.x, d.y, d.z, 0.0]);
    executor.write(directions, &Data::Reals(values.collect())).unwrap();
    executor.execute(&[Run { passes: change..change + 1, times: 1 }]).unwrap();
    // Midpoint: τ = dt/2, and the whole stress also where it presses.
    let tau = 0.5 * model.settings.time_step;
    gather(&solver, executor.as_mut()).into_iter().map(|f| f / (tau * tau)).collect()
}

#[test]
fn the_stiffness_is_the_difference_of_forces_and_symmetric() {
    let make = |integrator: Integrator, d: &[DVec3], step: f64| {
        let mut scene = scene([0.4, 0.3], [6, 5], lively(), 2e-4);
        scene.integrator = integrator;
        scene.cloth[0].bending_stiffness = 0.0;
        let mut model = Model::new(&scene).unwrap();
        deform(&mut model, crumple);
        model.particles.positions.iter_mut().zip(d).for_each(|(x, d)| *x += step * *d);
        model
    };
    let count = 7 * 6;
    let noise = |k: usize, seed: f64| (seed * (k as f64 + 1.0)).sin();
    let way = |seed: f64| -> Vec<DVec3> {
        (0..count).map(|k| DVec3::new(noise(k, seed), noise(k, 2.1 * seed), noise(k, 3.3 * seed))).collect()
    };
    let (d, e) = (way(1.7), way(2.9));
    const STEP: f64 = 1e-6;
    let forces_at = |step: f64| forces(make(Integrator::Symplectic, &d, step));
    let differences: Vec<DVec3> =
        forces_at(STEP).iter().zip(forces_at(-STEP)).map(|(a, b)| (b - *a) / (2.0 * STEP)).collect();
    let scale = differences.iter().map(|f| f.length()).fold(0.0, f64::max);
    let model = make(Integrator::Midpoint, &d, 0.0);
    let dot = |a: &[DVec3], b: &[DVec3]| -> f64 { a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum() };
    for place in PLACES {
        let [kd, ke] = [&d, &e].map(|way| stiffness_times(&model, place, way));
        let worst = kd.iter().zip(&differences).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max) / scale;
        let (one, other) = (dot(&e, &kd), dot(&d, &ke));
        let size = dot(&d, &kd).abs();
        println!("{place:?}: {worst:.1e} off, {:.1e} unsymmetric", (one - other).abs() / size);
        assert!(worst < place.within(1e-6, 1e-4), "{place:?}: {worst}");
        assert!((one - other).abs() < place.within(1e-12, 1e-5) * size, "{place:?}: {one} and {other}");
    }
}

fn moduli() -> Vec4<f64> {
    let [a11, a22, a12, g] = lively().moduli();
    Vec4::new(a11, a22, a12, g)
}

/// A stretched and sheared triangle, so that no stress is negative.
fn taut() -> ([Vec3<f64>; 2], Vec4<f64>) {
    let f = [Vec3::of([1.3, 0.2, 0.1]), Vec3::of([0.1, 1.25, -0.3])];
    (f, Vec4::new(9.0, 2.0, -1.5, 11.0))
}

#[test]
fn the_change_of_stress_is_the_difference_of_stresses() {
    let (f, _) = taut();
    let d = [Vec3::of([0.3, -0.4, 0.5]), Vec3::of([-0.2, 0.6, 0.1])];
    let stress = |step: f64| {
        let f = [f[0] + d[0] * step, f[1] + d[1] * step];
        green::product(f, green::stress(moduli(), green::strain(f)))
    };
    const STEP: f64 = 1e-5;
    let (plus, minus) = (stress(STEP), stress(-STEP));
    let s = green::stress(moduli(), green::strain(f));
    assert_eq!(green::tension(s), s, "the triangle of this test is under tension");
    let straight = green::product(d, s);
    let turned = green::product(f, green::stress(moduli(), green::strain_change(f, d)));
    for c in 0..2 {
        let difference = (plus[c] - minus[c]) / (2.0 * STEP);
        let error = (straight[c] + turned[c] - difference).length();
        assert!(error < 1e-8 * difference.length(), "column {c}: {error}");
    }
}

#[test]
fn a_corners_block_is_its_own_part_of_the_change() {
    let (f, rest) = taut();
    let s = green::stress(moduli(), green::strain(f));
    for (corner, gradient) in green::shape_gradients(rest).into_iter().enumerate() {
        let block = green::block(rest, f, moduli(), s, gradient);
        for axis in [Vec3::of([1.0, 0.0, 0.0]), Vec3::of([0.0, 1.0, 0.0]), Vec3::of([0.0, 0.0, 1.0])] {
            // Moving one corner by d changes F by d ∇Nᵀ.
            let df = [axis * gradient[0], axis * gradient[1]];
            let straight = green::product(df, s);
            let turned = green::product(f, green::stress(moduli(), green::strain_change(f, df)));
            let change = green::corners(rest, [straight[0] + turned[0], straight[1] + turned[1]])[corner];
            let error = (cg_block::multiply(block, axis) - change).length();
            assert!(error < 1e-12 * change.length(), "corner {corner}: {error}");
        }
    }
}

#[test]
fn tension_has_the_positive_eigenvalues_and_no_others() {
    // Eigenvalues 3 and −1 about an axis at 30°.
    let (c, s) = (30f64.to_radians().cos(), 30f64.to_radians().sin());
    let matrix = [3.0 * c * c - s * s, 3.0 * s * s - c * c, 4.0 * c * s];
    let found = green::tension(matrix);
    for (found, expected) in found.into_iter().zip([3.0 * c * c, 3.0 * s * s, 3.0 * c * s]) {
        assert!((found - expected).abs() < 1e-14);
    }
    assert_eq!(green::tension([-2.0, -1.0, 0.5]), [0.0; 3]);
    assert_eq!(green::tension([0.0; 3]), [0.0; 3]);
}

#[test]
fn a_block_times_its_inverse_is_one() {
    let (diagonal, off): (Vec3<f64>, Vec3<f64>) = (Vec3::of([3.0, 4.0, 5.0]), Vec3::of([0.7, -0.4, 1.1]));
    let inverse = cg_block::inverse(diagonal, off);
    for axis in [Vec3::of([1.0, 0.0, 0.0]), Vec3::of([0.0, 1.0, 0.0]), Vec3::of([0.0, 0.0, 1.0])] {
        let back = cg_block::multiply([diagonal, off], cg_block::multiply(inverse, axis));
        assert!((back - axis).length() < 1e-14);
    }
}

/// 8.046 mm, at a step fifty times the explicit limit.
#[test]
fn a_strip_that_hangs_at_large_steps_elongates_as_on_paper() {
    let mut scene = scene([0.1, 1.0], [2, 20], Fabric::default(), 0.02);
    scene.gravity = DVec3::new(0.0, -9.81, 0.0);
    scene.damping = 2.0;
    scene.cloth[0].density = 0.5;
    scene.cloth[0].pin = vec![pin((60..63).collect())];
    scene.integrator = Integrator::Implicit;
    for options in [Options::cpu(Precision::F64), Options::gpu()] {
        let mut simulation = Simulation::new(&scene, &options).unwrap();
        simulation.advance(150).unwrap();
        let elongation = 1e3 * (-0.5 - simulation.measure().unwrap().lowest);
        let iterations = simulation.iterations().unwrap().unwrap();
        println!("{}: {elongation:.4} mm, {iterations:?}", simulation.describe());
        assert!((elongation - 8.046).abs() < 0.01 * 8.046, "{elongation} mm");
        assert!(iterations.total > 150 && iterations.most <= 50, "{iterations:?}");
    }
}

fn tumbling(integrator: Integrator) -> Model {
    let fabric =
        Fabric { shear_viscosity: 0.02, dilation_viscosity: 0.01, bending_damping: 1e-3, ..lively() };
    let dt = if integrator.solves() { 2e-3 } else { 5e-4 };
    let mut scene = scene([0.4, 0.3], [6, 5], fabric, dt);
    scene.integrator = integrator;
    scene.conjugate_gradients.iterations = 12;
    scene.cloth[0].bending_stiffness = 1e-3;
    scene.cloth[0].pin = vec![pin(vec![35])];
    scene.gravity = DVec3::new(0.0, -9.81, 0.0);
    let mut model = Model::new(&scene).unwrap();
    deform(&mut model, crumple);
    let x = &model.particles.positions;
    model.particles.velocities = x.iter().map(|x| DVec3::new(2.0, -1.0, 3.0).cross(*x)).collect();
    model
}

#[test]
fn both_backends_agree_after_every_pass_of_the_other_integrators() {
    for integrator in [Integrator::Implicit, Integrator::Midpoint, Integrator::Explicit] {
        let largest = parity(&tumbling(integrator), 2, 1e-5);
        println!("{integrator:?}: largest relative difference {largest:.1e}");
    }
}

#[test]
fn a_sheet_with_more_particles_than_a_block_of_the_reduction_agrees_too() {
    let mut scene = scene([1.0, 1.0], [80, 80], lively(), 2e-3);
    scene.integrator = Integrator::Implicit;
    scene.conjugate_gradients.iterations = 2;
    let mut model = Model::new(&scene).unwrap();
    deform(&mut model, crumple);
    parity(&model, 1, 1e-5);
}

/// A free sheet: the solver's tolerance is what linear momentum is kept to. The linearised step does not keep angular
/// momentum, so nothing is claimed of it.
#[test]
fn the_implicit_step_keeps_linear_momentum() {
    let mut model = tumbling(Integrator::Implicit);
    model.settings.gravity = DVec3::ZERO;
    model.settings.conjugate_gradients = EXACT;
    model.settings.conjugate_gradients.iterations = 120;
    model.particles.inverse_masses = model.particles.masses.iter().map(|m| 1.0 / m).collect();
    model.pins.clear();
    let mut simulation = Simulation::from_model(model, &Options::cpu(Precision::F64)).unwrap();
    let before = simulation.measure().unwrap();
    simulation.advance(50).unwrap();
    let after = simulation.measure().unwrap();
    let size = before.momentum.length();
    assert!(
        (after.momentum - before.momentum).length() < 1e-9 * size,
        "{}",
        after.momentum - before.momentum
    );
    assert!(after.kinetic_energy < before.kinetic_energy + before.elastic_energy);
}

/// Small vibrations without damping: midpoint keeps their energy over 10,000 steps, backward Euler loses it.
#[test]
fn midpoint_energy_does_not_drift_over_ten_thousand_steps() {
    let run = |place: Place, integrator: Integrator, steps: u32| {
        // What f32 resolves takes few iterations on few triangles.
        let (cells, gradients) = match place {
            Place::F64 => ([4, 3], ConjugateGradients { iterations: 40, tolerance: 1e-10 }),
            _ => ([2, 2], ConjugateGradients { iterations: 8, tolerance: 1e-6 }),
        };
        let mut scene = scene([0.4, 0.3], cells, lively(), 1e-3);
        scene.cloth[0].bending_stiffness = 1e-3;
        scene.integrator = integrator;
        scene.conjugate_gradients = gradients;
        let mut model = Model::new(&scene).unwrap();
        deform(&mut model, |x| DVec3::new(1.001 * x.x, x.y, 0.001 * (9.0 * x.x).sin()));
        let mut simulation = Simulation::from_model(model, &place.options()).unwrap();
        let energies: Vec<f64> = (0..100)
            .map(|_| {
                simulation.advance(steps / 100).unwrap();
                simulation.measure().unwrap().energy()
            })
            .collect();
        let mean = |range: &[f64]| range.iter().sum::<f64>() / range.len() as f64;
        mean(&energies[80..]) / mean(&energies[..20])
    };
    for place in PLACES {
        let midpoint = run(place, Integrator::Midpoint, 10_000);
        let euler = run(place, Integrator::Implicit, 1_000);
        println!(
            "{place:?}: energy at the end over that at the start: midpoint {midpoint:.5}, backward Euler {euler:.2e}"
        );
        assert!((midpoint - 1.0).abs() < 0.02, "{place:?}: {midpoint}");
        assert!(euler < 0.2, "{place:?}: {euler}");
    }
}

#[test]
fn solver_settings_that_cannot_be_are_refused() {
    for (text, words) in [
        ("integrator = \"implict\"", "did you mean"),
        ("conjugate_gradients = { iterations = 0 }", "`iterations` is 0"),
        ("conjugate_gradients = { tolerance = 2 }", "`tolerance` is 2"),
    ] {
        let whole = format!("format = 1\n{text}\n[[cloth]]\ngrid = {{ size = [1, 1], cells = [4, 4] }}\n");
        let error = Scene::parse(&whole, "test.toml", "").expect_err(text).to_string();
        assert!(error.contains(words), "{text}: {error}");
    }
}
