//! Sums of the products of blocks of 4,096 vectors; see [`super::reduce`] for the tree.

use super::reduce::{BLOCK, block_sum};
use crate::math::Real;

crate::kernel! {
    "primitives/reduce_dot" => reduce_dot per Workgroup {
        read left: real4,           // xyz
        read right: real4,          // xyz
        write reduced: real,        // one per block
    }
}

#[inline(always)]
fn reduce_dot<R: Real>(b: &Bindings<R>, block: u32) {
    let first = (block * BLOCK) as usize;
    let range = first..(first + BLOCK as usize).min(b.launch.count as usize);
    let (left, right) = (&b.left[range.clone()], &b.right[range]);
    b.reduced.set(block, block_sum(left.len(), |i| left[i].xyz().dot(right[i].xyz())));
}
