//! The triangles that the next iteration of the strain limits visits, in their order. The visits are counted at
//! `launch.base`.

use crate::math::Real;
use std::sync::atomic::Ordering;

crate::kernel! {
    "cloth/limit_visit" => limit_visit per Invocation {
        read limit_visits_counts: uint, // 1 for a triangle to visit
        read limit_visits_starts: uint, // visits before it
        atomic limit_violations: uint,  // by iteration, and visits
        write limit_list: uint,         // triangles
    }
}

#[inline(always)]
fn limit_visit<R: Real>(b: &Bindings<R>, t: u32) {
    if t == 0 {
        let visits = b.limit_visits_starts[b.launch.count as usize];
        b.limit_violations[b.launch.base as usize].fetch_add(visits, Ordering::Relaxed);
    }
    if b.limit_visits_counts[t as usize] > 0 {
        b.limit_list.set(b.limit_visits_starts[t as usize], t);
    }
}
