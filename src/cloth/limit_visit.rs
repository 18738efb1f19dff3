//! The triangles that the next iteration of the strain limits visits, one list per colour, and the size of its dispatch.
//!
//! A colour's list stands where its triangles stand in the order of all, so that its start is known when passes are
//! recorded; what is left of the place is marked as empty. If iteration `launch.index` found nothing beyond its limits,
//! nothing is visited. The visits are counted at `launch.base`.

use super::strain_limit::NONE;
use crate::compute::dispatch;
use crate::math::Real;
use std::sync::atomic::Ordering;

crate::kernel! {
    "cloth/limit_visit" => limit_visit per Invocation {
        read limit_colours: uint4,      // of each triangle: its colour's first, end and number
        read limit_flags: uint,         // 1 for a triangle to visit
        read limit_starts: uint,        // flags before it
        atomic limit_violations: uint,  // by iteration, and visits
        write limit_list: uint,         // triangles
        write limit_dispatches: uint4,  // what `compute::dispatch` makes, by colour
    }
}

/// Triangles per workgroup of `strain_limit`.
const GROUP: u32 = 64;

#[inline(always)]
fn limit_visit<R: Real>(b: &Bindings<R>, t: u32) {
    let [first, end, colour, _] = b.limit_colours[t as usize];
    let goes_on = b.limit_violations[b.launch.index as usize].load(Ordering::Relaxed) > 0;
    let before = b.limit_starts[first as usize];
    let count = if goes_on { b.limit_starts[end as usize] - before } else { 0 };
    if t == first {
        b.limit_dispatches.set(colour, dispatch(count, GROUP));
        b.limit_violations[b.launch.base as usize].fetch_add(count, Ordering::Relaxed);
    }
    if t - first >= count {
        b.limit_list.set(t, NONE);
    }
    if goes_on && b.limit_flags[t as usize] != 0 {
        b.limit_list.set(first + b.limit_starts[t as usize] - before, t);
    }
}
