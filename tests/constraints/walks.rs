//! Links that are walked on software adapters, and substeps that are joined: the passes that they replace, on both backends.

use crate::fixture::gpu;
use glam::DVec3;
use sinew::compute::{CpuExecutor, Data, Executor, GpuExecutor, Order, Run, compare_runs};
use sinew::math::Width;
use sinew::model::Model;
use sinew::scene::{
    Bending, Cloth, ClothShape, Collider, ColliderShape, Edge, Pin, Points, Scene, Selector, SolverKind,
    Tethers,
};
use sinew::solver::{Cores, Solver};

/// f32 rounding after one pass.
const TOLERANCE: f64 = 1e-5;

fn grid(cells: [u32; 2]) -> Cloth {
    Cloth {
        shape: ClothShape::Grid { size: [1.0, 0.6], cells },
        rotation: DVec3::new(-70.0, 20.0, 10.0),
        bending: Bending::Distance,
        pin: vec![Pin { selector: Selector::Edge(Edge::Left), ..Pin::default() }],
        ..Cloth::default()
    }
}

fn disc() -> Cloth {
    Cloth {
        shape: ClothShape::Disc { radius: 0.5, rings: 14 },
        irregular: 0.3,
        pin: Vec::new(),
        ..grid([1, 1])
    }
}

fn scene(cloth: Vec<Cloth>) -> Scene {
    Scene { cloth, substeps: 5, damping: 0.4, relaxation: 0.95, ..Scene::default() }
}

fn solver(scene: &Scene, cores: Cores) -> Solver {
    Solver::with_cores(&Model::new(scene).unwrap(), cores).unwrap()
}

fn names(solver: &Solver) -> Vec<&'static str> {
    solver.passes.list[solver.substep.clone()].iter().map(|pass| pass.kernel.name).collect()
}

fn cpu(solver: &Solver) -> CpuExecutor<f32> {
    CpuExecutor::new(&solver.buffers, &solver.passes)
}

/// The state after some runs.
fn state(solver: &Solver, mut executor: impl Executor, runs: &[Run]) -> Vec<Data> {
    executor.execute(runs).unwrap();
    solver.buffers.state().map(|id| executor.read(id).unwrap()).collect()
}

/// Where the particles are after some steps in f64.
fn positions(solver: &Solver, steps: u32) -> Vec<DVec3> {
    let mut executor = CpuExecutor::<f64>::new(&solver.buffers, &solver.passes);
    executor.execute(&solver.steps(steps)).unwrap();
    let data = executor.read(solver.positions).unwrap();
    data.reals().chunks_exact(4).map(|x| DVec3::new(x[0], x[1], x[2])).collect()
}

/// The largest distance between two states.
fn apart(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
}

#[test]
fn walks_and_joined_substeps_match_their_twins() {
    for (solver_kind, iterations) in
        [(SolverKind::Coloured, 1), (SolverKind::Coloured, 3), (SolverKind::Jacobi, 1)]
    {
        for cloth in [vec![grid([30, 20]), disc()], vec![grid([3, 2])]] {
            let scene = Scene { solver: solver_kind, iterations, ..scene(cloth) };
            let solver = solver(&scene, Cores::Emulated);
            assert_eq!(solver.whole.is_some(), iterations == 1);
            let mut device = GpuExecutor::new(gpu(), &solver.buffers, &solver.passes).unwrap();
            let mut cpu = cpu(&solver);
            // Not from rest: there, velocities are nothing but the rounding of positions over the step.
            cpu.execute(&solver.steps(5)).unwrap();
            let compared =
                compare_runs(&solver.buffers, &solver.passes, 3, [&mut cpu, &mut device], TOLERANCE);
            let largest = compared.unwrap().unwrap_or_else(|difference| panic!("{difference}"));
            println!("{solver_kind:?}, {iterations} iterations: largest difference {largest:.1e}");
        }
    }
}

#[test]
fn joined_substeps_have_the_bits_of_the_passes_that_they_replace() {
    for substeps in [2, 3, 10] {
        for (kind, cores) in [
            (SolverKind::Coloured, Cores::Emulated),
            (SolverKind::Jacobi, Cores::Few),
            (SolverKind::Jacobi, Cores::Many),
        ] {
            let scene = Scene { solver: kind, substeps, ..scene(vec![grid([25, 18]), disc()]) };
            let solver = solver(&scene, cores);
            assert!(solver.whole.is_some());
            let by_pass = [
                Run { passes: solver.substep.clone(), times: 4 * substeps },
                Run { passes: solver.finish.clone(), times: 1 },
            ];
            let expected = state(&solver, cpu(&solver), &by_pass);
            let what = format!("{kind:?} for {cores:?}, {substeps} substeps");
            assert!(expected == state(&solver, cpu(&solver), &solver.steps(4)), "{what}");
            if cores != Cores::Many {
                let device = || GpuExecutor::new(gpu(), &solver.buffers, &solver.passes).unwrap();
                let expected = state(&solver, device(), &by_pass);
                assert!(expected == state(&solver, device(), &solver.steps(4)), "{what}, on the device");
            }
        }
    }
}

/// Nobody may see what another walk of the same pass does, in whatever order they go.
#[test]
fn neither_lanes_nor_the_order_of_walks_matter() {
    for (kind, iterations) in [(SolverKind::Coloured, 1), (SolverKind::Coloured, 2), (SolverKind::Jacobi, 1)]
    {
        let scene = Scene { solver: kind, iterations, ..scene(vec![grid([40, 30]), disc()]) };
        let solver = solver(&scene, Cores::Emulated);
        let expected = state(&solver, cpu(&solver).with_width(Width::One), &solver.steps(3));
        for order in [Order::Forward, Order::Backward, Order::Parallel] {
            assert!(
                expected == state(&solver, cpu(&solver).with_order(order), &solver.steps(3)),
                "{order:?}"
            );
        }
    }
}

/// A body walks as it would alone, whatever else there is and whether it can have its substeps joined or not.
#[test]
fn other_bodies_change_nothing() {
    let far = DVec3::X * 100.0;
    let alone = scene(vec![grid([30, 20])]);
    let mut beside = alone.clone();
    beside.cloth.insert(0, Cloth { position: far, bending: Bending::Isometric, ..disc() });
    beside.points.push(Points { position: far * 2.0, ..Points::default() });
    beside.collider.push(Collider {
        shape: ColliderShape::Sphere { radius: 0.1 },
        position: far,
        ..Collider::default()
    });
    let [alone_solver, beside_solver] = [&alone, &beside].map(|scene| solver(scene, Cores::Emulated));
    assert!(alone_solver.whole.is_some() && beside_solver.whole.is_none());
    let read = |solver: &Solver| {
        let mut cpu = cpu(solver);
        cpu.execute(&solver.steps(5)).unwrap();
        cpu.read(solver.positions).unwrap().reals().to_vec()
    };
    let (expected, found) = (read(&alone_solver), read(&beside_solver));
    let model = Model::new(&beside).unwrap();
    let first = 4 * model.bodies[1].particles.start as usize;
    assert!(expected == found[first..first + expected.len()]);
}

/// A body that has become non-finite does not spread to others, whose walks are in the same passes.
#[test]
fn what_is_not_finite_stays_in_its_body() {
    for iterations in [1, 2] {
        let solver =
            solver(&Scene { iterations, ..scene(vec![grid([6, 4]), grid([30, 20])]) }, Cores::Emulated);
        let model = Model::new(&scene(vec![grid([6, 4]), grid([30, 20])])).unwrap();
        let first = 4 * model.bodies[1].particles.start as usize;
        let executors: [Box<dyn Executor>; 2] = [
            Box::new(cpu(&solver)),
            Box::new(GpuExecutor::new(gpu(), &solver.buffers, &solver.passes).unwrap()),
        ];
        for mut executor in executors {
            let Data::Reals(mut x) = executor.read(solver.positions).unwrap() else { unreachable!("reals") };
            x[..3].fill(f64::NAN);
            executor.write(solver.positions, &Data::Reals(x)).unwrap();
            executor.execute(&solver.steps(2)).unwrap();
            let x = executor.read(solver.positions).unwrap();
            assert!(x.reals()[..first].iter().any(|c| c.is_nan()));
            assert!(x.reals()[first..].iter().all(|c| c.is_finite()));
        }
    }
}

/// Tethers reach across all strips to pins, which nobody moves: their sheet is walked, but not with joined substeps.
#[test]
fn tethers_are_walked_by_the_end_that_moves() {
    let tethered = |cores| {
        let cloth = Cloth { tethers: Some(Tethers::default()), ..grid([40, 30]) };
        solver(&Scene { iterations: 20, ..scene(vec![cloth]) }, cores)
    };
    let walked = tethered(Cores::Emulated);
    assert!(names(&walked).contains(&"walk_links") && walked.whole.is_none());
    let expected = state(&walked, cpu(&walked).with_order(Order::Forward), &walked.steps(2));
    assert!(expected == state(&walked, cpu(&walked).with_order(Order::Backward), &walked.steps(2)));
    let centre = |solver: &Solver| {
        let all = positions(solver, 60);
        all.iter().sum::<DVec3>() / all.len() as f64
    };
    let apart = centre(&walked).distance(centre(&tethered(Cores::Few)));
    println!("centres apart by {apart:.1e} m");
    assert!(apart < 0.01, "{apart}");
}

/// The order of links is the solver's business; where a sheet comes to rest is not, but for what a substep's gradients, taken
/// on the way, leave open: Jacobi and colours differ by as much.
#[test]
fn walks_come_to_rest_where_colours_do() {
    let settled = |cores| {
        let top = Pin { selector: Selector::Edge(Edge::Top), ..Pin::default() };
        let cloth = Cloth { stretch_stiffness: 20.0, rotation: DVec3::ZERO, pin: vec![top], ..grid([12, 9]) };
        let scene = Scene { iterations: 40, damping: 5.0, ..scene(vec![cloth]) };
        positions(&solver(&scene, cores), 300)
    };
    let [walked, coloured] = [Cores::Emulated, Cores::Few].map(settled);
    let low = |all: &[DVec3]| all.iter().map(|x| x.y).fold(f64::MAX, f64::min);
    let apart = apart(&walked, &coloured);
    println!("apart by {apart:.1e} m, lowest at {:.4} m", low(&coloured));
    assert!(low(&coloured) < -0.305 && apart < 2e-5, "{} {apart}", low(&coloured));
}

/// A sheet that floats freely keeps its momentum.
#[test]
fn walks_conserve_momentum() {
    let mut cloth = grid([24, 16]);
    cloth.pin.clear();
    cloth.velocity = DVec3::new(0.3, 0.2, -0.1);
    let scene = Scene { gravity: DVec3::ZERO, damping: 0.0, iterations: 2, ..scene(vec![cloth]) };
    let mut model = Model::new(&scene).unwrap();
    // Stretched, so that there is something to correct.
    model.particles.positions.iter_mut().for_each(|x| *x *= 1.02);
    let solver = Solver::with_cores(&model, Cores::Emulated).unwrap();
    assert!(names(&solver).contains(&"walk_links"));
    let mut executor = CpuExecutor::<f64>::new(&solver.buffers, &solver.passes);
    let mut momentum = || {
        let mut read = |id| {
            let data = executor.read(id).unwrap();
            data.reals().chunks_exact(4).map(|x| DVec3::new(x[0], x[1], x[2])).collect::<Vec<_>>()
        };
        let v = read(solver.velocities);
        executor.execute(&solver.steps(1)).unwrap();
        model.particles.masses.iter().zip(v).map(|(&m, v)| m * v).sum::<DVec3>()
    };
    let start = momentum();
    let later = (0..20).map(|_| momentum()).last().unwrap();
    assert!((later - start).length() < 1e-12 * start.length(), "{later} {start}");
}
