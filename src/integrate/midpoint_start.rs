//! Implicit midpoint, before the solve: a sheet's free particles go with the velocity of the middle of the substep.
//!
//!   o ← o − ½ dt² g
//!
//! `predict` has given them all of gravity; half of it belongs to the second half of the substep.

use crate::math::Real;
use crate::particles::World;

crate::kernel! {
    "integrate/midpoint_start" => midpoint_start per Invocation {
        uniform world: World,
        read corner_starts: uint,        // where each particle's slots begin, and one end
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        write offsets: real4,           // xyz [m], w = the solver's 1/mass
    }
}

/// Whether a particle belongs to a sheet and can move.
#[inline(always)]
pub fn is_free<R: Real>(starts: &[u32], w: R, i: u32) -> bool {
    w > R::ZERO && starts[i as usize + 1] > starts[i as usize]
}

#[inline(always)]
fn midpoint_start<R: Real>(b: &Bindings<R>, i: u32) {
    if is_free(b.corner_starts, b.positions[i as usize].w, i) {
        let offset = b.offsets.get(i);
        let half = b.world.gravity.xyz() * (R::of(0.5) * b.world.dt * b.world.dt);
        b.offsets.set(i, (offset.xyz() - half).with_w(offset.w));
    }
}
