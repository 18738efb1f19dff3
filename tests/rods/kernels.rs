//! The kernels of rods: gradients, twins, and the order of calls.

use glam::DVec3;
use sinew::compute::{AdapterChoice, CpuExecutor, Executor, Gpu, GpuExecutor, Order, Run, compare_runs};
use sinew::frames::turn;
use sinew::math::{Vec3, Vec4, Width};
use sinew::model::Model;
use sinew::rods::strain;
use sinew::scene::{Copies, Hold, Keyframe, Rod, RodEnd, RodMaterial, RodMethod, RodRest, RodShape, Scene};
use sinew::solver::Solver;

/// Rods of every kind: all methods, clamped, pinned and driven ends, curved at rest, with several copies.
fn everything(material: RodMaterial) -> Scene {
    let spin = vec![
        Keyframe { time: 0.0, ..Keyframe::default() },
        Keyframe { time: 1.0, rotation: DVec3::new(360.0, 40.0, 0.0), offset: DVec3::new(-0.1, 0.1, 0.0) },
    ];
    let line = RodShape::Line { from: DVec3::ZERO, to: DVec3::X, segments: 24 };
    let clamped = RodEnd { hold: Hold::Clamped, ..RodEnd::default() };
    let field = Rod {
        shape: RodShape::Helix { radius: 0.1, pitch: 0.05, turns: 2.5, segments: 40 },
        material,
        rest: RodRest::Curved(DVec3::new(1.0, 4.0, 0.5)),
        start: clamped.clone(),
        end: RodEnd { weight: 0.01, ..RodEnd::default() },
        copies: Copies { count: [3, 2], ..Copies::default() },
        position: DVec3::new(0.3, 1.0, 0.2),
        rotation: DVec3::new(20.0, 30.0, 40.0),
        ..Rod::default()
    };
    let driven = Rod {
        shape: line.clone(),
        material,
        // Let go while the backends are compared.
        end: RodEnd { hold: Hold::Clamped, motion: spin, release: Some(0.025), ..RodEnd::default() },
        start: clamped,
        ..Rod::default()
    };
    let swinging = Rod {
        shape: line,
        material,
        start: RodEnd { hold: Hold::Pinned, torque: DVec3::new(0.0, 1e-5, 1e-4), ..RodEnd::default() },
        end: RodEnd { force: DVec3::new(0.0, 0.01, 0.02), ..RodEnd::default() },
        method: RodMethod::Coloured,
        position: DVec3::new(0.0, 2.0, 0.0),
        ..Rod::default()
    };
    let coloured_field = Rod { method: RodMethod::Coloured, position: DVec3::NEG_Z, ..field.clone() };
    let jacobi_field = Rod { method: RodMethod::Jacobi, position: DVec3::Z, ..field.clone() };
    Scene {
        rod: vec![field, driven, swinging, coloured_field, jacobi_field],
        substeps: 4,
        iterations: 2,
        damping: 0.5,
        ..Scene::default()
    }
}

/// The same as explicit rods, with friction, at the substeps that they need. They are so soft that what stretches them is far
/// above the rounding of their lengths, which is all that the backends may differ by.
fn explicit(material: RodMaterial) -> Scene {
    let mut scene = everything(material);
    scene.rod.truncate(3);
    for rod in &mut scene.rod {
        rod.method = RodMethod::Corde;
        rod.material.youngs_modulus = 2e4;
        rod.material.stretch_friction = 1e-4;
        rod.material.bend_friction = 1e-9;
    }
    scene.raise_substeps = true;
    scene
}

fn gpu() -> Gpu {
    Gpu::open(&AdapterChoice::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// f32 rounding after one pass; the elimination magnifies it by the rod's condition, which for soft rods is small.
const TOLERANCE: f64 = 2e-5;

fn assert_backends_agree(scene: &Scene, before: u32) {
    let solver = Solver::new(&Model::new(scene).unwrap()).unwrap();
    let mut device = GpuExecutor::new(&gpu(), &solver.buffers, &solver.passes).unwrap();
    let mut cpu = CpuExecutor::<f32>::new(&solver.buffers, &solver.passes);
    cpu.execute(&[Run { passes: solver.substep(), times: before }]).unwrap();
    let largest =
        compare_runs(&solver.buffers, &solver.passes, 12, [&mut cpu, &mut device], TOLERANCE).unwrap();
    println!("largest difference {:.1e}", largest.unwrap_or_else(|difference| panic!("{difference}")));
}

#[test]
fn every_pass_of_a_scene_with_rods_matches_its_twin() {
    assert_backends_agree(&everything(RodMaterial::RUBBER), 0);
}

/// Not from rest: there, forces are nothing but rounding, of which the backends share no digit.
#[test]
fn every_pass_of_explicit_rods_matches_its_twin() {
    assert_backends_agree(&explicit(RodMaterial::RUBBER), 100);
    assert_backends_agree(&Scene { frame_substeps: 3, ..explicit(RodMaterial::RUBBER) }, 100);
}

#[test]
fn rods_do_not_depend_on_the_order_of_calls() {
    for scene in [everything(RodMaterial::ROPE), explicit(RodMaterial::RUBBER)] {
        assert_orders_agree(&Solver::new(&Model::new(&scene).unwrap()).unwrap());
    }
}

/// Rods that a core takes through several passes before the others have begun come out as pass by pass.
#[test]
fn parts_of_a_scene_know_nothing_of_each_other() {
    let mut scene = everything(RodMaterial::ROPE);
    for rod in &mut scene.rod[3..] {
        rod.copies.count = [6, 5];
    }
    let solver = Solver::new(&Model::new(&scene).unwrap()).unwrap();
    let parts = |name: &str| {
        let passes = solver.passes.list.iter().filter(|pass| pass.kernel.name == name);
        passes.map(|pass| pass.parts.as_ref().map_or(1, |ends| ends.len())).min()
    };
    for name in ["predict", "finish", "predict_frames", "finish_frames", "stretch_shear", "bend_twist"] {
        assert!(parts(name) > Some(2), "{name}: {:?}", parts(name));
    }
    assert_orders_agree(&solver);
}

fn assert_orders_agree(solver: &Solver) {
    let contents = |order: Order| {
        let mut cpu = CpuExecutor::<f32>::new(&solver.buffers, &solver.passes).with_order(order);
        cpu.execute(&[Run { passes: solver.substep(), times: 20 }]).unwrap();
        solver.buffers.state().map(|id| cpu.read(id).unwrap()).collect::<Vec<_>>()
    };
    let forward = contents(Order::Forward);
    assert_eq!(forward, contents(Order::Backward));
    assert_eq!(forward, contents(Order::Parallel));
}

/// Rods side by side in the lanes of a register come out as one by one, to the bit.
#[test]
fn rods_in_lanes_are_their_scalar_twins() {
    let mut scene = everything(RodMaterial::ROPE);
    // More than a register holds, and some that fill none.
    for rod in &mut scene.rod {
        rod.copies.count = if rod.copies.count[0] > 1 { [7, 3] } else { [5, 1] };
    }
    let solver = Solver::new(&Model::new(&scene).unwrap()).unwrap();
    let contents = |width: Width| {
        let mut cpu = CpuExecutor::<f32>::new(&solver.buffers, &solver.passes).with_width(width);
        cpu.execute(&[Run { passes: solver.substep(), times: 10 }]).unwrap();
        solver.buffers.ids().map(|id| cpu.read(id).unwrap()).collect::<Vec<_>>()
    };
    let scalar = contents(Width::One);
    for width in [Width::Four, Width::Eight] {
        for ((id, expected), found) in solver.buffers.ids().zip(&scalar).zip(contents(width)) {
            let (a, b) = (expected.reals(), found.reals());
            let first = a.iter().zip(b).position(|(a, b)| a.to_bits() != b.to_bits());
            assert_eq!(first, None, "{width:?}: `{}` differs first at this scalar", solver.buffers.name(id));
        }
    }
}

fn unit(q: [f64; 4]) -> Vec4<f64> {
    turn::apply(Vec4::new(q[0], q[1], q[2], q[3]), Vec3::ZERO)
}

fn axis(i: usize, size: f64) -> Vec3<f64> {
    Vec3::of(DVec3::AXES[i].to_array().map(|c| c * size))
}

/// φ is a rotation vector, so a frame turned by it composes with the Gibbs vector φ/2.
#[test]
fn the_gradients_of_the_strains_are_their_finite_differences() {
    const STEP: f64 = 1e-6;
    let q = [unit([0.2, -0.5, 0.3, 0.8]), unit([0.3, -0.3, 0.45, 0.75])];
    let g = [Vec3::of([0.05, -0.02, 0.08]), Vec3::of([-0.03, 0.06, 0.01])];
    let relative = strain::relative(q, g);
    let p = strain::joint_gradient(relative);
    let d = Vec3::of([0.3, -0.7, 0.4]);
    let local = |g: Vec3<f64>| turn::rotation(q[0], g).conjugate().rotate(d);
    for i in 0..3 {
        let moved = |which: usize, size: f64| {
            let mut g = g;
            g[which] = turn::compose(g[which], axis(i, 0.5 * size));
            strain::relative(q, g).xyz()
        };
        let slope = |which: usize| (moved(which, STEP) - moved(which, -STEP)) / STEP;
        let expected = p.apply(axis(i, 1.0));
        assert!((slope(1) - expected).length() < 1e-8, "second frame, axis {i}");
        let expected = -p.transpose().apply(axis(i, 1.0));
        assert!((slope(0) - expected).length() < 1e-8, "first frame, axis {i}");
        let turned = |size: f64| local(turn::compose(g[0], axis(i, 0.5 * size)));
        let slope = (turned(STEP) - turned(-STEP)) / (2.0 * STEP);
        assert!((slope - local(g[0]).cross(axis(i, 1.0))).length() < 1e-8, "segment, axis {i}");
    }
}

#[test]
fn turns_compose_like_the_quaternions_they_stand_for() {
    let q = unit([0.1, 0.7, -0.4, 0.6]);
    let (a, b) = (Vec3::of([0.3, -0.2, 0.1]), Vec3::of([-0.1, 0.25, 0.4]));
    let once = turn::apply(q, turn::compose(a, b));
    let twice = turn::apply(turn::apply(q, a), b);
    assert!(1.0 - turn::dot(once, twice).abs() < 1e-15);
    let back = turn::between(q, turn::apply(q, a));
    assert!((back - a).length() < 1e-15);
}
