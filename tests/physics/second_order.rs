//! Steps of second order: swings that keep their energy, spins that keep their angular momentum.

use glam::{DQuat, DVec3};
use sinew::scene::{
    Cloth, ClothShape, Graph, Hold, Masses, Net, NetShape, Pin, Points, PointsShape, Rod, RodEnd,
    RodMaterial, RodShape, Scene, Selector, Solid, SolidMaterial, SolidModel, SolidShape,
};
use sinew::{Backend, Options, Precision, Simulation};

fn backends() -> [(&'static str, Options); 3] {
    [
        ("cpu f64", Options::cpu(Precision::F64)),
        ("cpu f32", Options::cpu(Precision::F32)),
        ("gpu", Options { backend: Backend::Gpu, ..Options::default() }),
    ]
}

/// [rad].
const TILT: f64 = 1.0;

fn tilted(length: f64) -> DVec3 {
    length * DVec3::new(TILT.sin(), -TILT.cos(), 0.0)
}

/// A ball on a rigid link.
fn link() -> Scene {
    let pendulum = Points {
        shape: PointsShape::List {
            points: vec![DVec3::ZERO, tilted(1.0)],
            masses: Masses::List(vec![1.0, 1.0]),
            links: vec![[0, 1]],
            triangles: vec![],
            tetrahedra: vec![],
        },
        pin: vec![Pin { selector: Selector::Indices(vec![0]), ..Pin::default() }],
        ..Points::default()
    };
    Scene { points: vec![pendulum], ..Scene::default() }
}

/// A rod, hung up without friction, stiff enough not to bend.
fn rod() -> Scene {
    let pendulum = Rod {
        shape: RodShape::Line { from: DVec3::ZERO, to: tilted(1.0), segments: 20 },
        material: RodMaterial { radius: 0.02, youngs_modulus: 1e9, ..RodMaterial::RUBBER },
        start: RodEnd { hold: Hold::Pinned, ..RodEnd::default() },
        ..Rod::default()
    };
    Scene { rod: vec![pendulum], ..Scene::default() }
}

/// The share of its first swing [rad] that a pendulum still makes after so many seconds, and the most energy that it ever had above its start, over
/// what it has swung with.
fn swings(scene: &Scene, options: &Options, seconds: u32) -> [f64; 2] {
    let mut simulation = Simulation::new(scene, options).unwrap();
    let start = simulation.measure().unwrap().energy();
    let (mut fastest, mut last, mut highest) = (0.0f64, 0.0f64, f64::NEG_INFINITY);
    for _ in 0..seconds * 30 {
        simulation.advance(2).unwrap();
        let now = simulation.measure().unwrap();
        fastest = fastest.max(now.kinetic_energy);
        highest = highest.max(now.energy() - start);
        let tip = *simulation.positions().unwrap().last().unwrap();
        // The last three seconds hold more than a swing.
        if simulation.time() > f64::from(seconds) - 3.0 {
            last = last.max(tip.x.atan2(-tip.y).abs());
        }
    }
    [last / TILT, highest / fastest]
}

#[test]
fn pendulums_keep_their_swing_for_a_minute_at_ten_substeps() {
    for (what, scene) in [("link", link()), ("rod", rod())] {
        let first = swings(&scene, &Options::cpu(Precision::F64), 60);
        println!("{what}, order 1: {:.1} % of the swing are left", 1e2 * first[0]);
        assert!(first[0] < 0.75, "{what}: steps of first order kept {}", first[0]);
        let scene = Scene { order: 2, ..scene };
        for (name, options) in backends() {
            // A software device takes its time; a sixth of the minute may cost a sixth of the swing.
            let (seconds, share) = if name == "gpu" { (10, 1.0 / 6.0) } else { (60, 1.0) };
            let [left, gained] = swings(&scene, &options, seconds);
            println!("{what}, {name}: {:.3} % of the swing are left, {:.1e} gained", 1e2 * left, gained);
            assert!(left > 1.0 - 0.02 * share, "{what}, {name}: {left} of the swing");
            assert!(gained < 2e-3, "{what}, {name}: gained {gained}");
        }
    }
}

/// A sheet of links, a net of rods and a solid of constraints, each alone in space and turning.
fn spinning() -> Vec<(&'static str, Scene)> {
    let spin = DVec3::new(0.3, 0.2, 2.0);
    let still = Scene { gravity: DVec3::ZERO, order: 2, iterations: 2, ..Scene::default() };
    let sheet =
        Cloth { shape: ClothShape::Grid { size: [1.0, 1.0], cells: [3, 3] }, spin, ..Cloth::default() };
    let mut graph = Graph::default();
    for x in [DVec3::ZERO, DVec3::X, DVec3::new(-0.5, 0.8, 0.0), DVec3::new(-0.5, -0.8, 0.0)] {
        graph.node(x);
    }
    for end in 1..4 {
        graph.edge([0, end], 2);
    }
    let net = Net {
        shape: NetShape::Graph(graph),
        material: RodMaterial { radius: 0.02, youngs_modulus: 1e8, ..RodMaterial::RUBBER },
        spin,
        ..Net::default()
    };
    let solid = Solid {
        shape: SolidShape::Box { size: DVec3::new(0.6, 0.4, 0.2), cells: [3, 2, 1] },
        model: SolidModel::Position,
        material: SolidMaterial { youngs_modulus: 1e6, ..SolidMaterial::default() },
        spin,
        ..Solid::default()
    };
    vec![
        ("sheet", Scene { cloth: vec![sheet], ..still.clone() }),
        ("net", Scene { net: vec![net], ..still.clone() }),
        ("solid", Scene { solid: vec![solid], ..still }),
    ]
}

#[test]
fn spinning_bodies_keep_their_angular_momentum_for_ten_thousand_steps() {
    for (what, scene) in spinning() {
        for (name, options) in &backends()[..2] {
            let mut simulation = Simulation::new(&scene, options).unwrap();
            let before = simulation.measure().unwrap();
            simulation.advance(1).unwrap();
            let strained = simulation.measure().unwrap().elastic_energy;
            assert!(strained.abs() < 1e-2 * before.energy(), "{what}, {name}: {strained} J after one step");
            simulation.advance(9_999).unwrap();
            let after = simulation.measure().unwrap();
            let change = (after.spin - before.spin).length() / before.spin.length();
            println!(
                "{what}, {name}: angular momentum {:.4} changed by {change:.2e}, energy {:.3e} to {:.3e} J",
                before.spin.length(),
                before.energy(),
                after.energy()
            );
            assert!(change < 0.01, "{what}, {name}: angular momentum changed by {change}");
            // Energy goes with the square of the momentum; all of it is that of the rotation.
            assert!(after.energy() < 1.01f64.powi(2) * before.energy(), "{what}, {name}: energy rose");
        }
    }
}

/// A body turns as it was told about its centre of mass, wherever it is and however it moves.
#[test]
fn spin_is_angular_momentum_over_inertia_from_the_start() {
    let spin = DVec3::new(0.5, -1.0, 2.0);
    let ball = |mass: f64, x: DVec3| (mass, x + DVec3::new(3.0, 1.0, 2.0));
    let balls = [ball(1.0, DVec3::X), ball(2.0, DVec3::NEG_X), ball(0.5, DVec3::Y), ball(1.5, DVec3::Z)];
    let points = Points {
        shape: PointsShape::List {
            points: balls.iter().map(|(_, x)| *x).collect(),
            masses: Masses::List(balls.iter().map(|(m, _)| *m).collect()),
            links: vec![],
            triangles: vec![],
            tetrahedra: vec![],
        },
        velocity: DVec3::new(1.0, 2.0, 3.0),
        spin,
        ..Points::default()
    };
    let mass: f64 = balls.iter().map(|(m, _)| m).sum();
    let centre = balls.iter().map(|(m, x)| *x * *m).sum::<DVec3>() / mass;
    let expected: DVec3 = balls.iter().map(|(m, x)| *m * (*x - centre).cross(spin.cross(*x - centre))).sum();
    let scene = Scene { points: vec![points], gravity: DVec3::ZERO, ..Scene::default() };
    let mut simulation = Simulation::new(&scene, &Options::cpu(Precision::F64)).unwrap();
    let found = simulation.measure().unwrap();
    assert!((found.spin - expected).length() < 1e-9, "{} of {expected}", found.spin);
    assert!((found.momentum - mass * DVec3::new(1.0, 2.0, 3.0)).length() < 1e-9);
    // The frames of a rod turn with it: then none of it strains.
    let rod = Rod {
        shape: RodShape::Line { from: DVec3::ZERO, to: DVec3::X, segments: 6 },
        material: RodMaterial { radius: 0.02, youngs_modulus: 1e8, ..RodMaterial::RUBBER },
        spin: DVec3::new(3.0, 0.0, 1.0),
        ..Rod::default()
    };
    let mut simulation = Simulation::new(
        &Scene { rod: vec![rod], gravity: DVec3::ZERO, ..Scene::default() },
        &Options::cpu(Precision::F64),
    )
    .unwrap();
    for state in 0..2 {
        let frames = simulation.frames().unwrap();
        // What it turns about its own axis goes round with the axis.
        let expected = DQuat::from_rotation_z(simulation.time()) * DVec3::new(3.0, 0.0, 1.0);
        for (q, spin) in frames.orientations.iter().zip(&frames.spins) {
            let about = *q * *spin;
            assert!((about - expected).length() < 0.02, "state {state}: {about}");
        }
        simulation.step().unwrap();
    }
}
