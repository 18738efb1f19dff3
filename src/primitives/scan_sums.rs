//! Sums of blocks of 4,096 integers, modulo 2³².

use super::scan::BLOCK;
use crate::math::Real;

crate::kernel! {
    "primitives/scan_sums" => scan_sums per Workgroup {
        read counts: uint,
        write block_sums: uint,
    }
}

#[inline(always)]
fn scan_sums<R: Real>(b: &Bindings<R>, block: u32) {
    let first = (block * BLOCK) as usize;
    let counts = &b.counts[first..(first + BLOCK as usize).min(b.launch.count as usize)];
    b.block_sums.set(block, counts.iter().fold(0, |sum, n| sum.wrapping_add(*n)));
}
