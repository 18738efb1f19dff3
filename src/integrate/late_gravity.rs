//! Midpoint and forward Euler: free particles of elements go with the velocity of the middle or of the start of the substep.
//!
//!   o ← o − κ dt² g        κ = ½ (midpoint) or 1 (forward Euler)
//!
//! `predict` has given them all of gravity; the share κ = `launch.weight` follows when they have moved.

use crate::math::Real;
use crate::particles::World;

crate::kernel! {
    "integrate/late_gravity" => late_gravity per Invocation {
        uniform world: World,
        read corner_starts: uint,        // where each particle's slots begin, and one end
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        write offsets: real4,           // xyz [m], w = the solver's 1/mass
    }
}

/// Whether a particle belongs to an element and can move.
#[inline(always)]
pub fn is_free<R: Real>(starts: &[u32], w: R, i: u32) -> bool {
    w > R::ZERO && starts[i as usize + 1] > starts[i as usize]
}

#[inline(always)]
fn late_gravity<R: Real>(b: &Bindings<R>, i: u32) {
    if is_free(b.corner_starts, b.positions[i as usize].w, i) {
        let offset = b.offsets.get(i);
        let late = b.world.gravity.xyz() * (b.launch.weight * b.world.dt * b.world.dt);
        b.offsets.set(i, (offset.xyz() - late).with_w(offset.w));
    }
}
