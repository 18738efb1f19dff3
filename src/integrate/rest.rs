//! Statics: what has moved to its balance stands still.

use super::late_gravity::is_free;
use crate::math::Real;

crate::kernel! {
    "integrate/rest" => rest per Invocation {
        read corner_starts: uint,       // where each particle's slots begin, and one end
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        write velocities: real4,        // xyz [m/s]
    }
}

#[inline(always)]
fn rest<R: Real>(b: &Bindings<R>, i: u32) {
    if is_free(b.corner_starts, b.positions[i as usize].w, i) {
        b.velocities.set(i, crate::math::Vec4::ZERO);
    }
}
