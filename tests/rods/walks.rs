//! Walks along rods: the bits of the passes that they replace, on all backends, in lanes and alone.

use glam::DVec3;
use sinew::compute::{
    AdapterChoice, CpuExecutor, Data, Executor, Gpu, GpuExecutor, Order, Run, compare_runs,
};
use sinew::math::Width;
use sinew::model::Model;
use sinew::scene::{Copies, Hold, Rod, RodEnd, RodMaterial, RodMethod, RodRest, RodShape, Scene};
use sinew::solver::{Cores, Solver};

/// f32 rounding after one pass.
const TOLERANCE: f64 = 1e-5;

/// Curved rods of which so many are alike, with walls at both ends, at one, and at none.
fn field(count: u32, material: RodMaterial) -> Scene {
    let rod = |start: Hold, end: Hold, segments: u32, height: f64| Rod {
        shape: RodShape::Helix { radius: 0.1, pitch: 0.05, turns: 1.5, segments },
        material,
        method: RodMethod::Coloured,
        rest: RodRest::Curved(DVec3::new(1.0, 4.0, 0.5)),
        start: RodEnd { hold: start, ..RodEnd::default() },
        end: RodEnd { hold: end, ..RodEnd::default() },
        copies: Copies { count: [count, 1], ..Copies::default() },
        position: DVec3::Y * height,
        rotation: DVec3::new(20.0, 30.0, 40.0),
        ..Rod::default()
    };
    // An even number of frames each: only then is every second frame of all the same as every second of each.
    let rods = vec![
        rod(Hold::Clamped, Hold::Clamped, 12, 0.0),
        rod(Hold::Clamped, Hold::Free, 15, 1.0),
        rod(Hold::Pinned, Hold::Free, 2, 2.0),
        rod(Hold::Free, Hold::Clamped, 13, 3.0),
    ];
    Scene { rod: rods, substeps: 4, damping: 0.5, relaxation: 0.9, ..Scene::default() }
}

fn solver(scene: &Scene, cores: Cores) -> Solver {
    Solver::with_cores(&Model::new(scene).unwrap(), cores).unwrap()
}

fn names(solver: &Solver) -> Vec<&'static str> {
    solver.passes.list[solver.substep()].iter().map(|pass| pass.kernel.name).collect()
}

/// The state after some steps.
fn state(solver: &Solver, mut executor: impl Executor, runs: &[Run]) -> Vec<Data> {
    executor.execute(runs).unwrap();
    solver.buffers.state().map(|id| executor.read(id).unwrap()).collect()
}

fn cpu(solver: &Solver) -> CpuExecutor<f32> {
    CpuExecutor::new(&solver.buffers, &solver.passes)
}

#[test]
fn walks_have_the_bits_of_the_passes_that_they_replace() {
    for iterations in [1, 3] {
        let scene = Scene { iterations, ..field(19, RodMaterial::ROPE) };
        let [few, many] = [Cores::Few, Cores::Many].map(|cores| solver(&scene, cores));
        assert_eq!(names(&few).iter().filter(|name| **name == "walk_rods").count(), iterations as usize);
        assert_eq!(
            names(&many).iter().filter(|name| **name == "bend_twist").count(),
            2 * iterations as usize
        );
        let expected = state(&many, cpu(&many), &many.steps(5));
        assert_eq!(expected, state(&few, cpu(&few), &few.steps(5)), "{iterations} iterations");
    }
}

#[test]
fn walks_depend_neither_on_lanes_nor_on_the_order_of_calls() {
    for iterations in [1, 2] {
        let few = solver(&Scene { iterations, ..field(19, RodMaterial::ROPE) }, Cores::Few);
        let expected = state(&few, cpu(&few).with_width(Width::One), &few.steps(3));
        for width in [Width::Four, Width::Eight] {
            assert_eq!(expected, state(&few, cpu(&few).with_width(width), &few.steps(3)), "{width:?}");
        }
        for order in [Order::Forward, Order::Backward] {
            assert_eq!(expected, state(&few, cpu(&few).with_order(order), &few.steps(3)), "{order:?}");
        }
    }
}

#[test]
fn walks_match_their_twins() {
    let gpu = Gpu::open(&AdapterChoice::default()).unwrap_or_else(|error| panic!("{error}"));
    // So soft that what stretches them is far above the rounding of their lengths.
    let soft = RodMaterial { youngs_modulus: 2e4, ..RodMaterial::RUBBER };
    for iterations in [1, 2] {
        let few = solver(&Scene { iterations, ..field(16, soft) }, Cores::Few);
        let mut device = GpuExecutor::new(&gpu, &few.buffers, &few.passes).unwrap();
        // Not from rest: there, velocities are nothing but the rounding of positions over the step.
        let mut cpu = cpu(&few);
        cpu.execute(&few.steps(10)).unwrap();
        let compared = compare_runs(&few.buffers, &few.passes, 8, [&mut cpu, &mut device], TOLERANCE);
        let largest = compared.unwrap().unwrap_or_else(|difference| panic!("{difference}"));
        println!("{iterations} iterations: largest difference {largest:.1e}");
    }
}

/// Fewer rods than fill the lanes of a small machine's cores take the passes of a device.
#[test]
fn few_rods_are_not_walked_along() {
    let walks = |count: u32| {
        let mut scene = field(19, RodMaterial::ROPE);
        scene.rod.iter_mut().for_each(|rod| rod.copies.count = [count, 1]);
        names(&solver(&scene, Cores::Few)).contains(&"walk_rods")
    };
    assert_eq!([2, 19].map(walks), [false, true]);
}
