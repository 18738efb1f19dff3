//! Forward Euler, after the substep: forces and gravity of its start change the velocity that it did not have yet.
//!
//!   v ← v + dt (g + w Σ f)
//!
//! An oscillation of frequency ω grows by √(1 + ω² dt²) in every substep, which only damping can balance. It is there to
//! compare with.

use super::kick::gather;
use super::late_gravity::is_free;
use crate::math::Real;
use crate::particles::World;

crate::kernel! {
    "integrate/forward_finish" => forward_finish per Invocation {
        uniform world: World,
        read corner_starts: uint,       // where each particle's slots begin, and one end
        read corner_slots: uint,        // places in `corner_forces`
        read corner_forces: real4,      // xyz [N]
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        write velocities: real4,        // xyz [m/s]
    }
}

#[inline(always)]
fn forward_finish<R: Real>(b: &Bindings<R>, i: u32) {
    let w = b.positions[i as usize].w;
    if is_free(b.corner_starts, w, i) {
        let v = b.velocities.get(i);
        let force = gather(b.corner_starts, b.corner_slots, b.corner_forces, i);
        let change = (b.world.gravity.xyz() + force * w) * b.world.dt;
        b.velocities.set(i, (v.xyz() + change).with_w(v.w));
    }
}
