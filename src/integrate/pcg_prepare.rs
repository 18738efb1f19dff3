//! Before a solve: a last one that ran out of iterations is counted, and the counts of this one are cleared.

use super::cg_direction::{DONE, ITERATIONS, UNFINISHED};
use crate::math::Real;

crate::kernel! {
    "integrate/pcg_prepare" => pcg_prepare per Invocation {
        write cg_counts: uint,          // done, iterations of this substep, of all, the most, unfinished
    }
}

#[inline(always)]
fn pcg_prepare<R: Real>(b: &Bindings<R>, _: u32) {
    let ran_out = b.cg_counts.get(DONE as u32) == 0 && b.cg_counts.get(ITERATIONS as u32) > 0;
    let unfinished = b.cg_counts.get(UNFINISHED as u32);
    b.cg_counts.set(UNFINISHED as u32, unfinished + u32::from(ran_out));
    b.cg_counts.set(DONE as u32, 0);
    b.cg_counts.set(ITERATIONS as u32, 0);
}
