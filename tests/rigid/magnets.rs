//! Magnets against answers known on paper.

use crate::{assert_close, backends, run, scene, simulate};
use glam::DVec3;
use sinew::scene::{MagneticField, Rigid, RigidShape, Scene};

/// 2π √(I/(m B)) = 2.8099 s for 10⁻⁶ kg m², 0.1 A m² and 50 µT.
#[test]
fn a_compass_swings_as_a_pendulum() {
    let needle = Rigid {
        mass: Some(0.01),
        inertia: Some(DVec3::splat(1e-6)),
        moment: Some(DVec3::new(0.1, 0.0, 0.0)),
        rotation: DVec3::new(0.0, 0.0, 1.0),
        ..Rigid::default()
    };
    let field = MagneticField { uniform: DVec3::new(50e-6, 0.0, 0.0), ..MagneticField::default() };
    let scene = Scene {
        gravity: DVec3::ZERO,
        magnetic_field: Some(field),
        time_step: 1.0 / 30.0,
        ..scene(vec![needle])
    };
    for (name, options) in backends() {
        let mut simulation = simulate(&scene, &options);
        let start = simulation.measure().unwrap();
        let (mut crossings, mut last) = (Vec::new(), (0.0, -1.0));
        while crossings.len() < 3 {
            simulation.advance(1).unwrap();
            let (time, spin) = (simulation.time(), simulation.frames().unwrap().spins[0].z);
            if spin * last.1 < 0.0 {
                crossings.push(last.0 + (time - last.0) * last.1 / (last.1 - spin));
            }
            last = (time, spin);
            let now = simulation.measure().unwrap();
            let swing = 0.1 * 50e-6 * (1.0 - 1f64.to_radians().cos());
            assert!((now.energy() - start.energy()).abs() < 0.02 * swing, "{name}: energy at {time} s");
        }
        assert_close(&format!("{name}: period"), crossings[2] - crossings[0], 2.8099, 1e-3);
    }
}

/// A ball of 5 mm, 0.5 g and 1.19 T, as they are sold.
fn ball(x: f64) -> Rigid {
    Rigid {
        shape: RigidShape::Sphere { radius: 2.5e-3 },
        position: DVec3::new(x, 0.0, 0.0),
        mass: Some(0.5e-3),
        remanence: Some(DVec3::new(1.19, 0.0, 0.0)),
        ..Rigid::default()
    }
}

#[test]
fn two_balls_meet_as_fast_as_their_energy_says() {
    let scene = Scene {
        gravity: DVec3::ZERO,
        time_step: 1e-5,
        substeps: 10,
        ..scene(vec![ball(-0.015), ball(0.015)])
    };
    for (name, options) in backends() {
        let mut simulation = simulate(&scene, &options);
        let mut before = (0.03, 0.0);
        let met = loop {
            simulation.advance(if before.0 > 0.012 { 200 } else { 1 }).unwrap();
            let (x, v) = (simulation.positions().unwrap(), simulation.velocities().unwrap());
            assert_eq!(v[0].x, -v[1].x, "{name}: equal and opposite to the bit");
            let now = (x[1].x - x[0].x, v[0].x);
            if now.0 <= 0.005 {
                break before.1 + (now.1 - before.1) * (before.0 - 0.005) / (before.0 - now.0);
            }
            before = now;
        };
        println!("{name}: meet at {met:.4} m/s");
        assert_close(&format!("{name}: speed"), met, 3.498, 5e-3);
    }
}

/// Turned and scattered magnets, near enough to move each other, in no field but their own.
#[test]
fn magnets_keep_their_momenta_and_energy() {
    let bodies = (0..6).map(|k| {
        let angle = |n: u32| f64::from((k * n) % 17) * 20.0;
        let place = DVec3::new(f64::from(k % 3), f64::from(k / 3), 0.25 * f64::from(k % 2));
        Rigid {
            // Numbers that f32 has: what positions lose of others at the start moves a body without a velocity.
            position: place / 64.0,
            rotation: DVec3::new(angle(5), angle(7), angle(11)),
            inertia: Some(DVec3::new(1e-9, 1.5e-9, 2e-9)),
            ..ball(0.0)
        }
    });
    let scene = Scene { gravity: DVec3::ZERO, time_step: 1e-3, substeps: 100, ..scene(bodies.collect()) };
    for ((name, options), tolerance) in backends().into_iter().zip([1e-12, 1e-5, 1e-5]) {
        let mut simulation = simulate(&scene, &options);
        let start = simulation.measure().unwrap();
        simulation.advance(6).unwrap();
        let end = simulation.measure().unwrap();
        let speed = (end.kinetic_energy / 3e-3).sqrt();
        println!(
            "{name}: {:.2e} J, momenta {:.1e}, {:.1e}",
            end.kinetic_energy,
            end.momentum.length(),
            end.spin.length()
        );
        assert!(end.kinetic_energy > 1e-6, "{name}: they must move");
        assert!(end.momentum.length() < tolerance * 3e-3 * speed, "{name}: {}", end.momentum);
        assert!(end.spin.length() < tolerance * 3e-3 * speed * 0.05, "{name}: {}", end.spin);
        assert!((end.energy() - start.energy()).abs() < 0.01 * end.kinetic_energy, "{name}: energy");
    }
}

/// m G: 0.1 A m² in 2 T/m is 0.2 N.
#[test]
fn a_gradient_pulls() {
    let magnet = Rigid {
        mass: Some(0.1),
        moment: Some(DVec3::new(0.0, 0.1, 0.0)),
        pin: Vec::new(),
        ..Rigid::default()
    };
    let field = MagneticField { gradient: DVec3::new(-1.0, 2.0, -1.0), ..MagneticField::default() };
    let scene = Scene { gravity: DVec3::ZERO, magnetic_field: Some(field), ..scene(vec![magnet]) };
    for (name, options) in backends() {
        let v = run(&scene, &options, 0.5).velocities().unwrap()[0];
        assert_close(name, v.y, 1.0, 1e-4);
    }
}

/// Damping does not weaken the pull: v = (F/m) dt (1 − keepⁿ)/(1 − keep) after n substeps, and F/(m damping) in the end.
#[test]
fn damping_slows_a_magnet_and_does_not_weaken_its_pull() {
    let magnet = Rigid { mass: Some(0.1), moment: Some(DVec3::new(0.0, 0.1, 0.0)), ..Rigid::default() };
    let field = MagneticField { gradient: DVec3::new(-1.0, 2.0, -1.0), ..MagneticField::default() };
    for damping in [3.0, 30.0, 1e9] {
        let scene = Scene {
            gravity: DVec3::ZERO,
            magnetic_field: Some(field),
            damping,
            ..scene(vec![magnet.clone()])
        };
        let dt = scene.time_step / f64::from(scene.substeps);
        let keep = (-damping * dt).exp();
        let wanted = 2.0 * dt * (1.0 - keep.powf(0.5 / dt)) / (1.0 - keep);
        for (name, options) in backends() {
            let v = run(&scene, &options, 0.5).velocities().unwrap()[0];
            assert_close(&format!("{name}, damping {damping}"), v.y, wanted, 1e-4);
        }
    }
}
