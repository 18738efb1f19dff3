//! How far each corner may come in this substep: its part of the list, and the limit that the guard holds it to.
//!
//!   b = 3/2 |o| + ρ/2        reach = ρ + b        due: |x − x_d| + b > B
//!
//! o is the predicted displacement, ρ half the thickness. Two things further apart than the sum of their reaches cannot come nearer
//! than their thickness while both stay within b, and need not be looked at. A list is made with B for b, from the places x_d, and holds as
//! long as everything stays within B of them ([`super::near_start`]). A particle that is not finite has no reach.

use crate::math::Real;
use std::sync::atomic::Ordering;

crate::kernel! {
    "contact/near_reach" => near_reach per Invocation {
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read offsets: real4,            // xyz [m]
        read contact_rest: real4,       // xyz at the start [m], w = ρ [m]
        read near_made: real4,          // xyz when the list was made, w = B [m]
        write contact_reaches: real2,   // reach [m], b [m]
        atomic near_due: uint,          // whether a list is due, by motion; by a new step
    }
}

/// The share of its radius that a corner may use, besides its motion. What is not held to a limit needs none.
pub const RADIUS_SHARE: f64 = 0.5;

#[inline(always)]
fn near_reach<R: Real>(b: &Bindings<R>, id: u32) {
    let i = b.launch.first + id;
    let (x, o) = (b.positions[i as usize].xyz(), b.offsets[i as usize].xyz());
    let radius = b.contact_rest[i as usize].w;
    let budget = R::of(1.5) * o.length() + b.launch.weight * radius;
    let finite = x.is_finite() && budget.is_finite();
    b.contact_reaches.set(i, if finite { [radius + budget, budget] } else { [-R::ONE, R::ZERO] });
    let made = b.near_made[i as usize];
    if finite && (x - made.xyz()).length() + budget > made.w {
        b.near_due[0].fetch_max(1, Ordering::Relaxed);
    }
}
