//! Scalar products by body: the sums of blocks of at most 4,096 rows, none of which has rows of two bodies.

use crate::math::Real;
use crate::primitives::reduce::block_sum;

crate::kernel! {
    "integrate/pcg_dot" => pcg_dot per Workgroup {
        read dot_blocks: uint2,         // rows: first, end
        read left: real4,               // xyz
        read right: real4,              // xyz
        write dot_parts: real,          // one per block
    }
}

#[inline(always)]
fn pcg_dot<R: Real>(b: &Bindings<R>, block: u32) {
    let [first, end] = b.dot_blocks[block as usize];
    let (left, right) = (&b.left[first as usize..end as usize], &b.right[first as usize..end as usize]);
    b.dot_parts.set(block, block_sum(left.len(), |i| left[i].xyz().dot(right[i].xyz())));
}
