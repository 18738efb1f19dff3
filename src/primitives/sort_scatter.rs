//! Moves the pairs of a block to their places by one digit; equal digits keep their order.

use super::sort::{BLOCK, DIGITS, digit};
use crate::math::Real;

crate::kernel! {
    "primitives/sort_scatter" => sort_scatter per Workgroup {
        read pairs: uint2,          // key, value
        read digit_starts: uint,    // digit by digit, block by block
        write sorted: uint2,
    }
}

#[inline(always)]
fn sort_scatter<R: Real>(b: &Bindings<R>, block: u32) {
    let blocks = b.launch.count.div_ceil(BLOCK) as usize;
    let mut places: [u32; DIGITS as usize] =
        std::array::from_fn(|digit| b.digit_starts[digit * blocks + block as usize]);
    let first = (block * BLOCK) as usize;
    for pair in &b.pairs[first..(first + BLOCK as usize).min(b.launch.count as usize)] {
        let place = &mut places[digit(&b.launch, pair[0])];
        b.sorted.set(*place, *pair);
        *place += 1;
    }
}
