//! CoRdE: the torques on a frame change its spin, and that its turn of this substep (symplectic Euler).
//!
//!   ω' = ω + dt J⁻¹ Σ τ        g = r ∘ (dt ω'/2)
//!
//! The gyroscopic term −ω × Jω is already in ω: [`super::predict_frames`] lets it precess, which changes no energy.

use super::{REST, turn};
use crate::math::{Real, Vec3};
use crate::particles::World;

crate::kernel! {
    "rods/corde_turn" => corde_turn per Invocation {
        uniform world: World,
        read corde_frame_starts: uint,    // where each frame's slots begin, and one end
        read corde_frame_slots: uint,     // places in `corde_loads`
        read corde_loads: real4,          // forces [N] and torques [N m]
        read rod_rest: real4,             // … inverse inertia [1/(kg m²)]
        read frames: real4,               // unit quaternion, then the turn that rounding kept from it
        read spins: real4,                // xyz [rad/s], about the frame's axes
        write turns: real4,               // xyz the turn of this substep
    }
}

/// `launch.first` is the first frame of all CoRdE rods.
#[inline(always)]
fn corde_turn<R: Real>(b: &Bindings<R>, id: u32) {
    let k = b.launch.first + id;
    let inverse_inertia = b.rod_rest[(REST * k + 3) as usize].xyz();
    // Held and driven frames turn as they are told.
    if inverse_inertia.x == R::ZERO {
        return;
    }
    let slots = b.corde_frame_starts[id as usize] as usize..b.corde_frame_starts[id as usize + 1] as usize;
    let mut torque = Vec3::ZERO;
    for &slot in &b.corde_frame_slots[slots] {
        torque += b.corde_loads[slot as usize].xyz();
    }
    let spin = b.spins[k as usize].xyz() + torque.scaled(inverse_inertia) * b.world.dt;
    let residual = b.frames[2 * k as usize + 1].xyz();
    let turned = turn::compose(residual, spin * (R::of(0.5) * b.world.dt));
    b.turns.set(k, turned.with_w(R::ZERO));
}
