//! CoRdE: the torques on a frame change its spin, and that its turn of this substep (symplectic Euler).
//!
//!   ω' = P(P(ω) + h J⁻¹ Σ τ)        g' = g ∘ (h ω'/2)        h = dt/n
//!
//! n steps of the frames make a substep; the first begins at the residual turn r. [`super::finish_frames`] takes the mean ω of a substep
//! for its last, which for n = 1 it is; what is missing is kept for [`super::corde_spin`].
//!
//! P is half a step of the gyroscopic term −ω × Jω, the precession of [`turn::precess`]. It turns ω and keeps its energy; but
//! half of it must come before the torques and half after. All of it before them, by an angle θ, gives an oscillation of frequency
//! Ω eigenvalues beyond 1: their product is e^{iθ}, their sum 1 + e^{iθ} − h²Ω², and e^{−iθ/2} times that is not real. It grows
//! by about h²Ω² sin(θ/2)/4 a step at any h, which frames of little inertia about two axes, for which θ is large, do not survive. In
//! halves the sum is 2 cos(θ/2) − h²Ω² and both eigenvalues stay on the unit circle.

use super::REST;
use crate::frames::turn;
use crate::math::{Real, Vec3};

crate::kernel! {
    "rods/corde_turn" => corde_turn per Invocation {
        read corde_frame_starts: uint,    // where each frame's slots begin, and one end
        read corde_frame_slots: uint,     // places in `corde_loads`
        read corde_loads: real4,          // forces [N] and torques [N m]
        read rod_rest: real4,             // … w = 1 − C/A; …; inverse inertia [1/(kg m²)]
        read frames: real4,               // unit quaternion, then the turn that rounding kept from it
        write spins: real4,               // xyz [rad/s], about the frame's axes
        write turns: real4,               // xyz the turn of this substep
        write corde_spins: real4,         // xyz what the mean spin lacks at the end of the substep [rad/s]
    }
}

/// `launch.first` is the first frame of all CoRdE rods, `launch.index` is the step of the frames in this substep and
/// `launch.weight` its share.
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
    let h = b.launch.dt * b.launch.weight;
    let rate = b.rod_rest[(REST * k) as usize].w * R::of(0.25) * h;
    let entering = b.spins.get(k).xyz();
    let kicked = turn::precess(entering, rate * entering.z) + torque.scaled(inverse_inertia) * h;
    let spin = turn::precess(kicked, rate * kicked.z);
    let residual = b.frames[2 * k as usize + 1].xyz();
    let before = if b.launch.index == 0 { residual } else { b.turns.get(k).xyz() };
    let turned = turn::compose(before, spin * (R::of(0.5) * h));
    b.turns.set(k, turned.with_w(R::ZERO));
    b.spins.set(k, spin.with_w(R::ZERO));
    if b.launch.weight < R::ONE {
        let mean = turn::compose(-residual, turned) * (R::of(2.0) / b.launch.dt);
        b.corde_spins.set(id, (spin - mean).with_w(R::ZERO));
    }
}
