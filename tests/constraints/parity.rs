//! Every constraint kernel on the device against its twin, one pass from the same random input.

use crate::fixture::{
    BASE, Choice, DT, ELEMENTS, KINDS, Kind, MODES, Mode, Random, Setup, UNWRITTEN, gpu, run, twin,
};
use sinew::compute::{
    CpuExecutor, Difference, GpuExecutor, Kernel, Launch, Order, Passes, Role, Tables, compare_pass,
};
use sinew::constraints::gather;
use sinew::constraints::iterate::KEEP;

/// f32 rounding after one pass, relative to the size of the buffer's values.
const TOLERANCE: f64 = 1e-5;

/// Well-shaped elements alone and with spoiled ones among them.
fn choices() -> impl Iterator<Item = Choice> {
    MODES.into_iter().flat_map(|mode| [choice(mode, false), choice(mode, true)])
}

fn choice(mode: Mode, spoiled: bool) -> Choice {
    Choice { mode, spoiled, busy: true, compliance: 1.0, relaxation: 0.9 }
}

/// Iterations and Chebyshev weights that between them reach every branch of the bookkeeping.
const ITERATIONS: [(u32, f64); 3] = [(0, 1.0), (1, 1.0), (1, 1.4)];

fn report(kind: Kind, choice: Choice, iteration: u32, weight: f64, largest: f64) {
    let shape = if choice.spoiled { "some spoiled" } else { "well shaped" };
    eprintln!("{kind:?} {:?}, {shape}, iteration {iteration}, weight {weight}: {largest:.1e}", choice.mode);
}

fn compare_with_device(setup: &Setup, passes: &Passes) -> Result<f64, Difference> {
    let mut device = GpuExecutor::new(gpu(), &setup.buffers, passes).unwrap();
    let mut cpu = twin(setup, passes);
    compare_pass(&setup.buffers, passes, 0, [&mut device, &mut cpu], TOLERANCE).unwrap()
}

#[test]
fn every_constraint_matches_its_twin() {
    for kind in KINDS {
        for choice in choices() {
            let setup = Setup::new(kind, choice, 1);
            for (iteration, weight) in ITERATIONS {
                let passes = setup.pass(setup.launch(iteration, weight));
                let largest = compare_with_device(&setup, &passes)
                    .unwrap_or_else(|difference| panic!("{kind:?} {choice:?}: {difference}"));
                report(kind, choice, iteration, weight, largest);
            }
        }
    }
}

#[test]
fn the_twins_in_f32_stay_near_those_in_f64() {
    for kind in KINDS {
        for choice in choices() {
            let setup = Setup::new(kind, choice, 2);
            for (iteration, weight) in ITERATIONS {
                let passes = setup.pass(setup.launch(iteration, weight));
                let mut single = twin(&setup, &passes);
                let mut double = CpuExecutor::<f64>::new(&setup.buffers, &passes);
                let largest = compare_pass(&setup.buffers, &passes, 0, [&mut single, &mut double], TOLERANCE)
                    .unwrap()
                    .unwrap_or_else(|difference| panic!("{kind:?} {choice:?}: {difference}"));
                report(kind, choice, iteration, weight, largest);
            }
        }
    }
}

/// Corrections gathered by particles with none, one and many slots.
fn gather_buffers() -> (Tables, u32) {
    let mut random = Random(3);
    let (particles, slots) = (ELEMENTS, 4 * ELEMENTS);
    let mut starts = vec![0];
    let mut order: Vec<u32> = Vec::new();
    for i in 0..particles {
        let many = if i % 50 == 0 { 40 } else { random.below(8) };
        order.extend((0..many).map(|_| random.below(slots)));
        starts.push(order.len() as u32);
    }
    let mut buffers = Tables::new();
    let corrections = (0..slots).map(|_| {
        let p = random.point(0.01);
        [p[0], p[1], p[2], 0.0]
    });
    buffers.real4s("corrections", Role::Scratch, corrections.collect()).unwrap();
    buffers.uints("gather_starts", Role::Model, starts).unwrap();
    buffers.uints("gather_slots", Role::Model, order).unwrap();
    let iterate = (0..particles).map(|_| {
        let p = random.point(0.01);
        [p[0], p[1], p[2], 1.5]
    });
    buffers.real4s("offsets_next", Role::Scratch, iterate.collect()).unwrap();
    (buffers, particles)
}

fn compare_gather(kernel: &'static Kernel) -> Result<f64, Difference> {
    let (buffers, particles) = gather_buffers();
    let mut passes = Passes::with_dt(DT);
    passes.run(&buffers, kernel, Launch { weight: 1.25, ..Launch::over(particles) }).unwrap();
    let mut device = GpuExecutor::new(gpu(), &buffers, &passes).unwrap();
    let mut cpu = CpuExecutor::<f32>::new(&buffers, &passes);
    compare_pass(&buffers, &passes, 0, [&mut device, &mut cpu], TOLERANCE).unwrap()
}

#[test]
fn gather_matches_its_twin() {
    compare_gather(&gather::KERNEL).unwrap_or_else(|difference| panic!("{difference}"));
}

/// The same kernel with an error in its shader.
fn plant(kernel: &Kernel, from: &str, to: &str) -> &'static Kernel {
    assert_eq!(kernel.source.matches(from).count(), 1, "{}: `{from}` is not in one place", kernel.name);
    Box::leak(Box::new(Kernel {
        name: kernel.name,
        path: kernel.path,
        source: Box::leak(kernel.source.replace(from, to).into_boxed_str()),
        grain: kernel.grain,
        bindings: kernel.bindings,
        lanes_f32: kernel.lanes_f32,
        twin_f32: kernel.twin_f32,
        twin_f64: kernel.twin_f64,
        disjoint: kernel.disjoint,
    }))
}

#[test]
fn the_comparison_finds_planted_errors() {
    let errors = [
        (Kind::Dihedral, "c.o1, c.x1.w * dl * f.g1", "c.o1, c.x1.w * dl * f.g3"),
        (Kind::Dihedral, "rest.y / (launch.dt * launch.dt)", "1.001 * rest.y / (launch.dt * launch.dt)"),
        (Kind::Isometric, "weights.y * c +", "weights.y * a +"),
        (Kind::Isometric, "lambda + dl, launch.weight", "lambda + dl, 1.0"),
        (Kind::Area, "cross(b, half)", "cross(half, b)"),
        (Kind::Area, "let half = (0.5 / length)", "let half = (0.5001 / length)"),
        (Kind::Volume, "cross(c, a)", "cross(a, c)"),
        (Kind::Volume, "iterate_apply(4u * number + 3u, i.w,", "iterate_apply(4u * number + 2u, i.z,"),
        (Kind::Attachment, "c + tilde * lambda", "c - tilde * lambda"),
        (Kind::Attachment, "goal.w * o.w", "o.w"),
    ];
    for (kind, from, to) in errors {
        let wrong = plant(kind.kernel(), from, to);
        for mode in MODES {
            let setup = Setup::new(kind, choice(mode, false), 1);
            let mut passes = Passes::with_dt(DT);
            passes.run(&setup.buffers, wrong, setup.launch(1, 1.4)).unwrap();
            match compare_with_device(&setup, &passes) {
                Err(difference) => eprintln!("`{from}` → `{to}`, {mode:?}: {difference}"),
                Ok(largest) => panic!("{kind:?} {mode:?}: `{to}` passed with {largest:.1e}"),
            }
        }
    }
    let wrong = plant(&gather::KERNEL, "sum += corrections", "sum -= corrections");
    assert!(compare_gather(wrong).is_err());
}

#[test]
fn results_do_not_depend_on_the_order_of_calls() {
    let all = |setup: &Setup, order: Order| -> Vec<Vec<u64>> {
        let passes = setup.pass(setup.launch(1, 1.4));
        let mut cpu = twin(setup, &passes).with_order(order);
        run(&mut cpu, &passes);
        let names = ["offsets", "corrections", setup.kind.lambdas()];
        let bits = |values: Vec<f64>| values.into_iter().map(f64::to_bits).collect();
        names.map(|name| bits(setup.read(&mut cpu, name))).to_vec()
    };
    for kind in KINDS {
        for choice in choices() {
            let setup = Setup::new(kind, choice, 4);
            assert_eq!(all(&setup, Order::Forward), all(&setup, Order::Backward), "{kind:?} {choice:?}");
        }
    }
    let (buffers, particles) = gather_buffers();
    let gathered = |order| {
        let mut passes = Passes::with_dt(DT);
        passes.run(&buffers, &gather::KERNEL, Launch { weight: 1.25, ..Launch::over(particles) }).unwrap();
        let mut cpu = CpuExecutor::<f32>::new(&buffers, &passes).with_order(order);
        run(&mut cpu, &passes);
        sinew::compute::Executor::read(&mut cpu, buffers.find("offsets_next").unwrap()).unwrap()
    };
    assert_eq!(gathered(Order::Forward), gathered(Order::Backward));
}

#[test]
fn jacobi_leaves_the_offsets_alone_and_fills_exactly_its_own_slots() {
    for kind in KINDS {
        let setup = Setup::new(kind, choice(Mode::Jacobi, true), 5);
        let passes = setup.pass(setup.launch(0, 1.0));
        let mut cpu = twin(&setup, &passes);
        let before = setup.read(&mut cpu, "offsets");
        run(&mut cpu, &passes);
        assert_eq!(setup.read(&mut cpu, "offsets"), before, "{kind:?}");
        let slots = setup.read(&mut cpu, "corrections");
        let (head, own) = slots.split_at(4 * BASE as usize);
        assert!(head.iter().all(|&x| x == UNWRITTEN), "{kind:?} writes below its base");
        assert!(own.iter().all(|&x| x != UNWRITTEN), "{kind:?} leaves a slot unwritten");
    }
}

#[test]
fn multipliers_are_stored_only_for_a_later_pass() {
    for kind in KINDS {
        let setup = Setup::new(kind, choice(Mode::Coloured, true), 6);
        let launch = setup.launch(1, 1.0);
        let after = |launch| {
            let passes = setup.pass(launch);
            let mut cpu = twin(&setup, &passes);
            let before = setup.read(&mut cpu, kind.lambdas());
            run(&mut cpu, &passes);
            setup.read(&mut cpu, kind.lambdas()) == before
        };
        assert!(after(Launch { flags: launch.flags & !KEEP, ..launch }), "{kind:?}");
        assert!(!after(launch), "{kind:?}");
    }
}
