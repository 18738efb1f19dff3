//! Exclusive prefix sums of blocks of 4,096 integers, and the total after the last, modulo 2³².

use super::scan::{BLOCK, CONTINUED};
use crate::math::Real;

crate::kernel! {
    "primitives/scan_blocks" => scan_blocks per Workgroup {
        read counts: uint,
        read block_starts: uint,
        write starts: uint,         // one more than counts
    }
}

#[inline(always)]
fn scan_blocks<R: Real>(b: &Bindings<R>, block: u32) {
    let mut start = if b.launch.flags == CONTINUED { b.block_starts[block as usize] } else { 0 };
    let end = ((block + 1) * BLOCK).min(b.launch.count);
    for i in block * BLOCK..end {
        b.starts.set(i, start);
        start = start.wrapping_add(b.counts[i as usize]);
    }
    if end == b.launch.count {
        b.starts.set(end, start);
    }
}
