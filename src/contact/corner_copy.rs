//! Corners that are particles, in the columns in which all corners are: there before contact, and their displacements back after it.

use crate::math::Real;

/// The flag of the pass that brings displacements back.
pub const BACK: u32 = 1;

crate::kernel! {
    "contact/corner_copy" => corner_copy per Invocation {
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        write offsets: real4,           // xyz [m], w = the solver's 1/mass
        write corner_places: real4,     // xyz [m], w = 1/mass [1/kg]
        write corner_ways: real4,       // xyz [m], w = the solver's 1/mass
    }
}

#[inline(always)]
fn corner_copy<R: Real>(b: &Bindings<R>, i: u32) {
    if b.launch.flags & BACK != 0 {
        b.offsets.set(i, b.corner_ways.get(i));
        return;
    }
    b.corner_places.set(i, b.positions[i as usize]);
    b.corner_ways.set(i, b.offsets.get(i));
}
