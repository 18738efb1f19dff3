//! Counts the iterations of the strain limits in this substep and clears the list for the next; one thread.

use crate::integrate::cg_direction::{DONE, ITERATIONS, MOST, TOTAL, UNFINISHED};
use crate::math::Real;

/// The place of the visits in `limit_counts`, low and high.
pub const VISITS: usize = 5;

crate::kernel! {
    "cloth/limit_count" => limit_count per Invocation {
        write limit_violations: uint,   // by iteration and, `launch.base` of them, groups; and visits
        write limit_counts: uint,       // done, iterations of this substep, of all, the most, unfinished, visits (low, high)
    }
}

#[inline(always)]
fn limit_count<R: Real>(b: &Bindings<R>, _: u32) {
    let get = |place: usize| b.limit_counts.get(place as u32);
    let set = |place: usize, value: u32| b.limit_counts.set(place as u32, value);
    // As of conjugate gradients, the last substep is counted when the next one has begun.
    set(UNFINISHED, get(UNFINISHED) + u32::from(get(DONE) == 0 && get(ITERATIONS) > 0));
    let (mut used, mut left) = (0, 0);
    let groups = b.launch.base;
    for k in 0..b.launch.index {
        left = 0;
        for place in k * groups..(k + 1) * groups {
            left += b.limit_violations.get(place);
            b.limit_violations.set(place, 0);
        }
        used += u32::from(left > 0);
    }
    set(DONE, u32::from(left == 0));
    set(ITERATIONS, used);
    set(TOTAL, get(TOTAL) + used);
    set(MOST, get(MOST).max(used));
    // Visits of iterations that only part of the triangles took part in.
    let visits = b.limit_violations.get(b.launch.index * groups);
    b.limit_violations.set(b.launch.index * groups, 0);
    let low = get(VISITS);
    set(VISITS, low.wrapping_add(visits));
    set(VISITS + 1, get(VISITS + 1) + u32::from(low > u32::MAX - visits));
}
