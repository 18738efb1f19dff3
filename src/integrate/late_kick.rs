//! Explicit Euler, after the substep: forces and gravity of its start change the velocity it ends with.
//!
//!   v ← v + dt (g + w Σ f)
//!
//! Positions have gone with the velocity of the start. Nothing is dissipated and every vibration grows, by √(1 + ω² dt²) a
//! substep, unless damping takes more: stable where dt ω² < γ < 2/dt + dt ω²/2 (Schmedding 2012, sec. 8.1.1). This is what the other
//! integrators are compared with.

use super::kick::gather;
use super::postpone::is_free;
use crate::math::Real;
use crate::particles::World;

crate::kernel! {
    "integrate/late_kick" => late_kick per Invocation {
        uniform world: World,
        read corner_starts: uint,        // where each particle's slots begin, and one end
        read corner_slots: uint,         // places in `corner_forces`
        read corner_forces: real4,      // xyz [N]
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        write velocities: real4,        // xyz [m/s]
    }
}

#[inline(always)]
fn late_kick<R: Real>(b: &Bindings<R>, i: u32) {
    let w = b.positions[i as usize].w;
    if is_free(b.corner_starts, w, i) {
        let force = gather(b.corner_starts, b.corner_slots, b.corner_forces, i);
        let v = b.velocities.get(i);
        let change = (b.world.gravity.xyz() + force * w) * b.launch.dt;
        b.velocities.set(i, (v.xyz() + change).with_w(v.w));
    }
}
