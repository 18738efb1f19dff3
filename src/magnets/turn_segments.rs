//! Torques on magnets that are segments of rods, about the segment, change the turn of their frames.
//!
//!   g ← g ∘ (dt²/2) J⁻¹ Rᵀ (T·d) d/d²        d from one particle to the other
//!
//! What is across the segment acts on its particles ([`super::push_magnets`]).

use crate::frames::turn;
use crate::math::Real;

/// The least square of a length that is divided by [m²].
const LEAST: f64 = 1e-30;

crate::kernel! {
    "magnets/turn_segments" => turn_segments per Invocation {
        read turned: uint,              // magnet
        read magnets: uint4,            // particles whose mean is the centre, frame, first node
        read magnet_sums: real4,        // force [N], torque about the centre [N m]
        read frame_inertia: real4,      // inverse inertia [1/(kg m²)]
        read frames: real4,             // unit quaternions, every second
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        write turns: real4,             // xyz the turn of this substep
    }
}

#[inline(always)]
fn turn_segments<R: Real>(b: &Bindings<R>, id: u32) {
    let magnet = b.turned[id as usize] as usize;
    let [p, q, frame, _] = b.magnets[magnet];
    let g = b.turns.get(frame).xyz();
    let axes = turn::rotation(b.frames[2 * frame as usize], g);
    let d = b.positions[q as usize].xyz() - b.positions[p as usize].xyz();
    let about = d * (b.magnet_sums[2 * magnet + 1].xyz().dot(d) / d.dot(d).max(R::of(LEAST)));
    let torque = axes.conjugate().rotate(about);
    let half = R::of(0.5) * b.launch.dt * b.launch.dt;
    let change = torque.scaled(b.frame_inertia[frame as usize].xyz()) * half;
    b.turns.set(frame, turn::compose(g, change).with_w(R::ZERO));
}
