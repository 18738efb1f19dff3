//! Twist and shapes at rest.

use super::{assert_close, backends, run, scene};
use glam::DVec3;
use sinew::scene::{Hold, Keyframe, Rod, RodEnd, RodMaterial, RodRest, RodShape, Scene};

/// ½ GJ Φ²/L, and nothing but twist.
#[test]
fn a_turned_end_twists_the_rod_evenly() {
    let turn = |angle: f64| {
        vec![
            Keyframe { time: 0.0, ..Keyframe::default() },
            Keyframe { time: 1.0, rotation: DVec3::new(angle.to_degrees(), 0.0, 0.0), ..Keyframe::default() },
        ]
    };
    let angle = 2.0;
    let rod = Rod {
        shape: RodShape::Line { from: DVec3::ZERO, to: DVec3::X, segments: 40 },
        material: RodMaterial::RUBBER,
        start: RodEnd { hold: Hold::Clamped, ..RodEnd::default() },
        end: RodEnd { hold: Hold::Clamped, motion: turn(angle), ..RodEnd::default() },
        ..Rod::default()
    };
    let scene = Scene { gravity: DVec3::ZERO, damping: 5.0, ..scene(rod) };
    let expected = 0.5 * scene.rod[0].material.bending_stiffness().z * angle * angle;
    for (backend, options) in backends() {
        let rods = run(&scene, &options, 3.0).measure().unwrap().rods;
        println!("{backend}: {rods:?}, expected twist {expected:.6e}");
        assert_close(backend, rods.twist, expected, 1e-3);
        assert!(rods.bend < 1e-6 * rods.twist, "{backend}: {rods:?}");
    }
}

/// Constant curvature c and twist τ at rest make a helix of radius c/(c² + τ²) and pitch 2πτ/(c² + τ²).
#[test]
fn a_rod_with_intrinsic_curvature_and_twist_coils_into_a_helix() {
    let (curvature, twist) = (12.0, 3.0);
    let rod = Rod {
        shape: RodShape::Line { from: DVec3::ZERO, to: DVec3::X, segments: 80 },
        material: RodMaterial { radius: 0.004, youngs_modulus: 1e8, ..RodMaterial::RUBBER },
        rest: RodRest::Curved(DVec3::new(0.0, curvature, twist)),
        start: RodEnd { hold: Hold::Clamped, ..RodEnd::default() },
        ..Rod::default()
    };
    let scene = Scene { gravity: DVec3::ZERO, damping: 3.0, ..scene(rod) };
    let square = curvature * curvature + twist * twist;
    let (radius, climb, rate) = (curvature / square, twist / square.sqrt(), square.sqrt());
    for (backend, options) in backends() {
        let mut simulation = run(&scene, &options, 6.0);
        let x = simulation.positions().unwrap();
        let energy = simulation.measure().unwrap().elastic_energy;
        let stored =
            0.5 * scene.rod[0].material.bending_stiffness().dot(DVec3::new(0.0, curvature, twist).powf(2.0));
        assert!(energy < 1e-3 * stored, "{backend}: {energy:e} J are left of {stored:e}");
        for steps in [8, 20, 40, 60] {
            let s = steps as f64 / 80.0;
            let expected = (2.0 * radius * (0.5 * rate * s).sin()).hypot(climb * s);
            let found = x[10].distance(x[10 + steps]);
            println!("{backend}, {steps} segments: {found:.5} of {expected:.5}");
            assert_close(&format!("{backend}, {steps} segments"), found, expected, 0.01);
        }
    }
}

/// A clamped rod of fixed length buckles at Φ = 8.98682 EI/GJ (Greenhill): below, a small bow dies out; above, it grows.
#[test]
fn twist_buckles_a_clamped_rod_beyond_greenhills_angle() {
    let youngs_modulus = 2e7;
    // GJ = 2 EI; thick, because the ends stay where they are and only stretch lets the bow grow.
    let material = RodMaterial {
        radius: 0.015,
        youngs_modulus,
        shear_modulus: Some(youngs_modulus),
        ..RodMaterial::RUBBER
    };
    let critical = 8.98682 * material.bending_stiffness().x / material.bending_stiffness().z;
    let bow = |share: f64| {
        let points = (0..=50).map(|i| {
            let x = f64::from(i) / 50.0;
            DVec3::new(x, 1e-3 * (std::f64::consts::PI * x).sin().powi(2), 0.0)
        });
        let clamped = RodEnd { hold: Hold::Clamped, ..RodEnd::default() };
        let rod = Rod {
            shape: RodShape::Polyline { points: points.collect(), segments: None },
            material,
            rest: RodRest::Straight,
            twist: (share * critical).to_degrees(),
            start: clamped.clone(),
            end: clamped,
            ..Rod::default()
        };
        Scene { gravity: DVec3::ZERO, damping: 0.5, ..scene(rod) }
    };
    for (backend, options) in &backends()[1..] {
        let lateral = |share: f64| {
            let x = run(&bow(share), options, 3.0).positions().unwrap();
            x.iter().map(|x| x.y.hypot(x.z)).fold(0.0, f64::max)
        };
        let (below, above) = (lateral(0.8), lateral(1.3));
        println!("{backend}: {below:.2e} m at 0.8 of the critical twist, {above:.2e} m at 1.3");
        assert!(below < 2e-3 && above > 1e-2, "{backend}: {below:e} m below, {above:e} m above");
    }
}
