//! The kernels of nets: gradients, twins, and the order of calls.

use glam::{DQuat, DVec3};
use sinew::compute::{AdapterChoice, CpuExecutor, Executor, Gpu, GpuExecutor, Order, Run, compare_runs};
use sinew::frames::turn;
use sinew::math::{Vec3, Vec4};
use sinew::model::Model;
use sinew::nets::corde_net_joint;
use sinew::nets::joint::joint;
use sinew::nets::net_eliminate;
use sinew::scene::{
    JointStrain, Junctions, Keyframe, Net, NetMethod, NetRest, NetShape, Pin, Rod, RodMaterial, RodMethod,
    Scene, Selector,
};
use sinew::solver::Solver;

/// Nets of every kind: all methods and junctions, pinned, clamped and driven.
fn everything() -> Scene {
    let spin = vec![
        Keyframe { time: 0.0, ..Keyframe::default() },
        Keyframe { time: 1.0, rotation: DVec3::new(90.0, 40.0, 0.0), offset: DVec3::new(-0.1, 0.1, 0.0) },
    ];
    let at = |node: u32| Pin { selector: Selector::Indices(vec![node]), ..Pin::default() };
    let mut nets = Vec::new();
    for (i, method) in METHODS.into_iter().enumerate() {
        let place = DVec3::new(0.0, 0.0, 3.0 * i as f64);
        nets.push(Net {
            shape: NetShape::Grid { size: [1.0, 0.8], cells: [4, 3], segments: 3 },
            material: RodMaterial::RUBBER,
            method,
            position: place,
            // One is let go while the backends are compared.
            clamp: vec![at(0), Pin { motion: spin.clone(), release: Some(0.11), ..at(4) }],
            pin: vec![at(19)],
            ..Net::default()
        });
        nets.push(Net {
            shape: NetShape::Web { radius: 0.5, spokes: 5, rings: 2, segments: 2 },
            material: RodMaterial::RUBBER,
            junctions: Junctions::Pairs,
            strain: JointStrain::Darboux,
            method,
            position: place + 2.0 * DVec3::X,
            rotation: DVec3::new(10.0, 20.0, 30.0),
            pin: vec![at(6)],
            ..Net::default()
        });
        nets.push(Net {
            shape: NetShape::Ring { radius: 0.4, segments: 20, twist: 500.0 },
            material: RodMaterial::RUBBER,
            rest: NetRest::Straight,
            method,
            position: place + 4.0 * DVec3::X,
            ..Net::default()
        });
    }
    Scene { net: nets, substeps: 4, iterations: 2, damping: 0.5, ..Scene::default() }
}

const METHODS: [NetMethod; 3] = [NetMethod::Direct, NetMethod::Coloured, NetMethod::Jacobi];

/// Explicit nets after explicit rods, with friction, so soft that forces are far above the rounding of lengths.
fn explicit() -> Scene {
    let mut scene = everything();
    scene.net.truncate(3);
    for net in &mut scene.net {
        net.method = NetMethod::Corde;
        net.material.youngs_modulus = 2e4;
        net.material.stretch_friction = 1e-4;
        net.material.bend_friction = 1e-8;
    }
    scene.rod.push(Rod {
        method: RodMethod::Corde,
        material: scene.net[0].material,
        position: 3.0 * DVec3::Y,
        ..Rod::default()
    });
    scene.raise_substeps = true;
    scene
}

/// f32 rounding after one pass, relative to the size of the buffer's values.
const TOLERANCE: f64 = 2e-5;

fn assert_backends_agree(scene: &Scene) {
    let gpu = Gpu::open(&AdapterChoice::default()).unwrap_or_else(|error| panic!("{error}"));
    let solver = Solver::new(&Model::new(scene).unwrap()).unwrap();
    let mut device = GpuExecutor::new(&gpu, &solver.buffers, &solver.passes).unwrap();
    let mut cpu = CpuExecutor::<f32>::new(&solver.buffers, &solver.passes);
    // At rest multipliers are rounding and nothing else; the comparison gives the device whatever the CPU has.
    cpu.execute(&solver.steps(6)).unwrap();
    let largest =
        compare_runs(&solver.buffers, &solver.passes, 4, [&mut cpu, &mut device], TOLERANCE).unwrap();
    println!("largest difference {:.1e}", largest.unwrap_or_else(|difference| panic!("{difference}")));
}

#[test]
fn every_pass_of_a_scene_with_nets_matches_its_twin() {
    assert_backends_agree(&everything());
}

#[test]
fn every_pass_of_explicit_nets_matches_its_twin() {
    assert_backends_agree(&explicit());
    assert_backends_agree(&Scene { frame_substeps: 3, ..explicit() });
}

#[test]
fn nets_do_not_depend_on_the_order_of_calls() {
    for scene in [everything(), explicit(), Scene { frame_substeps: 3, ..explicit() }] {
        let solver = Solver::new(&Model::new(&scene).unwrap()).unwrap();
        let contents = |order: Order| {
            let mut cpu = CpuExecutor::<f32>::new(&solver.buffers, &solver.passes).with_order(order);
            cpu.execute(&[Run { passes: solver.substep(), times: 20 }]).unwrap();
            solver.buffers.state().map(|id| cpu.read(id).unwrap()).collect::<Vec<_>>()
        };
        let forward = contents(Order::Forward);
        assert_eq!(forward, contents(Order::Backward));
        assert_eq!(forward, contents(Order::Parallel));
    }
}

/// Cores share the rounds of a net with many loops; what they eliminate is the same to the bit as on one.
#[test]
fn a_net_shared_by_cores_is_solved_as_by_one() {
    let net = Net {
        shape: NetShape::Grid { size: [1.0, 1.0], cells: [24, 24], segments: 2 },
        pin: vec![Pin { selector: Selector::Indices(vec![0, 24]), ..Pin::default() }],
        ..Net::default()
    };
    let scene = Scene { net: vec![net], iterations: 2, ..Scene::default() };
    let model = Model::new(&scene).unwrap();
    let plan = &model.nets.eliminations[0];
    let products = plan.rounds.iter().map(|round| {
        let columns = &plan.columns[round.start as usize..round.end as usize];
        let blocks = columns.iter().flat_map(|column| column.blocks.clone());
        blocks.map(|n| plan.blocks[n as usize].products.len()).sum::<usize>()
    });
    let most = products.max().unwrap();
    assert!(most >= net_eliminate::WORTH as usize, "no round of {most} products is shared");
    let solver = Solver::new(&model).unwrap();
    let contents = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut cpu = CpuExecutor::<f32>::new(&solver.buffers, &solver.passes);
            cpu.execute(&[Run { passes: solver.substep(), times: 2 }]).unwrap();
            solver.buffers.ids().map(|id| cpu.read(id).unwrap()).collect::<Vec<_>>()
        })
    };
    assert_eq!(contents(1), contents(4));
}

/// The torques of an explicit joint are the slopes of ½ C·C/α, and rotated to space equal and opposite, friction included.
#[test]
fn the_torques_of_an_explicit_joint_are_the_slopes_of_its_energy() {
    let unit = |x: f64, y: f64, z: f64, w: f64| DQuat::from_xyzw(x, y, z, w).normalize();
    let q = [unit(0.2, -0.5, 0.3, 0.8), unit(0.5, -0.2, 0.45, 0.7)];
    let o = [unit(0.1, 0.3, -0.2, 0.9), unit(-0.2, 0.1, 0.4, 0.9)];
    let (rest, compliance) = (DVec3::new(0.1, -0.2, 0.3), DVec3::new(0.5, 0.7, 1.3));
    let real = |v: DVec3| Vec3::of(v.to_array());
    let at = |q: [DQuat; 2]| joint(q.map(vector), [Vec3::ZERO; 2], o.map(vector));
    let energy = |q: [DQuat; 2]| {
        let c = at(q).relative.xyz() * 2.0 - real(rest);
        0.5 * (c.x * c.x / compliance.x + c.y * c.y / compliance.y + c.z * c.z / compliance.z)
    };
    let spins = [DVec3::new(0.3, 0.1, -0.4), DVec3::new(-0.2, 0.5, 0.6)];
    let torques = |friction: f64| {
        corde_net_joint::torques(
            &at(q),
            spins.map(real),
            real(rest),
            real(compliance),
            o.map(vector),
            friction,
        )
        .map(|t| DVec3::new(t.x, t.y, t.z))
    };
    let step = 1e-6;
    for which in 0..2 {
        for axis in DVec3::AXES {
            let turned = |size: f64| {
                let mut q = q;
                q[which] *= DQuat::from_scaled_axis(axis * size);
                energy(q)
            };
            let slope = (turned(-step) - turned(step)) / (2.0 * step);
            let found = torques(0.0)[which].dot(axis);
            assert!((slope - found).abs() < 1e-8, "frame {which}, {axis}: {found} and {slope}");
        }
    }
    for friction in [0.0, 0.7] {
        let [a, b] = torques(friction);
        assert!((q[0] * a + q[1] * b).length() < 1e-12, "{a} and {b}");
    }
    // Friction takes the energy of the relative motion, and nothing from a common one.
    let rub: Vec<DVec3> =
        torques(0.7).iter().zip(torques(0.0)).map(|(with, without)| *with - without).collect();
    let difference = q[1] * spins[1] - q[0] * spins[0];
    let power = rub[0].dot(spins[0]) + rub[1].dot(spins[1]);
    assert!((power + 0.7 * difference.length_squared()).abs() < 1e-12, "{power}");
}

fn vector(q: DQuat) -> Vec4<f64> {
    Vec4::from_array(q.to_array())
}

/// φ is a rotation vector, so a frame turned by it composes with the Gibbs vector φ/2.
#[test]
fn the_gradients_of_a_joint_are_its_finite_differences() {
    const STEP: f64 = 1e-6;
    let unit = |x: f64, y: f64, z: f64, w: f64| vector(DQuat::from_xyzw(x, y, z, w).normalize());
    let q = [unit(0.2, -0.5, 0.3, 0.8), unit(0.3, -0.3, 0.45, 0.75)];
    let o = [unit(0.1, 0.7, -0.2, 0.4), unit(-0.3, 0.5, -0.4, 0.5)];
    let g = [Vec3::of([0.05, -0.02, 0.08]), Vec3::of([-0.03, 0.06, 0.01])];
    let here = joint(q, g, o);
    for i in 0..3 {
        let axis = |size: f64| Vec3::of(DVec3::AXES[i].to_array().map(|c| c * size));
        let moved = |which: usize, size: f64| {
            let mut g = g;
            g[which] = turn::compose(g[which], axis(0.5 * size));
            joint(q, g, o).relative.xyz()
        };
        let slope = |which: usize| (moved(which, STEP) - moved(which, -STEP)) / STEP;
        assert!((slope(1) - here.second.apply(axis(1.0))).length() < 1e-8, "second frame, axis {i}");
        assert!((slope(0) + here.first.apply(axis(1.0))).length() < 1e-8, "first frame, axis {i}");
    }
}
