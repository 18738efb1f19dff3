//! Largest of blocks of 4,096 reals. A NaN is larger than everything: a watchdog that asks for the largest speed
//! must hear of it.

use super::reduce::BLOCK;
use crate::math::Real;
use std::cmp::Ordering;

crate::kernel! {
    "primitives/reduce_max" => reduce_max per Workgroup {
        read values: real,
        write reduced: real,        // one per block
    }
}

#[inline(always)]
fn reduce_max<R: Real>(b: &Bindings<R>, block: u32) {
    let first = (block * BLOCK) as usize;
    let values = &b.values[first..(first + BLOCK as usize).min(b.launch.count as usize)];
    b.reduced.set(block, values.iter().copied().fold(R::of(f64::NEG_INFINITY), larger));
}

/// The larger of two, or NaN if either is.
#[inline(always)]
fn larger<R: Real>(a: R, b: R) -> R {
    match a.partial_cmp(&b) {
        Some(Ordering::Less) => b,
        Some(_) => a,
        None => a + b,
    }
}
