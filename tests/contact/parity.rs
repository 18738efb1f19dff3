//! The contact kernels on the device against their twins, and in any order.

use crate::scene::*;
use glam::{DQuat, DVec3};
use sinew::compute::{CpuExecutor, Data, Executor, GpuExecutor, Order, Run, compare_pass};
use sinew::contact::colliders::Surface;
use sinew::meshing::distance_field::DistanceField;
use sinew::model::colliders::{Collider, Shape};

/// One pass of f32 arithmetic, relative to the largest offset.
const TOLERANCE: f64 = 1e-5;
const PARTICLES: usize = 3000;

fn shapes() -> Vec<(&'static str, Shape)> {
    let (points, triangles) = torus(0.5, 0.2, 32, 20);
    let field = DistanceField::bake(&points, &triangles, 32).unwrap();
    vec![
        ("plane", Shape::Plane { normal: DVec3::new(0.3, 2.0, -0.4), offset: 0.1 }),
        ("sphere", Shape::Sphere { radius: 0.6 }),
        ("box", Shape::Box { half: DVec3::new(0.5, 0.3, 0.7) }),
        ("capsule", Shape::Capsule { radius: 0.3, half_length: 0.4 }),
        ("field", Shape::Field(field)),
    ]
}

/// Particles in and around a body of about a metre, on the way by up to 5 cm.
fn cloud(colliders: Vec<Collider>, seed: u64) -> Scene {
    let mut random = Random(seed);
    let particles = (0..PARTICLES)
        .map(|k| Particle {
            x: 0.8 * random.vector(),
            v: 50.0 * random.vector(),
            inverse_mass: if k % 50 == 0 { 0.0 } else { 2.0 + random.next() },
            surface: Surface { radius: 0.03 * (1.0 + random.next()), friction: 0.5 * (1.0 + random.next()) },
        })
        .collect();
    let turn = |angle: f64| DQuat::from_axis_angle(DVec3::new(2.0, 1.0, -2.0).normalize(), angle);
    let keys =
        (0..6).map(f64::from).map(|k| (1e-3 * k, 0.02 * k * DVec3::new(1.0, -0.5, 2.0), turn(0.05 * k)));
    let tracks = vec![Track { pivot: DVec3::new(0.3, 0.1, -0.2), keys: keys.collect() }];
    Scene { tracks, ..Scene::new(particles, colliders) }
}

fn placed(shape: Shape, track: Option<u32>) -> Collider {
    let rotation = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, 0.5).normalize(), 0.7);
    Collider { position: DVec3::new(0.1, -0.05, 0.02), rotation, track, ..still(shape) }
}

/// The largest difference between device and twin over a few substeps, and how many particles were in contact.
fn compare(scene: &Scene) -> (f64, usize) {
    let (buffers, passes) = scene.build();
    let mut device = GpuExecutor::new(&gpu(), &buffers, &passes).unwrap();
    let mut twin = CpuExecutor::<f32>::new(&buffers, &passes);
    let (mut largest, mut touched) = (0.0f64, 0);
    for _ in 0..4 {
        for (index, pass) in passes.list.iter().enumerate() {
            let before = vectors(&buffers, &mut device, "offsets");
            let result = compare_pass(&buffers, &passes, index, [&mut device, &mut twin], TOLERANCE).unwrap();
            largest = largest.max(result.unwrap_or_else(|difference| panic!("{difference}")));
            if pass.kernel.name == "collide" {
                let after = vectors(&buffers, &mut device, "offsets");
                touched += before.iter().zip(&after).filter(|(a, b)| a != b).count();
            }
        }
    }
    (largest, touched)
}

#[test]
fn collide_matches_its_twin_for_every_shape_still_and_moving() {
    for (number, (name, shape)) in shapes().into_iter().enumerate() {
        for track in [None, Some(0)] {
            let (largest, touched) = compare(&cloud(vec![placed(shape.clone(), track)], number as u64));
            println!("{name}, track {track:?}: {largest:.1e}, {touched} contacts");
            assert!(touched > 300, "{name}: only {touched} contacts were compared");
        }
    }
}

#[test]
fn carry_and_collide_match_their_twins_among_many_colliders() {
    let colliders =
        shapes().into_iter().enumerate().map(|(k, (_, shape))| placed(shape, (k % 2 == 0).then_some(0)));
    let (largest, touched) = compare(&cloud(colliders.collect(), 9));
    println!("{largest:.1e}, {touched} contacts");
    assert!(touched > 1000);
}

#[test]
fn results_do_not_depend_on_the_order_of_calls() {
    let colliders = shapes().into_iter().map(|(_, shape)| placed(shape, Some(0))).collect();
    let (buffers, passes) = cloud(colliders, 5).build();
    let results = [Order::Parallel, Order::Forward, Order::Backward].map(|order| -> Vec<Data> {
        let mut executor = CpuExecutor::<f32>::new(&buffers, &passes).with_order(order);
        executor.execute(&[Run { passes: 0..passes.list.len(), times: 5 }]).unwrap();
        buffers.ids().map(|id| executor.read(id).unwrap()).collect()
    });
    assert!(results[0] == results[1] && results[1] == results[2]);
}

/// The device runs in f32; the reference in f64 says how much that costs in one pass.
#[test]
fn the_contact_of_f32_is_that_of_f64_to_rounding() {
    for (number, (name, shape)) in shapes().into_iter().enumerate() {
        let (buffers, passes) = cloud(vec![placed(shape, None)], 20 + number as u64).build();
        let mut single = CpuExecutor::<f32>::new(&buffers, &passes);
        let mut double = CpuExecutor::<f64>::new(&buffers, &passes);
        // Not `finish`, whose residual is the rounding itself.
        for (index, kernel) in ["predict", "collide"].into_iter().enumerate() {
            assert_eq!(passes.list[index].kernel.name, kernel);
            let result =
                compare_pass(&buffers, &passes, index, [&mut single, &mut double], TOLERANCE).unwrap();
            result.unwrap_or_else(|difference| panic!("{name}: {difference}"));
        }
    }
}
