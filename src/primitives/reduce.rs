//! Many reals to one: sum, maximum, scalar product.
//!
//! Each workgroup reduces a block of 4,096 to one value, and one more workgroup reduces those. The order of the
//! operations is fixed by the number of values alone, so two runs agree bit for bit, and a sum's rounding error
//! grows with the depth of the tree, at most [`SUM_DEPTH`] roundings, not with the number of values.

use super::{check_input, provide, reduce_dot, reduce_max, reduce_sum};
use crate::compute::{ComputeError, Element, Kernel, Launch, Passes, Tables};
use crate::math::Real;

/// Values per workgroup.
pub const BLOCK: u32 = 4096;
/// Values that two levels can reduce: each of the second level's is a block of the first.
pub const MOST: u32 = BLOCK * BLOCK;
/// Additions that any one value goes through: per level, 4 + 2 for each of lane, part and block.
pub const SUM_DEPTH: u32 = 2 * 3 * 6;

/// Lanes of a workgroup, and the lanes that one of them sums up.
const LANES: usize = 256;
const PARTS: usize = 16;

/// Appends the passes that make the one-element buffer `result` the sum of the first `count` reals of `values`.
///
/// Nothing is dispatched for `count` = 0: a `result` made here is then 0.
pub fn sum(
    passes: &mut Passes,
    buffers: &mut Tables,
    values: &str,
    count: u32,
    result: &str,
) -> Result<(), ComputeError> {
    reduce(passes, buffers, [&reduce_sum::KERNEL; 2], &[("values", values)], count, result)
}

/// Appends the passes that make the one-element buffer `result` the largest of the first `count` reals of
/// `values`, or NaN if there is a NaN among them.
///
/// Nothing is dispatched for `count` = 0: a `result` made here is then 0.
pub fn max(
    passes: &mut Passes,
    buffers: &mut Tables,
    values: &str,
    count: u32,
    result: &str,
) -> Result<(), ComputeError> {
    reduce(passes, buffers, [&reduce_max::KERNEL; 2], &[("values", values)], count, result)
}

/// Appends the passes that make the one-element buffer `result` the scalar product of the first `count` vectors
/// of `left` and `right`, Σ xx' + yy' + zz'; w is left out. Both may be the same buffer.
///
/// Nothing is dispatched for `count` = 0: a `result` made here is then 0.
pub fn dot(
    passes: &mut Passes,
    buffers: &mut Tables,
    [left, right]: [&str; 2],
    count: u32,
    result: &str,
) -> Result<(), ComputeError> {
    let inputs = [("left", left), ("right", right)];
    reduce(passes, buffers, [&reduce_dot::KERNEL, &reduce_sum::KERNEL], &inputs, count, result)
}

/// One pass for a block, two for more: the first level's kernel, then the second's.
fn reduce(
    passes: &mut Passes,
    buffers: &mut Tables,
    [first, second]: [&'static Kernel; 2],
    inputs: &[(&str, &str)],
    count: u32,
    result: &str,
) -> Result<(), ComputeError> {
    for (_, input) in inputs {
        check_input(buffers, input, count.into(), MOST, result)?;
    }
    provide(buffers, result, Element::Real, 1.into(), 0)?;
    let blocks = count.div_ceil(BLOCK);
    let mut append = |buffers: &Tables, kernel, count: u32, inputs: &[(&str, &str)], output: &str| {
        let renamed: Vec<_> = inputs.iter().copied().chain([("reduced", output)]).collect();
        passes.run_groups(buffers, kernel, Launch::over(count), count.div_ceil(BLOCK), &renamed)
    };
    if blocks <= 1 {
        return append(buffers, first, count, inputs, result);
    }
    let partial = format!("{result}_blocks");
    provide(buffers, &partial, Element::Real, blocks.into(), 0)?;
    append(buffers, first, count, inputs, &partial)?;
    append(buffers, second, blocks, &[("values", &partial)], result)
}

/// The sum of `count` terms, at most a block, by the shaders' tree: each lane adds every 256th term, 16 lanes
/// make a part, 16 parts the block.
#[inline(always)]
pub(crate) fn block_sum<R: Real>(count: usize, term: impl Fn(usize) -> R) -> R {
    let mut quarters = [[R::ZERO; LANES]; 4];
    for first in (0..count).step_by(LANES) {
        let row = &mut quarters[first / LANES % 4];
        for (lane, i) in (first..count.min(first + LANES)).enumerate() {
            row[lane] += term(i);
        }
    }
    let lanes: [R; LANES] = std::array::from_fn(|lane| across([0, 1, 2, 3].map(|k| quarters[k][lane])));
    let parts: [R; PARTS] = std::array::from_fn(|part| sum_of_16(&lanes[part * PARTS..]));
    sum_of_16(&parts)
}

#[inline(always)]
fn sum_of_16<R: Real>(values: &[R]) -> R {
    let mut sum = [R::ZERO; 4];
    for k in 0..PARTS {
        sum[k % 4] += values[k];
    }
    across(sum)
}

/// Neighbours in pairs.
#[inline(always)]
fn across<R: Real>([x, y, z, w]: [R; 4]) -> R {
    (x + y) + (z + w)
}
