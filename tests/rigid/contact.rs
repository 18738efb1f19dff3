//! Bodies that slide, roll, bounce and rest on colliders.

use crate::{assert_close, backends, run, scene, simulate};
use glam::DVec3;
use sinew::scene::{Collider, ColliderShape, Rigid, RigidShape, Scene};
use sinew::{Options, Precision, Simulation};

const G: f64 = 9.81;

fn ground(friction: f64) -> Collider {
    let shape = ColliderShape::Plane { normal: DVec3::Y, offset: 0.0 };
    Collider { shape, friction, ..Collider::default() }
}

/// A body on the ground, which gravity finds inclined: tan θ is the slope.
fn incline(shape: RigidShape, height: f64, slope: f64, friction: f64) -> Scene {
    let down = DVec3::new(slope, -1.0, 0.0).normalize();
    let rigid = Rigid { shape, position: DVec3::new(0.0, height, 0.0), friction, ..Rigid::default() };
    Scene { gravity: G * down, collider: vec![ground(friction)], ..scene(vec![rigid]) }
}

/// The velocity along the incline after a second, and the acceleration that has no friction.
fn slid(scene: &Scene, options: &Options) -> (DVec3, f64, f64) {
    let mut simulation = run(scene, options, 1.0);
    let along = scene.gravity.x;
    (simulation.velocities().unwrap()[0], along, -scene.gravity.y)
}

#[test]
fn a_block_sticks_within_the_friction_cone_and_slides_beyond() {
    for (name, options) in backends() {
        let block = |slope| incline(RigidShape::Box { size: DVec3::new(0.2, 0.1, 0.2) }, 0.05, slope, 0.5);
        let (creep, ..) = slid(&block(0.45), &options);
        println!("{name}: creeps at {:.1e} m/s", creep.length());
        assert!(creep.length() < 1e-4, "{name}: creeps at {creep} m/s");
        let (v, along, across) = slid(&block(0.8), &options);
        assert_close(&format!("{name}: sliding"), v.x, along - 0.5 * across, 0.01);
        assert!(v.y.abs() < 1e-3, "{name}: leaves the ground at {v}");
    }
}

#[test]
fn a_ball_rolls_with_five_sevenths_and_slips_on_steeper_slopes() {
    for (name, options) in backends() {
        let ball = |slope| incline(RigidShape::Sphere { radius: 0.1 }, 0.1, slope, 0.2);
        let (v, along, _) = slid(&ball(0.5), &options);
        assert_close(&format!("{name}: rolling"), v.x, 5.0 / 7.0 * along, 0.01);
        // Slips from tan θ = 3.5 μ on.
        let (v, along, across) = slid(&ball(1.0), &options);
        assert_close(&format!("{name}: slipping"), v.x, along - 0.2 * across, 0.01);
    }
}

/// How high a body comes after its first bounce from a fall of a metre.
fn bounce(simulation: &mut Simulation, rest: f64) -> f64 {
    let (mut fell, mut highest) = (false, 0.0f64);
    for _ in 0..75 {
        simulation.advance(1).unwrap();
        let (x, v) = (simulation.positions().unwrap()[0], simulation.velocities().unwrap()[0]);
        fell |= x.y - rest < 0.1;
        if fell {
            highest = highest.max(x.y - rest);
            if v.y < 0.0 && highest > 0.1 {
                break;
            }
        }
    }
    highest
}

#[test]
fn a_bounce_reaches_the_square_of_the_restitution_and_never_more() {
    let shapes = [RigidShape::Sphere { radius: 0.05 }, RigidShape::Box { size: DVec3::splat(0.1) }];
    for (name, options) in backends() {
        for (e, shape) in [0.0, 0.5, 0.8, 1.0].into_iter().flat_map(|e| shapes.clone().map(|s| (e, s))) {
            let rigid = Rigid { shape, position: 1.05 * DVec3::Y, restitution: e, ..Rigid::default() };
            let scene = Scene { collider: vec![ground(0.3)], ..scene(vec![rigid]) };
            let height = bounce(&mut simulate(&scene, &options), 0.05);
            println!("{name}: e = {e}: {height:.4} m");
            if e > 0.0 {
                assert_close(&format!("{name}: e = {e}"), height, e * e, 0.02);
            }
            assert!(height <= 1.0 && (e > 0.0 || height < 0.1), "{name}: e = {e}: {height}");
        }
    }
}

/// Boxes and capsules that fall on corners and edges never gain energy, and come to rest on what they fell on.
#[test]
fn tumbling_bodies_lose_energy_and_come_to_rest() {
    let shapes = [
        RigidShape::Box { size: DVec3::new(0.1, 0.2, 0.3) },
        RigidShape::Capsule { radius: 0.05, length: 0.2 },
    ];
    for (name, options) in [backends()[0].clone(), backends()[1].clone()] {
        for shape in &shapes {
            let rigid = Rigid {
                shape: shape.clone(),
                position: 0.5 * DVec3::Y,
                rotation: DVec3::new(35.0, 10.0, 50.0),
                spin: DVec3::new(1.0, 4.0, -2.0),
                restitution: 0.5,
                ..Rigid::default()
            };
            let scene = Scene { collider: vec![ground(0.5)], ..scene(vec![rigid]) };
            let mut simulation = simulate(&scene, &options);
            let mut most = simulation.measure().unwrap().energy();
            let whole = most;
            for _ in 0..180 {
                simulation.advance(1).unwrap();
                let now = simulation.measure().unwrap().energy();
                assert!(now < most + 2e-4 * whole, "{name}: {now} J after {most} J of {shape:?}");
                most = most.min(now);
            }
            simulation.advance(60).unwrap();
            let at = simulation.measure().unwrap();
            println!("{name}: {shape:?} moves at {:.1e} m/s", at.max_speed);
            if matches!(shape, RigidShape::Box { .. }) {
                assert!(at.max_speed < 1e-3, "{name}: still moves at {} m/s", at.max_speed);
            }
            assert!((0.049..0.16).contains(&at.lowest), "{name}: rests at {} m", at.lowest);
        }
    }
}

/// A plank on a ball and on a box that are smaller than itself.
#[test]
fn a_box_lies_on_smaller_colliders() {
    for (name, options) in backends() {
        for shape in [ColliderShape::Sphere { radius: 0.1 }, ColliderShape::Box { size: DVec3::splat(0.2) }] {
            let rigid = Rigid {
                shape: RigidShape::Box { size: DVec3::new(0.8, 0.05, 0.5) },
                position: DVec3::new(0.0, 0.126, 0.0),
                friction: 1.0,
                ..Rigid::default()
            };
            let support = Collider { shape, friction: 1.0, ..Collider::default() };
            let scene = Scene { collider: vec![support], ..scene(vec![rigid]) };
            let height = run(&scene, &options, 0.5).positions().unwrap()[0].y;
            assert!((height - 0.125).abs() < 2e-4, "{name}: at {height} m");
        }
    }
}

#[test]
fn a_far_body_changes_no_bit() {
    let near = Rigid {
        shape: RigidShape::Box { size: DVec3::splat(0.1) },
        position: 0.2 * DVec3::Y,
        rotation: DVec3::new(20.0, 0.0, 30.0),
        restitution: 0.4,
        ..Rigid::default()
    };
    let far = Rigid { position: DVec3::new(50.0, 3.0, 0.0), ..Rigid::default() };
    let options = Options::cpu(Precision::F32);
    let ends = [vec![near.clone()], vec![near, far]].map(|bodies| {
        let scene = Scene { collider: vec![ground(0.5)], ..scene(bodies) };
        let mut simulation = run(&scene, &options, 1.0);
        (simulation.positions().unwrap()[0], simulation.frames().unwrap().orientations[0])
    });
    assert_eq!(ends[0], ends[1]);
}
