//! Counts the iterations of the strain limits in this substep and clears the list for the next; one thread.

use crate::integrate::cg_direction::{ITERATIONS, MOST, TOTAL};
use crate::math::Real;

crate::kernel! {
    "cloth/limit_count" => limit_count per Invocation {
        write limit_violations: uint,   // by iteration
        write limit_counts: uint,       // triangles left in the last, iterations of this substep, of all, the most
    }
}

#[inline(always)]
fn limit_count<R: Real>(b: &Bindings<R>, _: u32) {
    let (mut used, mut left) = (0, 0);
    for k in 0..b.launch.index {
        left = b.limit_violations.get(k);
        used += u32::from(left > 0);
        b.limit_violations.set(k, 0);
    }
    b.limit_counts.set(0, left);
    b.limit_counts.set(ITERATIONS as u32, used);
    b.limit_counts.set(TOTAL as u32, b.limit_counts.get(TOTAL as u32) + used);
    b.limit_counts.set(MOST as u32, b.limit_counts.get(MOST as u32).max(used));
}
