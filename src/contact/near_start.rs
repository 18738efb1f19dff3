//! Where each corner is as a list is made, and how far it may go while that list holds.
//!
//!   B = b + skin        span = ρ + B
//!
//! A pair that a substep looks at is nearer than the sum of two reaches there, and then it was nearer than the sum of two spans
//! when the list was made: so that results do not depend on when lists are made, to the bit. A wider skin lasts longer and
//! lists more pairs: by the square of the span where that is more than the length of edges.

use crate::math::Real;

/// Budgets that a list is to last for.
pub const SUBSTEPS: f64 = 4.0;
/// The largest skin, as a share of the mean length of edges at a particle.
pub const EDGE_SHARE: f64 = 0.125;
/// Spans are larger by this, so that rounding excludes nobody.
const ROUNDING: f64 = 1.0001;

crate::kernel! {
    "contact/near_start" => near_start per Invocation {
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read contact_reaches: real2,    // reach [m], b [m]
        read contact_skins: real,       // largest skin [m]
        write near_made: real4,         // xyz [m], w = B [m]
        write near_spans: real,         // reach within the list [m]
        write corner_counts: uint,      // cleared
    }
}

#[inline(always)]
fn near_start<R: Real>(b: &Bindings<R>, i: u32) {
    let [reach, budget] = b.contact_reaches[i as usize];
    let far = R::of(SUBSTEPS) * budget;
    let most = b.contact_skins[i as usize];
    let skin = R::select(far < most, far, most);
    b.near_made.set(i, b.positions[i as usize].xyz().with_w(budget + skin));
    let span = R::select(reach < R::ZERO, -R::ONE, R::of(ROUNDING) * (reach + skin));
    b.near_spans.set(i, span);
    b.corner_counts.set(i, 0);
}
