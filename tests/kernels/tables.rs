//! Lists whose rows the device counts: the same rows and the same state at any capacity, on either backend.
//!
//! A toy: `seeds` change from step to step, each gives some rows to the list `first`, each of those some to `second`, and
//! the sums over both go back into the seeds, so that a row too few would show in all that follows.

use sinew::compute::{
    Access, AdapterChoice, Binding, Bound, ComputeError, CpuExecutor, Data, Disjoint, Element, Executor,
    Extent, Gpu, GpuExecutor, Grain, Kernel, Launch, Passes, Role, Run, STATUS, TableId, Tables, Transaction,
    compare_runs,
};
use sinew::math::Real;
use sinew::primitives::list::{self, Source};
use std::ops::Range;

/// More than a block of the scan.
const SEEDS: u32 = 5000;
/// Rows that one element gives at most.
const GIVES: u32 = 3;
const STEPS: u32 = 6;

/// Declares a kernel whose shader stands here: its uniform `launch` is binding 0, and the rest is in the order given.
macro_rules! toy {
    ($kernel:ident, $name:literal, [$($access:ident $binding:literal),*], $source:literal, $twin:ident) => {
        static $kernel: Kernel = Kernel {
            name: $name,
            path: concat!("toy/", $name),
            source: concat!("#import launch\n@group(0) @binding(0) var<uniform> launch: Launch;\n", $source),
            grain: Grain::Invocation,
            bindings: &[$(Binding { name: $binding, access: Access::$access, element: "uint" }),*],
            twin_f32: $twin::<f32>,
            twin_f64: $twin::<f64>,
            lanes_f32: None,
            // SAFETY: an invocation writes elements that no other one touches.
            disjoint: unsafe { Disjoint::promise() },
        };
    };
}

toy!(COUNT, "toy_count", [Read "given", Write "counts"],
    "@group(0) @binding(1) var<storage, read> given: array<u32>;
    @group(0) @binding(2) var<storage, read_write> counts: array<u32>;
    @compute @workgroup_size(64) fn toy_count(@builtin(global_invocation_id) id: vec3<u32>) {
        let i = launch_id(id);
        if i >= launch.count { return; }
        counts[i] = (given[i] >> 5u) % (launch.index + 1u);
    }", count);

fn count<R: Real>(b: &Bound<'_, R>, range: Range<u32>) {
    let (given, counts) = (b.read::<u32>(0), b.write::<u32>(1));
    range.for_each(|i| counts.set(i, (given[i as usize] >> 5) % (b.launch.index + 1)));
}

toy!(FILL, "toy_fill", [Read "given", Read "starts", Write "rows"],
    "@group(0) @binding(1) var<storage, read> given: array<u32>;
    @group(0) @binding(2) var<storage, read> starts: array<u32>;
    @group(0) @binding(3) var<storage, read_write> rows: array<u32>;
    @compute @workgroup_size(64) fn toy_fill(@builtin(global_invocation_id) id: vec3<u32>) {
        let i = launch_id(id);
        if i >= launch.count { return; }
        for (var k = starts[i]; k < starts[i + 1u]; k++) {
            if k < arrayLength(&rows) { rows[k] = given[i] * 747796405u + (k - starts[i]); }
        }
    }", fill);

fn fill<R: Real>(b: &Bound<'_, R>, range: Range<u32>) {
    let (given, starts, rows) = (b.read::<u32>(0), b.read::<u32>(1), b.write::<u32>(2));
    for i in range {
        let first = starts[i as usize];
        for k in (first..starts[i as usize + 1]).filter(|&k| (k as usize) < rows.len()) {
            rows.set(k, given[i as usize].wrapping_mul(747796405).wrapping_add(k - first));
        }
    }
}

toy!(GATHER, "toy_gather", [Read "rows", Read "starts", Write "sums"],
    "@group(0) @binding(1) var<storage, read> rows: array<u32>;
    @group(0) @binding(2) var<storage, read> starts: array<u32>;
    @group(0) @binding(3) var<storage, read_write> sums: array<u32>;
    @compute @workgroup_size(64) fn toy_gather(@builtin(global_invocation_id) id: vec3<u32>) {
        let i = launch_id(id);
        if i >= launch.count { return; }
        var sum = sums[i] * 1664525u + 1013904223u;
        for (var k = starts[i]; k < starts[i + 1u]; k++) {
            if k < arrayLength(&rows) { sum += rows[k] ^ (rows[k] >> 7u); }
        }
        sums[i] = sum;
    }", gather);

fn gather<R: Real>(b: &Bound<'_, R>, range: Range<u32>) {
    let (rows, starts, sums) = (b.read::<u32>(0), b.read::<u32>(1), b.write::<u32>(2));
    for i in range {
        let mut sum = sums.get(i).wrapping_mul(1664525).wrapping_add(1013904223);
        for k in (starts[i as usize]..starts[i as usize + 1]).filter(|&k| (k as usize) < rows.len()) {
            sum = sum.wrapping_add(rows[k as usize] ^ (rows[k as usize] >> 7));
        }
        sums.set(i, sum);
    }
}

struct Toy {
    tables: Tables,
    passes: Passes,
    lists: [TableId; 2],
}

/// The toy with room for so many rows in both lists at first, and for `most` ever.
fn toy(capacity: u32, most: u32) -> Toy {
    let mut tables = Tables::new();
    let seeds = (0..SEEDS).map(|i| (i ^ 0x9e37).wrapping_mul(2654435769)).collect();
    tables.uints("seeds", Role::State, seeds).unwrap();
    let from_seeds = Source::Elements(SEEDS);
    let first = list::declare(&mut tables, "first", from_seeds, capacity, most).unwrap();
    tables.zeros(first, "first_rows", Element::Uint, Role::State, [1, 0]).unwrap();
    let from_first = Source::Rows(first);
    let second = list::declare(&mut tables, "second", from_first, capacity, most).unwrap();
    tables.zeros(second, "second_rows", Element::Uint, Role::Scratch, [1, 0]).unwrap();
    let mut passes = Passes::new();
    let launch = Launch { index: GIVES, ..Launch::over(0) };
    let mut make = |name: &str, source, given: &str| {
        let (counts, starts, rows) =
            (format!("{name}_counts"), format!("{name}_starts"), format!("{name}_rows"));
        let (counting, filling) = (
            [("given", given), ("counts", counts.as_str())],
            [("given", given), ("starts", starts.as_str()), ("rows", rows.as_str())],
        );
        list::make(
            &mut passes,
            &mut tables,
            name,
            source,
            (&COUNT, launch, &counting),
            (&FILL, launch, &filling),
        )
        .unwrap();
    };
    make("first", from_seeds, "seeds");
    make("second", from_first, "first_rows");
    let down = [("rows", "second_rows"), ("starts", "second_starts"), ("sums", "first_rows")];
    passes.over(&tables, &GATHER, Launch::over(0), Extent::of(first), &down).unwrap();
    let down = [("rows", "first_rows"), ("starts", "first_starts"), ("sums", "seeds")];
    passes.run_as(&tables, &GATHER, Launch::over(SEEDS), &down).unwrap();
    passes.link(&mut tables).unwrap();
    Toy { tables, passes, lists: [first, second] }
}

fn gpu() -> Gpu {
    let gpu = Gpu::open(&AdapterChoice::default()).unwrap_or_else(|error| panic!("{error}"));
    println!("adapter: {}", gpu.report.title());
    gpu
}

/// Runs steps as transactions, and returns how often any was repeated.
fn run(toy: &mut Toy, executor: &mut dyn Executor, steps: u32) -> Result<u32, ComputeError> {
    let mut repeated = 0;
    for _ in 0..steps {
        let mut transaction = Transaction::begin(executor, &toy.tables)?;
        loop {
            executor.execute(&[Run { passes: 0..toy.passes.list.len(), times: 1 }])?;
            if transaction.end(executor, &mut toy.tables)?.is_some() {
                break;
            }
            repeated += 1;
        }
    }
    Ok(repeated)
}

/// The seeds, and the live rows of both lists.
fn outcome(toy: &Toy, executor: &mut dyn Executor) -> Vec<Data> {
    let mut data = vec![executor.read(toy.tables.find("seeds").unwrap()).unwrap()];
    for (table, name) in toy.lists.into_iter().zip(["first_rows", "second_rows"]) {
        let rows = toy.tables.live_rows(table, &mut |column| executor.read(column)).unwrap();
        let id = toy.tables.find(name).unwrap();
        data.push(executor.read(id).unwrap().first(toy.tables.live_scalars(id, rows)));
    }
    data
}

#[test]
fn results_do_not_depend_on_capacity() {
    let gpu = gpu();
    let most = GIVES * GIVES * SEEDS;
    let mut reference = toy(most, most);
    let mut executor = CpuExecutor::<f64>::new(&reference.tables, &reference.passes);
    assert_eq!(run(&mut reference, &mut executor, STEPS).unwrap(), 0, "nothing can be short");
    let expected = outcome(&reference, &mut executor);
    let status = executor.read(reference.tables.find(STATUS).unwrap()).unwrap();
    let [_, first, _, second] = status.uints() else { panic!("two tables: {status:?}") };
    assert!(expected[2].len() > 4096 && second > first, "the second list is long: {status:?}");
    // One row, what the longer list needs in the end, and more than enough.
    for capacity in [1, *second, 2 * *second] {
        for on_device in [false, true] {
            let mut toy = toy(capacity, most);
            let mut executor: Box<dyn Executor> = if on_device {
                Box::new(GpuExecutor::new(&gpu, &toy.tables, &toy.passes).unwrap())
            } else {
                Box::new(CpuExecutor::<f32>::new(&toy.tables, &toy.passes))
            };
            let repeated = run(&mut toy, executor.as_mut(), STEPS).unwrap();
            assert_eq!(repeated > 0, capacity == 1, "room for {capacity}: {repeated} repetitions");
            assert!(
                outcome(&toy, executor.as_mut()) == expected,
                "room for {capacity} on {}",
                executor.describe()
            );
        }
    }
}

/// The state after any step, put into a simulation with room for one row, goes on as if nothing had happened.
#[test]
fn saved_rows_in_use_are_resumed_at_any_capacity() {
    let most = GIVES * GIVES * SEEDS;
    let mut whole = toy(1, most);
    let mut executor = CpuExecutor::<f32>::new(&whole.tables, &whole.passes);
    run(&mut whole, &mut executor, STEPS).unwrap();
    let expected = outcome(&whole, &mut executor);
    for step in 1..STEPS {
        let mut before = toy(most, most);
        let mut executor = CpuExecutor::<f32>::new(&before.tables, &before.passes);
        run(&mut before, &mut executor, step).unwrap();
        let saved = |toy: &Toy, executor: &mut dyn Executor| -> Vec<Data> {
            toy.tables.state().map(|id| toy.tables.read_live(executor, id).unwrap()).collect()
        };
        let state = saved(&before, &mut executor);
        assert!(state[1].len() > 1 && state[1].len() < most as usize, "only rows in use are saved");
        let mut after = toy(1, most);
        let mut executor = CpuExecutor::<f32>::new(&after.tables, &after.passes);
        after.tables.write_live(&mut executor, &state).unwrap();
        assert!(saved(&after, &mut executor) == state, "step {step}");
        run(&mut after, &mut executor, STEPS - step).unwrap();
        assert!(outcome(&after, &mut executor) == expected, "step {step}");
    }
}

#[test]
fn a_list_that_can_never_be_long_enough_ends_in_a_sentence() {
    let mut toy = toy(1, 100);
    let mut executor = CpuExecutor::<f32>::new(&toy.tables, &toy.passes);
    let before = executor.read(toy.tables.find("seeds").unwrap()).unwrap();
    let error = run(&mut toy, &mut executor, STEPS).unwrap_err();
    assert!(matches!(error, ComputeError::TooMany { most: 100, .. }), "{error:?}");
    assert!(error.to_string().contains("table `first` wants"), "{error}");
    // What could not be done is not half done either: the kept state is there for who wants it.
    executor.revert().unwrap();
    assert_eq!(executor.read(toy.tables.find("seeds").unwrap()).unwrap(), before);
}

#[test]
fn every_pass_over_counted_rows_agrees_with_its_twin() {
    let gpu = gpu();
    let toy = toy(GIVES * GIVES * SEEDS, GIVES * GIVES * SEEDS);
    let mut cpu = CpuExecutor::<f32>::new(&toy.tables, &toy.passes);
    let mut device = GpuExecutor::new(&gpu, &toy.tables, &toy.passes).unwrap();
    let worst = compare_runs(&toy.tables, &toy.passes, 2, [&mut cpu, &mut device], 0.0).unwrap();
    worst.unwrap_or_else(|difference| panic!("{difference}"));
}

#[test]
fn rows_are_counted_before_passes_go_over_them() {
    let mut tables = Tables::new();
    let list = list::declare(&mut tables, "list", Source::Elements(3), 3, 3).unwrap();
    tables.zeros(list, "rows", Element::Uint, Role::Scratch, [1, 0]).unwrap();
    let mut passes = Passes::new();
    let renamed = [("given", "rows"), ("counts", "list_counts")];
    passes.over(&tables, &COUNT, Launch::over(0), Extent::of(list), &renamed).unwrap();
    let error = passes.link(&mut tables).unwrap_err().to_string();
    assert!(error.contains("`list`") && error.contains("toy_count") && error.contains("counted"), "{error}");
}
