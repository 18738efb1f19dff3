//! The corners of near pairs with their particles, and how many each particle has: sorted by particle, they are the pairs at each.

use super::near_pairs::PARTICLE;
use crate::math::Real;
use std::sync::atomic::Ordering;

crate::kernel! {
    "contact/corner_list" => corner_list per Invocation {
        read near: uint4,               // four corners
        write corners: uint2,           // particle, 4 pair + corner
        atomic corner_counts: uint,     // corners at each particle
    }
}

#[inline(always)]
fn corner_list<R: Real>(b: &Bindings<R>, k: u32) {
    for (corner, particle) in (0..).zip(b.near[k as usize]) {
        let particle = particle & PARTICLE;
        b.corners.set(4 * k + corner, [particle, 4 * k + corner]);
        b.corner_counts[particle as usize].fetch_add(1, Ordering::Relaxed);
    }
}
