//! Hulls and compounds.

use crate::{assert_close, backends, run, scene};
use glam::DVec3;
use sinew::scene::{Collider, ColliderShape, Rigid, RigidPart, RigidShape, Scene};
use std::f64::consts::PI;

fn cube(half: DVec3) -> impl Iterator<Item = DVec3> {
    (0..8).map(move |k| half * DVec3::new(side(k), side(k / 2), side(k / 4)))
}

fn side(k: u32) -> f64 {
    f64::from(k % 2) * 2.0 - 1.0
}

/// Corners of a box, points on its faces and edges and within it: the hull is the box.
#[test]
fn a_hull_has_the_mass_of_its_solid() {
    let half = DVec3::new(0.1, 0.2, 0.3);
    let inner = cube(half).map(|x| 0.5 * x);
    let faces = [DVec3::X, DVec3::NEG_Y, DVec3::Z].map(|axis| axis * half);
    let edges = [DVec3::new(0.1, 0.2, 0.07), DVec3::new(-0.1, 0.05, 0.3)];
    let points: Vec<DVec3> = inner.chain(faces).chain(cube(half)).chain(edges).collect();
    let way = DVec3::new(3.0, -2.0, 1.0);
    let points: Vec<DVec3> = points.into_iter().map(|x| x + way).collect();
    let body = Rigid { shape: RigidShape::Hull { points }, density: 10.0, ..Rigid::default() };
    let found = body.build().unwrap();
    let whole = Rigid { shape: RigidShape::Box { size: 2.0 * half }, density: 10.0, ..Rigid::default() };
    let expected = whole.build().unwrap();
    assert_close("mass", found.mass, expected.mass, 1e-12);
    assert!((found.positions[0] - way).length() < 1e-12, "{}", found.positions[0]);
    let sorted = |moments: DVec3| {
        let mut list = moments.to_array();
        list.sort_by(f64::total_cmp);
        list
    };
    for (a, b) in sorted(found.moments).into_iter().zip(sorted(expected.moments)) {
        assert_close("moment of inertia", a, b, 1e-12);
    }
    let corners = found.features.iter().filter(|f| (f.arm.length() - half.length()).abs() < 1e-9).count();
    assert_eq!(corners, 8, "{:?}", found.features);
}

/// Points on a ball: no point is outside of the hull, and the hull is closed.
#[test]
fn a_hull_holds_all_of_its_points() {
    let points: Vec<DVec3> = (0..300)
        .map(|k| {
            let y = 1.0 - 2.0 * (f64::from(k) + 0.5) / 300.0;
            let (sin, cos) = (f64::from(k) * 2.399_963).sin_cos();
            let ring = (1.0 - y * y).sqrt();
            0.1 * DVec3::new(ring * cos, y, ring * sin)
        })
        .collect();
    let mesh = sinew::meshing::hull::hull(&points).unwrap();
    assert_eq!(mesh.positions.len(), 300);
    assert_eq!(mesh.triangles.len(), 2 * 300 - 4);
    mesh.check_closed().unwrap();
    for t in 0..mesh.triangles.len() {
        let [a, b, c] = mesh.corners(t);
        let normal = (b - a).cross(c - a).normalize();
        let most = points.iter().map(|x| (*x - a).dot(normal)).fold(f64::NEG_INFINITY, f64::max);
        assert!(most < 1e-9, "{most}");
    }
}

fn dumbbell(radius: f64, apart: f64) -> Rigid {
    let ball = |x: f64| RigidPart {
        shape: RigidShape::Sphere { radius },
        position: x * DVec3::X,
        ..RigidPart::default()
    };
    let parts = vec![ball(-0.5 * apart), ball(0.5 * apart)];
    Rigid { shape: RigidShape::Compound { parts }, density: 1000.0, ..Rigid::default() }
}

#[test]
fn a_compound_has_the_inertia_of_its_parts() {
    let (radius, apart) = (0.05, 0.3);
    let found = dumbbell(radius, apart).build().unwrap();
    let ball = 1000.0 * 4.0 / 3.0 * PI * radius.powi(3);
    assert_close("mass", found.mass, 2.0 * ball, 1e-12);
    let own = 0.4 * ball * radius * radius;
    let across = 2.0 * (own + ball * 0.25 * apart * apart);
    let mut moments = found.moments.to_array();
    moments.sort_by(f64::total_cmp);
    for (found, expected) in moments.into_iter().zip([2.0 * own, across, across]) {
        assert_close("moment of inertia", found, expected, 1e-12);
    }
}

/// A dumbbell that is dropped aslant comes to lie on both balls.
#[test]
fn a_compound_comes_to_rest_on_its_parts() {
    let body = Rigid {
        position: DVec3::new(0.0, 0.3, 0.0),
        rotation: DVec3::new(0.0, 0.0, 20.0),
        ..dumbbell(0.05, 0.3)
    };
    let shape = ColliderShape::Plane { normal: DVec3::Y, offset: 0.0 };
    let ground = Collider { shape, ..Collider::default() };
    let scene = Scene { collider: vec![ground], damping: 1.0, ..scene(vec![body]) };
    for (name, options) in backends() {
        let mut simulation = run(&scene, &options, 4.0);
        let x = simulation.positions().unwrap()[0];
        let speed = simulation.measure().unwrap().max_speed;
        println!("{name}: {x}, {speed:.1e} m/s");
        assert!((x.y - 0.05).abs() < 1e-3 && speed < 0.05, "{name}: {x} with {speed} m/s");
    }
}

#[test]
fn shapes_that_cannot_be_are_named_with_a_cure() {
    let cases = [
        ("hull = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]", "hull", "in no plane"),
        ("hull = [[0, 0, 0], [1, 0, 0]]", "hull", "at least four"),
        ("compound = []", "compound", "at least one"),
        ("compound = [{ sphere = { radius = 0 } }]", "radius", "greater than 0"),
        ("compound = [{ mesh = \"top.obj\" }]", "mesh", "part 1"),
    ];
    for (text, subject, cure) in cases {
        let text = format!("format = 1\n[[rigid]]\nname = \"nut\"\n{text}\n");
        let error = Scene::parse(&text, "scene.toml", "").unwrap_err().to_string();
        println!("{error}");
        assert!(error.starts_with("scene.toml:"), "{error}");
        assert!(error.contains(subject) && error.contains(cure), "{text}\n{error}");
    }
}
