//! Reductions, prefix sums and sorting against plain implementations, on both backends.

use sinew::compute::{
    AdapterChoice, CpuExecutor, Data, Executor, Gpu, GpuExecutor, Order, Passes, Role, Run, Tables,
    compare_runs,
};
use sinew::primitives::{reduce, scan, sort};
use std::sync::OnceLock;

/// Nothing, little, the edges of a workgroup and of a block, several blocks, and more than one level of them.
const SIZES: [u32; 13] = [0, 1, 2, 255, 256, 257, 1000, 4095, 4096, 4097, 8192, 65_537, 1_000_000];
/// Enough for two levels in every primitive, also in the sort's table of 256 digits by block.
const TWO_LEVELS: u32 = 70_000;
/// Half the distance from 1 to the next f32: the relative error of one operation.
const ROUNDING: f64 = f32::EPSILON as f64 / 2.0;

fn gpu() -> &'static Gpu {
    static GPU: OnceLock<Gpu> = OnceLock::new();
    GPU.get_or_init(|| {
        let gpu = Gpu::open(&AdapterChoice::default()).unwrap_or_else(|error| {
            panic!("these tests need an adapter; install mesa-vulkan-drivers, which runs on any CPU: {error}")
        });
        println!("adapter: {}", gpu.report.title());
        gpu
    })
}

fn gpu_executor(buffers: &Tables, passes: &Passes) -> GpuExecutor {
    GpuExecutor::new(gpu(), buffers, passes).unwrap_or_else(|error| panic!("{error}"))
}

/// The device and its arithmetic on the CPU.
fn backends(buffers: &Tables, passes: &Passes) -> [Box<dyn Executor>; 2] {
    [Box::new(gpu_executor(buffers, passes)), Box::new(CpuExecutor::<f32>::new(buffers, passes))]
}

fn run_all(executor: &mut dyn Executor, passes: &Passes) {
    executor.execute(&[Run { passes: 0..passes.list.len(), times: 1 }]).unwrap();
}

fn read(executor: &mut dyn Executor, buffers: &Tables, name: &str) -> Data {
    executor.read(buffers.find(name).unwrap()).unwrap()
}

fn write(executor: &mut dyn Executor, buffers: &Tables, name: &str, data: Data) {
    executor.write(buffers.find(name).unwrap(), &data).unwrap();
}

/// Marsaglia's xorshift32.
fn random(seed: u32) -> impl FnMut() -> u32 {
    let mut state = seed;
    move || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    }
}

/// A real in [−1, 1), as the device holds it.
fn random_reals(seed: u32) -> impl FnMut() -> f64 {
    let mut next = random(seed);
    move || f64::from((f64::from(next()) / f64::from(1u32 << 31) - 1.0) as f32)
}

/// `count` items, each made from its index.
fn make<T>(count: u32, item: impl FnMut(u32) -> T) -> Vec<T> {
    (0..count).map(item).collect()
}

/// A kind of input and how to make so many of it.
type Pattern<T> = (&'static str, fn(u32) -> Vec<T>);

/// Reals of very different kinds, as the device holds them.
const REAL_PATTERNS: [Pattern<f64>; 8] = [
    ("zeros", |count| make(count, |_| 0.0)),
    ("equal", |count| make(count, |_| f64::from(0.1f32))),
    ("mixed signs", |count| scaled(count, 1.0)),
    ("all negative", |count| make(count, |i| -0.5 - f64::from(i % 7))),
    ("huge", |count| scaled(count, 1e31)),
    ("tiny", |count| scaled(count, 1e-30)),
    ("huge and tiny", |count| make(count, |i| f64::from(if i % 2 == 0 { 1e30f32 } else { 1e-30f32 }))),
    ("growing", |count| make(count, f64::from)),
];

/// Reals of both signs up to a size.
fn scaled(count: u32, size: f64) -> Vec<f64> {
    let mut next = random_reals(1);
    make(count, |_| f64::from((next() * size) as f32))
}

#[test]
fn a_sum_has_the_error_of_its_trees_depth_and_a_maximum_has_none() {
    let mut buffers = Tables::new();
    let mut passes = Passes::new();
    for size in SIZES {
        let values = format!("values_{size}");
        buffers.reals(&values, Role::State, vec![0.0; size as usize]).unwrap();
        reduce::sum(&mut passes, &mut buffers, &values, size, &format!("sum_{size}")).unwrap();
        reduce::max(&mut passes, &mut buffers, &values, size, &format!("max_{size}")).unwrap();
    }
    let [device, cpu] = backends(&buffers, &passes);
    let reference = Box::new(CpuExecutor::<f64>::new(&buffers, &passes));
    let executors: [(Box<dyn Executor>, f64); 3] =
        [(device, ROUNDING), (cpu, ROUNDING), (reference, f64::EPSILON)];
    for (mut executor, rounding) in executors {
        for (name, pattern) in REAL_PATTERNS {
            for size in SIZES {
                write(&mut *executor, &buffers, &format!("values_{size}"), Data::Reals(pattern(size)));
            }
            run_all(&mut *executor, &passes);
            for size in SIZES {
                let values = pattern(size);
                let backend = executor.describe();
                let sum = read(&mut *executor, &buffers, &format!("sum_{size}")).reals()[0];
                let magnitude: f64 = values.iter().map(|x| x.abs()).sum();
                let error = (sum - values.iter().sum::<f64>()).abs();
                // The f64 sum it is compared to has an error of its own.
                let bound = (f64::from(reduce::SUM_DEPTH) * rounding + f64::from(size) * 1e-16) * magnitude;
                assert!(error <= bound, "{backend}, {size} {name}: error {error:e}, bound {bound:e}");
                let max = read(&mut *executor, &buffers, &format!("max_{size}")).reals()[0];
                let largest = values.iter().copied().reduce(f64::max).unwrap_or(0.0);
                assert_eq!(max, largest, "{backend}, {size} {name}");
            }
        }
    }
}

#[test]
fn a_maximum_is_nan_if_and_only_if_a_value_is_and_keeps_infinities_and_denormals() {
    const COUNT: u32 = 10_000;
    let last = COUNT as usize - 1;
    let mut buffers = Tables::new();
    let mut passes = Passes::new();
    buffers.reals("values", Role::State, vec![0.0; COUNT as usize]).unwrap();
    reduce::max(&mut passes, &mut buffers, "values", COUNT, "largest").unwrap();
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    let lowest = f64::from(f32::MIN);
    let denormal = f64::from(f32::from_bits(1));
    // The value everywhere, the one exception, and the maximum.
    let cases = [
        (-inf, (0, -inf), -inf),
        (-inf, (5000, lowest), lowest),
        (1.0, (0, inf), inf),
        (1.0, (last, -inf), 1.0),
        (-1.0, (4096, -denormal), -denormal),
        (0.0, (4095, denormal), denormal),
        (1.0, (0, nan), nan),
        (1.0, (last, nan), nan),
        (1.0, (4321, -nan), nan),
        (-1.0, (4321, -nan), nan),
        (inf, (17, nan), nan),
        (-inf, (17, -nan), nan),
        (nan, (17, 5.0), nan),
    ];
    for mut executor in backends(&buffers, &passes) {
        for (everywhere, (place, exception), expected) in cases {
            let mut values = vec![everywhere; COUNT as usize];
            values[place] = exception;
            write(&mut *executor, &buffers, "values", Data::Reals(values));
            run_all(&mut *executor, &passes);
            let max = read(&mut *executor, &buffers, "largest").reals()[0];
            assert!(
                max == expected || (max.is_nan() && expected.is_nan()),
                "{}: {everywhere} but {exception} at {place}: {max}, not {expected}",
                executor.describe()
            );
        }
    }
}

#[test]
fn a_scalar_product_leaves_w_out_and_has_the_error_of_its_trees_depth() {
    let mut next = random_reals(4);
    let mut vectors = |size: u32, scale: f64| -> Vec<[f64; 4]> {
        make(size, |_| [next() * scale, next() * scale, next() * scale, 1e30].map(|x| f64::from(x as f32)))
    };
    let (mut buffers, mut passes, mut expected) = (Tables::new(), Passes::new(), Vec::new());
    for size in SIZES {
        let [left, right] = ["left", "right"].map(|name| format!("{name}_{size}"));
        let (a, b) = (vectors(size, 1e3), vectors(size, 1e-3));
        let products = a.iter().zip(&b).flat_map(|(a, b)| [a[0] * b[0], a[1] * b[1], a[2] * b[2]]);
        expected.push(products.fold((0.0, 0.0), |(sum, size), x: f64| (sum + x, size + x.abs())));
        buffers.real4s(&left, Role::State, a).unwrap();
        buffers.real4s(&right, Role::State, b).unwrap();
        reduce::dot(&mut passes, &mut buffers, [&left, &right], size, &format!("dot_{size}")).unwrap();
        reduce::dot(&mut passes, &mut buffers, [&left, &left], size, &format!("square_{size}")).unwrap();
    }
    // A product and two sums more than a sum has.
    let depth = f64::from(reduce::SUM_DEPTH + 3);
    for mut executor in backends(&buffers, &passes) {
        run_all(&mut *executor, &passes);
        for (size, (sum, magnitude)) in SIZES.into_iter().zip(&expected) {
            let dot = read(&mut *executor, &buffers, &format!("dot_{size}")).reals()[0];
            let bound = (depth * ROUNDING + f64::from(size) * 1e-16) * magnitude;
            assert!((dot - sum).abs() <= bound, "{}, {size}: {dot} is not {sum}", executor.describe());
            let left = read(&mut *executor, &buffers, &format!("left_{size}"));
            let square: f64 = left.reals().chunks(4).map(|v| v[..3].iter().map(|x| x * x).sum::<f64>()).sum();
            let found = read(&mut *executor, &buffers, &format!("square_{size}")).reals()[0];
            assert!((found - square).abs() <= 2.0 * depth * ROUNDING * square, "{size}: {found}, {square}");
        }
    }
}

/// Integers of very different kinds.
const COUNT_PATTERNS: [Pattern<u32>; 7] = [
    ("zeros", |count| make(count, |_| 0)),
    ("ones", |count| make(count, |_| 1)),
    ("largest", |count| make(count, |_| u32::MAX)),
    ("one bit", |count| make(count, |i| if i == count / 2 { 1 << 31 } else { 0 })),
    ("only the last", |count| make(count, |i| if i + 1 == count { 3 } else { 0 })),
    ("falling", |count| make(count, |i| count - i)),
    ("random", |count| {
        let mut next = random(5);
        make(count, |_| next())
    }),
];

/// The sum of all before each, and of all.
fn plain_scan(counts: &[u32]) -> Vec<u32> {
    let mut starts = vec![0u32];
    starts.extend(counts.iter().scan(0u32, |sum, n| {
        *sum = sum.wrapping_add(*n);
        Some(*sum)
    }));
    starts
}

#[test]
fn a_prefix_sum_wraps_and_ends_with_the_total() {
    let mut buffers = Tables::new();
    let mut passes = Passes::new();
    for size in SIZES {
        let counts = format!("counts_{size}");
        buffers.uints(&counts, Role::State, vec![0; size as usize]).unwrap();
        scan::exclusive(&mut passes, &mut buffers, &counts, size, &format!("starts_{size}")).unwrap();
    }
    for mut executor in backends(&buffers, &passes) {
        for (name, pattern) in COUNT_PATTERNS {
            for size in SIZES {
                write(&mut *executor, &buffers, &format!("counts_{size}"), Data::Uints(pattern(size)));
            }
            run_all(&mut *executor, &passes);
            for size in SIZES {
                let starts = read(&mut *executor, &buffers, &format!("starts_{size}"));
                let expected = plain_scan(&pattern(size));
                assert!(starts.uints() == expected, "{}, {size} {name}", executor.describe());
            }
        }
    }
}

/// Keys of very different kinds.
const KEY_PATTERNS: [Pattern<u32>; 8] = [
    ("random", |count| random_keys(count, u32::MAX)),
    ("few kinds", |count| random_keys(count, 0x4008)),
    ("zero", |count| make(count, |_| 0)),
    ("equal", |count| make(count, |_| 0x0102_0304)),
    ("largest", |count| make(count, |_| u32::MAX)),
    ("reversed", |count| make(count, |i| count - i)),
    ("sorted", |count| make(count, |i| i)),
    ("one bit", |count| make(count, |i| 1 << (i % 32))),
];

fn random_keys(count: u32, mask: u32) -> Vec<u32> {
    let mut next = random(6);
    make(count, |_| next() & mask)
}

/// Each key with a value that tells where it was.
fn paired(keys: Vec<u32>) -> Vec<[u32; 2]> {
    keys.into_iter().zip(0u32..).map(|(key, i)| [key, !i]).collect()
}

/// The standard library's stable sort by the low bits.
fn plain_sort(pairs: &[[u32; 2]], bits: u32) -> Vec<u32> {
    let mut sorted = pairs.to_vec();
    sorted.sort_by_key(|pair| pair[0] & (u32::MAX >> (32 - bits)));
    sorted.into_flattened()
}

#[test]
fn a_sort_orders_any_keys_and_keeps_the_order_of_equal_ones() {
    let mut buffers = Tables::new();
    let mut passes = Passes::new();
    let mut lists = Vec::new(); // size, and where its passes end
    for size in SIZES {
        let pairs = format!("pairs_{size}");
        buffers.uint2s(&pairs, Role::State, vec![[0; 2]; size as usize]).unwrap();
        sort::pairs(&mut passes, &mut buffers, &pairs, size, 32, &format!("sorted_{size}")).unwrap();
        lists.push((size, passes.list.len()));
    }
    for mut executor in backends(&buffers, &passes) {
        for (number, (name, keys)) in KEY_PATTERNS.into_iter().enumerate() {
            // The longest list takes as long as all others together: two patterns are enough for it.
            let lists: Vec<&(u32, usize)> =
                lists.iter().filter(|(n, _)| *n <= 65_537 || number < 2).collect();
            for (size, _) in &lists {
                let data = Data::Uints(paired(keys(*size)).into_flattened());
                write(&mut *executor, &buffers, &format!("pairs_{size}"), data);
            }
            executor.execute(&[Run { passes: 0..lists[lists.len() - 1].1, times: 1 }]).unwrap();
            for (size, _) in &lists {
                let pairs = paired(keys(*size));
                let sorted = read(&mut *executor, &buffers, &format!("sorted_{size}"));
                assert!(sorted.uints() == plain_sort(&pairs, 32), "{}, {size} {name}", executor.describe());
                let kept = read(&mut *executor, &buffers, &format!("pairs_{size}"));
                assert!(kept.uints() == pairs.as_flattened(), "the input of {size} {name} changed");
            }
        }
    }
}

#[test]
fn a_sort_by_some_bits_does_not_look_at_the_others() {
    const COUNT: u32 = 10_000;
    const BITS: [u32; 9] = [1, 4, 7, 8, 9, 16, 20, 24, 31];
    let pairs = paired(random_keys(COUNT, u32::MAX));
    let mut buffers = Tables::new();
    let mut passes = Passes::new();
    buffers.uint2s("pairs", Role::State, pairs.clone()).unwrap();
    for bits in BITS {
        sort::pairs(&mut passes, &mut buffers, "pairs", COUNT, bits, &format!("sorted_{bits}")).unwrap();
    }
    for mut executor in backends(&buffers, &passes) {
        run_all(&mut *executor, &passes);
        for bits in BITS {
            let sorted = read(&mut *executor, &buffers, &format!("sorted_{bits}"));
            assert!(sorted.uints() == plain_sort(&pairs, bits), "{}, {bits} bits", executor.describe());
        }
    }
}

#[test]
fn nothing_is_dispatched_for_nothing_and_the_results_are_zero() {
    let mut buffers = Tables::new();
    let mut passes = Passes::new();
    buffers.reals("values", Role::State, vec![7.0; 3]).unwrap();
    buffers.real4s("vectors", Role::State, vec![[7.0; 4]; 3]).unwrap();
    buffers.uints("counts", Role::State, vec![7; 3]).unwrap();
    buffers.uint2s("pairs", Role::State, vec![[7; 2]; 3]).unwrap();
    reduce::sum(&mut passes, &mut buffers, "values", 0, "sum").unwrap();
    reduce::max(&mut passes, &mut buffers, "values", 0, "max").unwrap();
    reduce::dot(&mut passes, &mut buffers, ["vectors"; 2], 0, "dot").unwrap();
    scan::exclusive(&mut passes, &mut buffers, "counts", 0, "starts").unwrap();
    sort::pairs(&mut passes, &mut buffers, "pairs", 0, 32, "sorted").unwrap();
    assert!(passes.list.is_empty());
    for mut executor in backends(&buffers, &passes) {
        run_all(&mut *executor, &passes);
        for name in ["sum", "max", "dot"] {
            assert_eq!(read(&mut *executor, &buffers, name).reals(), [0.0], "{name}");
        }
        assert_eq!(read(&mut *executor, &buffers, "starts").uints(), [0]);
        assert!(read(&mut *executor, &buffers, "sorted").is_empty());
    }
}

/// All primitives over random input.
fn everything(count: u32) -> (Tables, Passes) {
    let (mut buffers, mut passes) = (Tables::new(), Passes::new());
    let (mut real, mut uint) = (random_reals(8), random(9));
    buffers.reals("values", Role::State, make(count, |_| real())).unwrap();
    buffers.real4s("left", Role::State, make(count, |_| [real(), real(), real(), real()])).unwrap();
    buffers.real4s("right", Role::State, make(count, |_| [real(), real(), real(), real()])).unwrap();
    buffers.uints("counts", Role::State, make(count, |_| uint())).unwrap();
    buffers.uint2s("pairs", Role::State, make(count, |i| [uint() >> 8, i])).unwrap();
    reduce::sum(&mut passes, &mut buffers, "values", count, "sum").unwrap();
    reduce::max(&mut passes, &mut buffers, "values", count, "max").unwrap();
    reduce::dot(&mut passes, &mut buffers, ["left", "right"], count, "dot").unwrap();
    scan::exclusive(&mut passes, &mut buffers, "counts", count, "starts").unwrap();
    sort::pairs(&mut passes, &mut buffers, "pairs", count, 20, "sorted").unwrap();
    (buffers, passes)
}

/// The tree is the same, so that only a fused multiplication in a scalar product may differ: by one rounding of
/// a product, and the sum of 4,096 products of both signs is about their size times 64.
const PASS_TOLERANCE: f64 = 1e-6;

#[test]
fn every_pass_on_the_device_does_what_its_twin_does() {
    for count in [3000, TWO_LEVELS] {
        let (buffers, passes) = everything(count);
        let mut device = gpu_executor(&buffers, &passes);
        let mut twin = CpuExecutor::<f32>::new(&buffers, &passes);
        let compared = compare_runs(&buffers, &passes, 1, [&mut device, &mut twin], PASS_TOLERANCE).unwrap();
        let largest = compared.unwrap_or_else(|difference| panic!("{count}: {difference}"));
        println!("{count}: {} passes, largest relative difference {largest:.1e}", passes.list.len());
    }
}

/// The bits of everything the primitives made.
fn bits(executor: &mut dyn Executor, buffers: &Tables) -> Vec<u64> {
    let mut bits = Vec::new();
    for name in ["sum", "max", "dot", "starts", "sorted"] {
        match read(executor, buffers, name) {
            Data::Reals(v) => bits.extend(v.into_iter().map(f64::to_bits)),
            Data::Uints(v) => bits.extend(v.into_iter().map(u64::from)),
        }
    }
    bits
}

#[test]
fn results_depend_neither_on_the_run_nor_on_the_order_of_the_calls() {
    let (buffers, passes) = everything(TWO_LEVELS);
    let results_of = |executor: &mut dyn Executor| {
        run_all(executor, &passes);
        bits(executor, &buffers)
    };
    let mut device = gpu_executor(&buffers, &passes);
    let first = results_of(&mut device);
    assert!(first == results_of(&mut device), "a second run on the same device differs");
    assert!(first == results_of(&mut gpu_executor(&buffers, &passes)), "a second executor differs");
    let forward = results_of(&mut CpuExecutor::<f32>::new(&buffers, &passes).with_order(Order::Forward));
    for order in [Order::Parallel, Order::Backward] {
        let other = results_of(&mut CpuExecutor::<f32>::new(&buffers, &passes).with_order(order));
        assert!(forward == other, "{order:?} differs");
    }
}

#[test]
fn the_longest_lists_are_scanned_summed_and_sorted() {
    let mut buffers = Tables::new();
    let mut passes = Passes::new();
    let counts = make(scan::MOST, |i| i % 5);
    let pairs = make(sort::MOST, |i| [i.wrapping_mul(0x9e37_79b9), i]);
    buffers.uints("counts", Role::State, counts.clone()).unwrap();
    buffers.uint2s("pairs", Role::State, pairs.clone()).unwrap();
    buffers.reals("values", Role::State, vec![1.0; reduce::MOST as usize]).unwrap();
    scan::exclusive(&mut passes, &mut buffers, "counts", scan::MOST, "starts").unwrap();
    reduce::sum(&mut passes, &mut buffers, "values", reduce::MOST, "sum").unwrap();
    sort::pairs(&mut passes, &mut buffers, "pairs", sort::MOST, 8, "sorted").unwrap();
    let (expected_starts, expected_sorted) = (plain_scan(&counts), plain_sort(&pairs, 8));
    for mut executor in backends(&buffers, &passes) {
        run_all(&mut *executor, &passes);
        let backend = executor.describe();
        assert!(read(&mut *executor, &buffers, "starts").uints() == expected_starts, "{backend}");
        assert!(read(&mut *executor, &buffers, "sorted").uints() == expected_sorted, "{backend}");
        assert_eq!(read(&mut *executor, &buffers, "sum").reals(), [f64::from(reduce::MOST)], "{backend}");
    }
}

#[test]
fn one_list_may_hold_several_primitives_and_one_result_several_times() {
    let mut buffers = Tables::new();
    let mut passes = Passes::new();
    buffers.reals("a", Role::State, vec![1.0; 10_000]).unwrap();
    buffers.reals("b", Role::State, vec![2.0; 5_000]).unwrap();
    buffers.reals("c", Role::State, vec![3.0; 20_000]).unwrap();
    reduce::sum(&mut passes, &mut buffers, "a", 10_000, "first").unwrap();
    reduce::sum(&mut passes, &mut buffers, "b", 5_000, "second").unwrap();
    reduce::sum(&mut passes, &mut buffers, "b", 4_999, "first").unwrap();
    let error = reduce::sum(&mut passes, &mut buffers, "c", 20_000, "second").unwrap_err().to_string();
    assert!(error.contains("second_blocks") && error.contains("name another"), "{error}");
    for mut executor in backends(&buffers, &passes) {
        run_all(&mut *executor, &passes);
        assert_eq!(read(&mut *executor, &buffers, "first").reals(), [9_998.0]);
        assert_eq!(read(&mut *executor, &buffers, "second").reals(), [10_000.0]);
    }
}

#[test]
fn what_cannot_be_computed_is_refused_by_the_name_of_its_buffer() {
    let mut buffers = Tables::new();
    let mut passes = Passes::new();
    buffers.reals("values", Role::State, vec![0.0; 10]).unwrap();
    buffers.uints("counts", Role::State, vec![0; 10]).unwrap();
    buffers.uint2s("pairs", Role::State, vec![[0; 2]; 10]).unwrap();
    let (p, b) = (&mut passes, &mut buffers);
    let cases = [
        (reduce::sum(p, b, "nothing", 10, "r"), ["`nothing`", "does not exist"]),
        (reduce::sum(p, b, "values", 11, "r"), ["`values`", "holds 10"]),
        (reduce::max(p, b, "values", 10, "values"), ["`values`", "both the input and the result"]),
        (reduce::max(p, b, "values", reduce::MOST + 1, "r"), ["`values`", "at most"]),
        (reduce::dot(p, b, ["values"; 2], 10, "d"), ["`left`", "real4"]),
        (scan::exclusive(p, b, "counts", u32::MAX, "s"), ["`counts`", "at most"]),
        (scan::exclusive(p, b, "counts", 10, "pairs"), ["`pairs`", "uint2"]),
        (sort::pairs(p, b, "pairs", 10, 0, "t"), ["`t`", "0 bits"]),
        (sort::pairs(p, b, "pairs", 10, 33, "t"), ["`t`", "33 bits"]),
        (sort::pairs(p, b, "pairs", sort::MOST + 1, 32, "t"), ["`pairs`", "at most"]),
    ];
    for (result, words) in cases {
        let error = result.unwrap_err().to_string();
        assert!(words.iter().all(|word| error.contains(word)), "{error} lacks one of {words:?}");
    }
}
