//! Rods that move: periods, energy and momentum.

use super::{assert_close, backends, run, scene};
use glam::{DQuat, DVec3};
use sinew::scene::{Hold, Rod, RodEnd, RodMaterial, RodMethod, RodRest, RodShape, Scene};
use sinew::{Options, Precision, Simulation};

/// A stiff rod on a pin swings with 2π √(2L/3g), and slower by 0.375 (l/L)² for the inertia of its frames.
#[test]
fn a_stiff_rod_swings_with_the_period_of_a_rigid_one() {
    let tilt = 0.05f64;
    let rod = Rod {
        shape: RodShape::Line {
            from: DVec3::ZERO,
            to: DVec3::new(tilt.sin(), -tilt.cos(), 0.0),
            segments: 20,
        },
        material: RodMaterial { radius: 0.005, ..RodMaterial::STEEL_WIRE },
        start: RodEnd { hold: Hold::Pinned, ..RodEnd::default() },
        ..Rod::default()
    };
    let scene = Scene { time_step: 1e-3, substeps: 1, ..scene(rod) };
    let rigid = std::f64::consts::TAU * (2.0f64 / (3.0 * 9.81)).sqrt() * (1.0 + tilt * tilt / 16.0);
    let expected = rigid * (1.0 + 0.375 / 400.0);
    for (backend, options) in backends() {
        let mut simulation = Simulation::new(&scene, &options).unwrap();
        let mut crossings = Vec::new();
        let mut before = tilt.sin();
        // A hundredth of a second is almost straight where it crosses.
        const STRIDE: u32 = 10;
        while crossings.len() < 5 && simulation.time() < 10.0 {
            simulation.advance(STRIDE).unwrap();
            let x = simulation.positions().unwrap()[20].x;
            if before.signum() != x.signum() {
                crossings.push(simulation.time() - f64::from(STRIDE) * scene.time_step * x / (x - before));
            }
            before = x;
        }
        let period = (crossings[4] - crossings[0]) / 2.0;
        println!("{backend}: {period:.5} s of {expected:.5}");
        assert_close(backend, period, expected, 1e-3);
    }
}

/// A bow that is let go: its rest shape is straight.
fn released_bow(method: RodMethod) -> Scene {
    let points = (0..=30)
        .map(|i| {
            let t = f64::from(i) / 30.0 * 2.0;
            DVec3::new(0.4 * t.sin(), 0.4 * t.cos(), 0.02 * t * t)
        })
        .collect();
    let rod = Rod {
        shape: RodShape::Polyline { points, segments: None },
        material: RodMaterial { youngs_modulus: 1e8, ..RodMaterial::RUBBER },
        rest: RodRest::Straight,
        velocity: DVec3::new(0.3, 0.1, -0.2),
        twist: 90.0,
        method,
        ..Rod::default()
    };
    // One by one, stretch takes many iterations; what is left of it would count as energy.
    let iterations = if matches!(method, RodMethod::Direct | RodMethod::Corde) { 1 } else { 60 };
    Scene { gravity: DVec3::ZERO, iterations, raise_substeps: true, ..scene(rod) }
}

#[test]
fn a_free_rod_keeps_its_momentum_and_gains_no_energy() {
    for method in [RodMethod::Direct, RodMethod::Coloured, RodMethod::Jacobi, RodMethod::Corde] {
        let mut scene = released_bow(method);
        scene.rod[0].material.bend_friction = 1e-7;
        for (backend, options) in backends() {
            let mut simulation = Simulation::new(&scene, &options).unwrap();
            let start = simulation.measure().unwrap();
            // Explicit rods take many more substeps in each step.
            simulation.advance(if method == RodMethod::Corde { 10 } else { 30 }).unwrap();
            let end = simulation.measure().unwrap();
            let slip = (end.momentum - start.momentum).length() / start.momentum.length();
            // The bow springs open at metres a second: its angular momentum is measured against mass · speed · length.
            let mass: f64 = simulation.model().particles.masses.iter().sum();
            let scale = mass * end.max_speed * 0.8;
            let turn = (end.angular_momentum - start.angular_momentum).length() / scale;
            println!(
                "{backend} {method:?}, {} substeps: momentum {slip:.1e}, angular {turn:.1e}, energy {} of {}",
                simulation.model().settings.substeps,
                end.energy(),
                start.energy()
            );
            assert!(slip < 1e-4, "{backend} {method:?}: momentum slips by {slip:e}");
            assert!(turn < 0.02, "{backend} {method:?}: angular momentum changes by {turn:e}");
            assert!(end.energy() < 1.001 * start.energy(), "{backend} {method:?}");
        }
    }
}

/// Elongation ρ g L²/2E under the rod's own weight, however coarse.
#[test]
fn a_hanging_rod_stretches_by_its_own_weight() {
    for segments in [5, 40] {
        let rod = Rod {
            shape: RodShape::Line { from: DVec3::ZERO, to: DVec3::NEG_Y, segments },
            material: RodMaterial { youngs_modulus: 5e5, ..RodMaterial::RUBBER },
            start: RodEnd { hold: Hold::Pinned, ..RodEnd::default() },
            ..Rod::default()
        };
        let scene = Scene { damping: 4.0, ..scene(rod) };
        let material = &scene.rod[0].material;
        let expected = material.density * 9.81 / (2.0 * material.youngs_modulus);
        for (backend, options) in backends() {
            let x = run(&scene, &options, 5.0).positions().unwrap();
            assert_close(backend, -x[segments as usize].y - 1.0, expected, 1e-3);
        }
    }
}

#[test]
fn a_rod_goes_on_after_a_checkpoint_as_if_nothing_had_happened() {
    let scene = released_bow(RodMethod::Direct);
    for options in [Options::cpu(Precision::F32), Options::cpu(Precision::F64)] {
        let mut whole = Simulation::new(&scene, &options).unwrap();
        whole.advance(10).unwrap();
        let state = whole.state().unwrap().clone();
        whole.advance(10).unwrap();
        let mut resumed = Simulation::new(&scene, &options).unwrap();
        resumed.restore(&state).unwrap();
        resumed.advance(10).unwrap();
        assert_eq!(whole.positions().unwrap(), resumed.positions().unwrap());
        assert_eq!(whole.frames().unwrap(), resumed.frames().unwrap());
    }
}

/// Nothing depends on the axes of the world.
#[test]
fn turning_the_scene_turns_the_motion() {
    let angles = DVec3::new(70.0, 130.0, -50.0);
    let turn: DQuat = sinew::scene::motion::rotation(angles);
    let options = Options::cpu(Precision::F64);
    let plain = released_bow(RodMethod::Direct);
    let mut turned = plain.clone();
    turned.rod[0].rotation = angles;
    turned.rod[0].velocity = turn * plain.rod[0].velocity;
    let a = run(&plain, &options, 0.2).positions().unwrap();
    let b = run(&turned, &options, 0.2).positions().unwrap();
    for (a, b) in a.iter().zip(&b) {
        assert!((turn * *a).distance(*b) < 1e-6, "{} and {b}", turn * *a);
    }
}
