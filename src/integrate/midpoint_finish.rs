//! Implicit midpoint, after the substep: the second half of gravity and of the solved change.
//!
//!   v ← v + ½ (dt g + Δv)
//!
//! `finish` has made v the velocity of the middle, with what contacts and constraints did to it.

use super::postpone::is_free;
use crate::math::Real;
use crate::particles::World;

crate::kernel! {
    "integrate/midpoint_finish" => midpoint_finish per Invocation {
        uniform world: World,
        read corner_starts: uint,        // where each particle's slots begin, and one end
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read cg_changes: real4,         // Δv, xyz [m/s]
        write velocities: real4,        // xyz [m/s]
    }
}

#[inline(always)]
fn midpoint_finish<R: Real>(b: &Bindings<R>, i: u32) {
    if is_free(b.corner_starts, b.positions[i as usize].w, i) {
        let v = b.velocities.get(i);
        let rest = (b.world.gravity.xyz() * b.launch.dt + b.cg_changes[i as usize].xyz()) * R::of(0.5);
        b.velocities.set(i, (v.xyz() + rest).with_w(v.w));
    }
}
