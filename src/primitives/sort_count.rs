//! How often each digit occurs among the keys of a block.

use super::sort::{BLOCK, DIGITS, digit};
use crate::math::Real;

crate::kernel! {
    "primitives/sort_count" => sort_count per Workgroup {
        read pairs: uint2,          // key, value
        write digit_counts: uint,   // digit by digit, block by block
    }
}

#[inline(always)]
fn sort_count<R: Real>(b: &Bindings<R>, block: u32) {
    let first = (block * BLOCK) as usize;
    let mut counts = [0; DIGITS as usize];
    for [key, _] in &b.pairs[first..(first + BLOCK as usize).min(b.launch.count as usize)] {
        counts[digit(&b.launch, *key)] += 1;
    }
    let blocks = b.launch.count.div_ceil(BLOCK);
    for (digit, &count) in (0..).zip(&counts) {
        b.digit_counts.set(digit * blocks + block, count);
    }
}
