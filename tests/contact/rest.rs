//! Where particles end up: on the surface of every shape, on either backend, and never inside.

use crate::scene::*;
use glam::DVec3;
use sinew::compute::Run;
use sinew::contact::colliders::Surface;
use sinew::meshing::distance_field::DistanceField;
use sinew::model::colliders::Shape;

fn torus_field(resolution: u32) -> DistanceField {
    let (points, triangles) = torus(0.5, 0.2, 96, 64);
    DistanceField::bake(&points, &triangles, resolution).unwrap()
}

#[test]
fn a_dropped_particle_rests_on_the_surface_at_its_contact_radius() {
    const RADIUS: f64 = 0.004;
    let field = torus_field(64);
    // The grid's flat cells lie inside the round tube by up to h²/(8 r), and the mesh by less.
    let flat = field.spacing * field.spacing / (8.0 * 0.2) + 5e-4;
    let cases = [
        ("plane", Shape::Plane { normal: DVec3::Y, offset: 0.1 }, DVec3::new(0.3, 0.2, 0.1), 0.1, 1e-6),
        ("sphere", Shape::Sphere { radius: 0.2 }, DVec3::new(0.0, 0.3, 0.0), 0.2, 1e-6),
        ("box", Shape::Box { half: DVec3::splat(0.2) }, DVec3::new(0.05, 0.3, -0.1), 0.2, 1e-6),
        ("capsule", Shape::Capsule { radius: 0.1, half_length: 0.1 }, DVec3::new(0.0, 0.3, 0.0), 0.2, 1e-6),
        ("field", Shape::Field(field), DVec3::new(0.5, 0.3, 0.0), 0.2, flat),
    ];
    for (name, shape, start, height, tolerance) in cases {
        let surface = Surface { radius: RADIUS, friction: 0.5 };
        let scene = Scene::new(vec![Particle { surface, ..Particle::at(start) }], vec![still(shape)]);
        for (backend, x, v) in scene.after(0.5) {
            let gap = x[0].y - (height + RADIUS);
            assert!(gap.abs() < tolerance, "{name} on {backend}: {gap:e} m above rest");
            assert!(v[0].length() < 1e-3, "{name} on {backend}: still moves at {}", v[0]);
        }
    }
}

/// Straight after one substep, so that only the projection counts.
fn pushed_out(shape: Shape, x: DVec3) -> Vec<(String, DVec3)> {
    let mut scene = Scene::new(vec![Particle::at(x)], vec![still(shape)]);
    scene.gravity = DVec3::ZERO;
    scene.after(scene.dt).into_iter().map(|(backend, x, _)| (backend, x[0])).collect()
}

#[test]
fn a_particle_inside_leaves_through_the_nearest_face() {
    let half = DVec3::new(0.5, 0.4, 0.3);
    let cases = [
        (DVec3::new(0.45, 0.1, -0.2), DVec3::new(0.5, 0.1, -0.2)),
        (DVec3::new(0.2, -0.38, 0.1), DVec3::new(0.2, -0.4, 0.1)),
        (DVec3::new(-0.1, 0.0, -0.2), DVec3::new(-0.1, 0.0, -0.3)),
    ];
    for (inside, outside) in cases {
        for (backend, x) in pushed_out(Shape::Box { half }, inside) {
            assert!(x.distance(outside) < 1e-6, "{backend}: {inside} went to {x}, not {outside}");
        }
    }
}

#[test]
fn a_particle_without_a_nearest_side_leaves_in_a_definite_direction() {
    let half = DVec3::splat(0.25);
    let cone = |x: f64, y: f64, z: f64| 0.1f32 * (x.abs() + y.abs() + z.abs() - 1.5) as f32;
    let nodes = (0..27).map(|n| [n % 3, n / 3 % 3, n / 9].map(|c| f64::from(c) - 1.0));
    // Symmetric about its middle node, from which each cell slopes another way.
    let values = nodes.map(|[x, y, z]| cone(x, y, z)).collect();
    let field = DistanceField { origin: DVec3::splat(-0.1), spacing: 0.1, size: [3; 3], values };
    // The same value everywhere: no slope at all.
    let flat = DistanceField { values: vec![-0.05; 27], ..field.clone() };
    let cases = [
        (Shape::Sphere { radius: 0.25 }, DVec3::ZERO, 0.25 * DVec3::X),
        (Shape::Capsule { radius: 0.25, half_length: 0.5 }, DVec3::Y * 0.125, DVec3::new(0.25, 0.125, 0.0)),
        (Shape::Box { half }, DVec3::ZERO, 0.25 * DVec3::X),
        (Shape::Box { half }, DVec3::Z * -0.125, DVec3::Z * -0.25),
        (Shape::Field(flat), DVec3::ZERO, 0.05 * DVec3::Y),
        (Shape::Field(field), DVec3::ZERO, DVec3::splat(0.15 / 3f64.sqrt())),
    ];
    for (shape, inside, outside) in cases {
        for (backend, x) in pushed_out(shape.clone(), inside) {
            assert!(x.distance(outside) < 1e-6, "{backend}, {shape:?}: went to {x}, not {outside}");
        }
    }
}

#[test]
fn a_particle_that_fell_far_through_a_floor_is_put_back_on_it() {
    let floor = || Shape::Plane { normal: DVec3::Y, offset: 0.0 };
    for (backend, x) in pushed_out(floor(), DVec3::new(0.25, -1000.0, 0.5)) {
        assert!(x.distance(DVec3::new(0.25, 0.0, 0.5)) < 1e-6, "{backend}: {x}");
    }
    let mut fast = Scene::new(vec![Particle::at(DVec3::Y)], vec![still(floor())]);
    fast.particles[0].v = DVec3::new(0.0, -5000.0, 0.0);
    for (backend, x, v) in fast.after(2.0 * fast.dt) {
        assert!(x[0].length() < 1e-6 && v[0].length() < 1e-6, "{backend}: {} at {}", x[0], v[0]);
    }
}

#[test]
fn fixed_and_lost_particles_are_left_alone() {
    let shapes = [
        Shape::Plane { normal: DVec3::Y, offset: 1.0 },
        Shape::Box { half: DVec3::ONE },
        Shape::Capsule { radius: 1.0, half_length: 1.0 },
        Shape::Field(torus_field(16)),
    ];
    let fixed = Particle { inverse_mass: 0.0, ..Particle::at(DVec3::new(0.5, 0.0, 0.0)) };
    let lost = Particle::at(DVec3::new(f64::NAN, 0.1, 0.1));
    let scene = Scene::new(vec![fixed, lost], shapes.map(still).to_vec());
    for (backend, x, _) in scene.after(scene.dt) {
        assert_eq!(x[0], fixed.x, "{backend}");
        assert!(x[1].x.is_nan(), "{backend}: a lost particle was hidden");
    }
}

/// Beyond the padding of its grid a field still holds off a thick particle.
#[test]
fn a_contact_radius_may_be_larger_than_the_padding_of_a_field() {
    let field = torus_field(64);
    let radius = 20.0 * field.spacing;
    let surface = Surface { radius, friction: 0.5 };
    let start = Particle { surface, ..Particle::at(DVec3::new(0.0, 0.2 + radius + 0.1, 0.5)) };
    for (backend, x, _) in Scene::new(vec![start], vec![still(Shape::Field(field))]).after(0.5) {
        let gap = torus_distance(x[0], 0.5, 0.2) - radius;
        assert!(gap.abs() < 0.01, "{backend}: {gap} m from contact");
    }
}

#[test]
fn particles_raining_on_a_torus_never_end_inside_by_more_than_half_a_cell() {
    let field = torus_field(48);
    let cell = field.spacing;
    let mut random = Random(3);
    let particles = (0..2000)
        .map(|_| {
            let x = DVec3::new(0.8, 0.2, 0.8) * random.vector() + DVec3::Y * 0.5;
            Particle { v: 3.0 * random.vector(), ..Particle::at(x) }
        })
        .collect();
    let (buffers, passes) = Scene::new(particles, vec![still(Shape::Field(field))]).build();
    for mut executor in executors(&buffers, &passes) {
        let mut touched = 0;
        for _ in 0..20 {
            executor.execute(&[Run { passes: 0..passes.list.len(), times: 20 }]).unwrap();
            for x in vectors(&buffers, &mut *executor, "positions") {
                let distance = torus_distance(x, 0.5, 0.2);
                assert!(distance > -0.5 * cell, "{}: {x} is {distance} m inside", executor.describe());
                touched += u32::from(distance < 0.5 * cell);
            }
        }
        assert!(touched > 500, "only {touched} touched");
    }
}
