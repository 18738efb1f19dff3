//! Sums of blocks of 4,096 reals; see [`super::reduce`] for the tree.

use super::reduce::{BLOCK, block_sum};
use crate::math::Real;

crate::kernel! {
    "primitives/reduce_sum" => reduce_sum per Workgroup {
        read values: real,
        write reduced: real,        // one per block
    }
}

#[inline(always)]
fn reduce_sum<R: Real>(b: &Bindings<R>, block: u32) {
    let first = (block * BLOCK) as usize;
    let values = &b.values[first..(first + BLOCK as usize).min(b.launch.count as usize)];
    b.reduced.set(block, block_sum(values.len(), |i| values[i]));
}
