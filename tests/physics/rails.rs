//! Pins that hold along some axes alone: rails and rollers.

use glam::DVec3;
use sinew::scene::{Axes, Masses, Pin, Points, PointsShape, Scene, Selector};
use sinew::{Backend, Options, Precision, Simulation};

fn backends() -> [(&'static str, Options); 3] {
    [
        ("cpu f64", Options::cpu(Precision::F64)),
        ("cpu f32", Options::cpu(Precision::F32)),
        ("gpu", Options { backend: Backend::Gpu, ..Options::default() }),
    ]
}

fn balls(points: Vec<DVec3>, masses: Vec<f64>, links: Vec<[u32; 2]>, pin: Vec<Pin>) -> Points {
    Points {
        shape: PointsShape::List {
            points,
            masses: Masses::List(masses),
            links,
            triangles: vec![],
            tetrahedra: vec![],
        },
        pin,
        ..Points::default()
    }
}

fn rail(particle: u32, axes: Axes, compliance: f64) -> Pin {
    Pin { selector: Selector::Indices(vec![particle]), axes, compliance, ..Pin::default() }
}

/// A bead on a rail along x keeps its speed while gravity pulls it down; one that is held in height alone goes where it is pushed.
#[test]
fn a_bead_on_a_rail_keeps_its_speed_and_its_height() {
    let velocity = DVec3::new(1.0, 0.0, 0.5);
    let bead = |axes| Points {
        velocity,
        ..balls(vec![DVec3::new(0.0, 1.0, 0.0)], vec![0.3], vec![], vec![rail(0, axes, 0.0)])
    };
    let scene = Scene { points: vec![bead(Axes::Yz), bead(Axes::Y)], ..Scene::default() };
    for (backend, options) in backends() {
        let mut simulation = Simulation::new(&scene, &options).unwrap();
        simulation.advance(60).unwrap();
        let x = simulation.positions().unwrap();
        for (found, expected) in x.iter().zip([DVec3::new(1.0, 1.0, 0.0), DVec3::new(1.0, 1.0, 0.5)]) {
            assert!(found.distance(expected) < 1e-4, "{backend}: {found}, not {expected}");
        }
    }
}

/// A pendulum of mass m whose bead of mass M slides along x swings about the common centre: for small swings ω² = (1 + m/M) g/L.
#[test]
fn a_pendulum_on_a_rail_swings_faster() {
    let (heavy, light, length) = (2.0, 1.0, 1.0);
    let tilt = 0.02f64;
    let bob = DVec3::new(length * tilt.sin(), -length * tilt.cos(), 0.0);
    let points =
        balls(vec![DVec3::ZERO, bob], vec![heavy, light], vec![[0, 1]], vec![rail(0, Axes::Yz, 0.0)]);
    let scene =
        Scene { points: vec![points], time_step: 1.0 / 240.0, iterations: 20, order: 2, ..Scene::default() };
    let expected = std::f64::consts::TAU / ((1.0 + light / heavy) * 9.81 / length).sqrt();
    for (backend, options) in &backends()[..2] {
        let mut simulation = Simulation::new(&scene, options).unwrap();
        let (mut before, mut crossings) = (1.0, Vec::new());
        while crossings.len() < 2 {
            simulation.step().unwrap();
            let x = simulation.positions().unwrap();
            let aside = x[1].x - x[0].x;
            if aside.signum() != f64::signum(before) {
                crossings.push(simulation.time() - scene.time_step * aside / (aside - before));
            }
            before = aside;
            assert!(x[0].y.abs() < 1e-4 && x[0].z.abs() < 1e-6, "{backend}: off the rail at {}", x[0]);
        }
        let period = 2.0 * (crossings[1] - crossings[0]);
        println!("{backend}: {period:.5} s of {expected:.5}");
        assert!((period / expected - 1.0).abs() < 2e-3, "{backend}: {period} s, not {expected}");
    }
}

/// A spring along one axis: m g α of sag there, free fall along none.
#[test]
fn a_spring_along_one_axis_sags_by_its_compliance() {
    let (mass, compliance) = (0.5, 2e-3);
    let ball = balls(vec![DVec3::ZERO], vec![mass], vec![], vec![rail(0, Axes::Xy, compliance)]);
    let scene = Scene { points: vec![ball], damping: 8.0, ..Scene::default() };
    for (backend, options) in backends() {
        let mut simulation = Simulation::new(&scene, &options).unwrap();
        simulation.advance(180).unwrap();
        let x = simulation.positions().unwrap()[0];
        let expected = -mass * 9.81 * compliance;
        assert!((x.y / expected - 1.0).abs() < 1e-3, "{backend}: {} m, not {expected}", x.y);
    }
}
