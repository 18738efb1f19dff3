//! Gravity that belongs to a later velocity is taken back from the way of this substep.
//!
//!   o ← o − κ dt² g        κ = `launch.weight`
//!
//! `predict` has given every particle all of gravity. Implicit midpoint goes with the velocity of the middle, which has half of
//! it (κ = ½); explicit Euler with that of the start, which has none (κ = 1). What follows the substep gives it back.

use crate::math::Real;
use crate::particles::World;

crate::kernel! {
    "integrate/postpone" => postpone per Invocation {
        uniform world: World,
        read corner_starts: uint,        // where each particle's slots begin, and one end
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        write offsets: real4,           // xyz [m], w = the solver's 1/mass
    }
}

/// Whether a particle belongs to finite elements and can move.
#[inline(always)]
pub fn is_free<R: Real>(starts: &[u32], w: R, i: u32) -> bool {
    w > R::ZERO && starts[i as usize + 1] > starts[i as usize]
}

#[inline(always)]
fn postpone<R: Real>(b: &Bindings<R>, i: u32) {
    if is_free(b.corner_starts, b.positions[i as usize].w, i) {
        let offset = b.offsets.get(i);
        let later = b.world.gravity.xyz() * (b.launch.weight * b.launch.dt * b.launch.dt);
        b.offsets.set(i, (offset.xyz() - later).with_w(offset.w));
    }
}
