//! Coulomb friction against answers known on paper, on either backend.

use crate::scene::*;
use glam::{DQuat, DVec3};
use sinew::contact::colliders::Surface;
use sinew::model::colliders::{Collider, Shape};

/// A particle of friction 1 on a collider of friction μ²: √(1 · μ²) = μ acts.
fn rough(x: DVec3) -> Particle {
    Particle { surface: Surface { radius: 0.0, friction: 1.0 }, ..Particle::at(x) }
}

fn with_friction(shape: Shape, mu: f64) -> Collider {
    Collider { friction: mu * mu, ..still(shape) }
}

#[test]
fn a_block_on_a_slope_sticks_below_the_angle_of_friction_and_slides_above_it() {
    const MU: f64 = 0.4;
    const SECONDS: f64 = 0.5;
    for degrees in [5.0f64, 15.0, 21.0, 23.0, 30.0, 50.0] {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let normal = DVec3::new(sin, cos, 0.0);
        let downhill = DVec3::new(cos, -sin, 0.0);
        // Away from the origin, where rounding shows.
        let offset = 0.3;
        let start = offset * normal + 0.7 * downhill;
        let plane = with_friction(Shape::Plane { normal, offset }, MU);
        for (backend, x, v) in Scene::new(vec![rough(start)], vec![plane]).after(SECONDS) {
            let (way, speed) = ((x[0] - start).dot(downhill), v[0].dot(downhill));
            let acceleration = (G * (sin - MU * cos)).max(0.0);
            println!("{degrees}°, {backend}: {way:.6} m, {:.4} of {acceleration:.4} m/s²", speed / SECONDS);
            assert!((normal.dot(x[0]) - offset).abs() < 1e-6, "{backend}: left the slope");
            if acceleration == 0.0 {
                assert!(way.abs() < 1e-5, "{degrees}° on {backend}: crept {way:e} m");
            } else {
                assert!((speed / SECONDS / acceleration - 1.0).abs() < 0.02, "{degrees}° on {backend}");
                let expected = 0.5 * acceleration * SECONDS * SECONDS;
                assert!(
                    (way / expected - 1.0).abs() < 0.02,
                    "{degrees}° on {backend}: {way} of {expected} m"
                );
            }
        }
    }
}

/// Friction in force, not in steps: the same slope at other substeps and at a hundredth of the size.
#[test]
fn sliding_depends_neither_on_the_substep_nor_on_the_scale() {
    let (sin, cos) = 35f64.to_radians().sin_cos();
    let normal = DVec3::new(sin, cos, 0.0);
    for (dt, scale) in [(4e-3, 1.0), (2.5e-4, 1.0), (1e-4, 1.0), (1e-3, 0.01)] {
        let offset = 0.3 * scale;
        let plane = with_friction(Shape::Plane { normal, offset }, 0.3);
        let mut scene = Scene::new(vec![rough(offset * normal)], vec![plane]);
        scene.dt = dt;
        scene.gravity *= scale;
        for (backend, _, v) in scene.after(0.4) {
            let expected = 0.4 * scale * G * (sin - 0.3 * cos);
            assert!(
                (v[0].length() / expected - 1.0).abs() < 0.02,
                "dt {dt}, scale {scale}, {backend}: {}",
                v[0]
            );
        }
    }
}

#[test]
fn without_friction_on_either_side_nothing_is_held() {
    let (sin, cos) = 20f64.to_radians().sin_cos();
    let plane = Shape::Plane { normal: DVec3::new(sin, cos, 0.0), offset: 0.0 };
    for (particle, collider) in [(0.0, 1.0), (1.0, 0.0)] {
        let surface = Surface { radius: 0.0, friction: particle };
        let start = Particle { surface, ..Particle::at(DVec3::ZERO) };
        let slope = Collider { friction: collider, ..still(plane.clone()) };
        for (backend, _, v) in Scene::new(vec![start], vec![slope]).after(0.5) {
            assert!((v[0].length() / (0.5 * G * sin) - 1.0).abs() < 0.01, "{backend}: {}", v[0]);
        }
    }
}

#[test]
fn a_conveyor_takes_a_particle_to_its_own_speed_and_no_further() {
    const SPEED: f64 = 0.8;
    const MU: f64 = 0.5;
    let belt =
        Collider { track: Some(0), ..with_friction(Shape::Plane { normal: DVec3::Y, offset: 0.0 }, MU) };
    let mut scene = Scene::new(vec![rough(DVec3::ZERO)], vec![belt]);
    let keys = vec![(0.0, DVec3::ZERO, DQuat::IDENTITY), (2.0, 2.0 * SPEED * DVec3::X, DQuat::IDENTITY)];
    scene.tracks = vec![Track { pivot: DVec3::ZERO, keys }];
    for (backend, _, v) in scene.after(0.1) {
        assert!((v[0].x / (MU * G * 0.1) - 1.0).abs() < 0.02, "{backend}: slips at {}", v[0]);
    }
    for (backend, x, v) in scene.after(1.0) {
        // It slips for v/(μ g) and falls back by half of what the belt runs in that time.
        let expected = SPEED - 0.5 * SPEED * SPEED / (MU * G);
        assert!((v[0] - SPEED * DVec3::X).length() < 1e-3, "{backend}: {}", v[0]);
        assert!((x[0].x / expected - 1.0).abs() < 0.01, "{backend}: {} of {expected} m", x[0].x);
    }
}

#[test]
fn a_rising_floor_lifts_a_particle() {
    let floor = Collider { track: Some(0), ..still(Shape::Box { half: DVec3::new(1.0, 0.1, 1.0) }) };
    let mut scene = Scene::new(vec![rough(DVec3::new(0.2, 0.1, 0.3))], vec![floor]);
    let keys = vec![(0.0, DVec3::ZERO, DQuat::IDENTITY), (1.0, 0.5 * DVec3::Y, DQuat::IDENTITY)];
    scene.tracks = vec![Track { pivot: DVec3::ZERO, keys }];
    for (backend, x, v) in scene.after(0.8) {
        assert!((x[0] - DVec3::new(0.2, 0.5, 0.3)).length() < 1e-5, "{backend}: {}", x[0]);
        assert!((v[0] - 0.5 * DVec3::Y).length() < 1e-2, "{backend}: {}", v[0]);
    }
}

/// Keys six degrees apart: between keys the turn is not quite even.
fn spinning(axis: DVec3, speed: f64) -> Track {
    let step = 6f64.to_radians();
    let key = |k: u32| {
        let angle = step * f64::from(k);
        (angle / speed, DVec3::ZERO, DQuat::from_axis_angle(axis, angle))
    };
    Track { pivot: DVec3::ZERO, keys: (0..=60).map(key).collect() }
}

#[test]
fn a_spinning_sphere_drags_a_particle_on_its_top() {
    const MU: f64 = 0.5;
    let ball = Collider { track: Some(0), ..with_friction(Shape::Sphere { radius: 1.0 }, MU) };
    let mut scene = Scene::new(vec![rough(DVec3::Y)], vec![ball]);
    scene.tracks = vec![spinning(DVec3::Z, 3.0)];
    for (backend, _, v) in scene.after(0.04) {
        // z × y = −x: the top runs towards −x.
        let expected = -MU * G * 0.04;
        assert!((v[0].x / expected - 1.0).abs() < 0.02, "{backend}: {} of {expected}", v[0].x);
        assert!(v[0].z.abs() < 1e-6, "{backend}: {}", v[0]);
    }
    scene.tracks = vec![spinning(DVec3::Y, 3.0)];
    for (backend, x, _) in scene.after(0.04) {
        assert!(
            (x[0] - DVec3::Y).length() < 1e-6,
            "{backend}: the pole does not move, the particle is at {}",
            x[0]
        );
    }
}

#[test]
fn a_turntable_carries_a_particle_round() {
    const SPEED: f64 = 2.0;
    let table =
        Collider { track: Some(0), ..with_friction(Shape::Plane { normal: DVec3::Y, offset: 0.0 }, 1.0) };
    let mut start = rough(DVec3::new(0.2, 0.0, 0.0));
    start.v = DVec3::new(0.0, 0.0, -0.2 * SPEED);
    let mut scene = Scene::new(vec![start], vec![table]);
    scene.tracks = vec![spinning(DVec3::Y, SPEED)];
    for (backend, x, _) in scene.after(1.0) {
        let expected = DQuat::from_axis_angle(DVec3::Y, SPEED) * start.x;
        assert!((x[0] - expected).length() < 1e-3, "{backend}: {}, not {expected}", x[0]);
    }
}
