//! The guard: keeps every particle on its side of the planes at it, and within its reach. The last that moves anything in a substep.
//!
//! The excess along the normal of each plane is taken out in turn, a few times; what then still goes too far is scaled by the smallest
//! fraction that suffices. All limits are convex and contain 0, so one fraction does. At rest this does nothing.

use super::near_pairs::EDGES;
use crate::math::Real;
use std::sync::atomic::Ordering;

/// How often the planes are gone through before the rest is scaled.
const ROUNDS: u32 = 3;
/// A limit is kept if it is exceeded by no more than this share of the displacement, which the unused room covers.
const KEPT: f64 = 1e-5;

crate::kernel! {
    "contact/guard_hold" => guard_hold per Invocation {
        read touch_starts: uint,       // where each particle's slots begin
        read touch_slots: uint2,       // particle, 4 pair + corner
        read guard_planes: real4,       // n, how far the first side may go against it [m]
        read guard_limits: real,        // how far the second side may go along it [m]
        read near: uint4,               // four corners
        read contact_reaches: real2,    // reach [m], b [m]
        atomic contact_counts: uint,    // particles held back
        write offsets: real4,           // xyz [m], w = the solver's 1/mass
    }
}

#[inline(always)]
fn guard_hold<R: Real>(b: &Bindings<R>, i: u32) {
    let offset = b.offsets.get(i);
    // What cannot move has no solver's mass.
    if offset.w == R::ZERO {
        return;
    }
    let room = b.touch_slots.len();
    let slots =
        (b.touch_starts[i as usize] as usize).min(room)..(b.touch_starts[i as usize + 1] as usize).min(room);
    let slots = &b.touch_slots[slots];
    let plane = |slot: u32| {
        let k = (slot / 4) as usize;
        let plane = b.guard_planes[k];
        let first = slot % 4 <= u32::from(b.near[k][0] & EDGES != 0);
        if first { (-plane.xyz(), plane.w) } else { (plane.xyz(), b.guard_limits[k]) }
    };
    let mut o = offset.xyz();
    let mut any_excess = true;
    for _ in 0..ROUNDS {
        // After a round in which nothing goes too far, nothing does.
        if !any_excess {
            break;
        }
        any_excess = false;
        for &[_, slot] in slots {
            let (n, limit) = plane(slot);
            let excess = n.dot(o) - limit;
            if excess > R::ZERO {
                o -= n * excess;
                any_excess = true;
            }
        }
    }
    let (mut fraction, slack) = (R::ONE, R::of(KEPT) * offset.xyz().length());
    for &[_, slot] in slots.iter().filter(|_| any_excess) {
        let (n, limit) = plane(slot);
        let towards = n.dot(o);
        if towards > limit + slack {
            fraction = fraction.min(limit / towards);
        }
    }
    let (length, budget) = (o.length(), b.contact_reaches[i as usize][1]);
    if length * fraction > budget {
        fraction = budget / length;
    }
    o = o * fraction;
    if o != offset.xyz() {
        b.contact_counts[0].fetch_add(1, Ordering::Relaxed);
        b.offsets.set(i, o.with_w(offset.w));
    }
}
