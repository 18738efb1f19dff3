//! Which triangles the next iteration of the strain limits visits: those corrected in this substep and their neighbours.
//!
//! A correction can only violate what shares a corner with it, so nothing else needs a visit. Thomaszewski 2010,
//! sec. 3.3.2. If iteration `launch.index` found nothing beyond its limits, nothing is visited.

use crate::math::Real;
use std::sync::atomic::Ordering;

crate::kernel! {
    "cloth/limit_spread" => limit_spread per Invocation {
        read membrane_corners: uint4,   // three particles, fabric
        read limit_shares: uint,        // corrected triangles at each particle
        atomic limit_violations: uint,  // by iteration
        write limit_visits_counts: uint, // 1 for a triangle to visit
    }
}

#[inline(always)]
fn limit_spread<R: Real>(b: &Bindings<R>, t: u32) {
    let [i, j, k, _] = b.membrane_corners[t as usize];
    let shares = [i, j, k].map(|p| b.limit_shares[p as usize]);
    let goes_on = b.limit_violations[b.launch.index as usize].load(Ordering::Relaxed) > 0;
    b.limit_visits_counts.set(t, u32::from(goes_on && shares[0] + shares[1] + shares[2] > 0));
}
