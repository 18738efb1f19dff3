//! How far each particle may come in this substep: its part of the boxes, and the limit that the guard holds it to.
//!
//!   b = 3/2 |o| + ρ/2        reach = ρ + b
//!
//! o is the predicted displacement, ρ half the thickness. Two things further apart than the sum of their reaches cannot come nearer
//! than their thickness while both stay within b, so that they need not be listed. A particle that is not finite has no reach.

use crate::math::Real;

crate::kernel! {
    "contact/near_reach" => near_reach per Invocation {
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read offsets: real4,            // xyz [m]
        read contact_rest: real4,       // xyz at the start [m], w = ρ [m]
        write contact_reaches: real2,   // reach [m], b [m]
        write corner_counts: uint,      // cleared
    }
}

#[inline(always)]
fn near_reach<R: Real>(b: &Bindings<R>, i: u32) {
    let (x, o) = (b.positions[i as usize].xyz(), b.offsets[i as usize].xyz());
    let radius = b.contact_rest[i as usize].w;
    let budget = R::of(1.5) * o.length() + R::of(0.5) * radius;
    let finite = x.is_finite() && budget.is_finite();
    b.contact_reaches.set(i, if finite { [radius + budget, budget] } else { [-R::ONE, R::ZERO] });
    b.corner_counts.set(i, 0);
}
