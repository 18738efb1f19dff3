//! Bounces: velocities and spins change after a substep has ended at the surface that was hit.
//!
//!   v ← v + Δv        ξ ← ξ + Δξ
//!
//! The displacement of the substep cannot say both where a body ends and how fast it leaves.

use super::motion::{KICK, RECORDS};
use crate::math::Real;

crate::kernel! {
    "rigid/kick_bodies" => kick_bodies per Invocation {
        read rigid_bodies: uint4,      // particle, frame, first record of its parts, features
        read rigid_motions: real4,
        write velocities: real4,       // xyz [m/s]
        write spins: real4,            // xyz [rad/s], about the frame's axes
    }
}

#[inline(always)]
fn kick_bodies<R: Real>(b: &Bindings<R>, id: u32) {
    let [particle, frame, ..] = b.rigid_bodies[id as usize];
    let first = (RECORDS * id + KICK) as usize;
    let (velocity, spin) = (b.velocities.get(particle), b.spins.get(frame));
    b.velocities.set(particle, (velocity.xyz() + b.rigid_motions[first].xyz()).with_w(velocity.w));
    b.spins.set(frame, (spin.xyz() + b.rigid_motions[first + 1].xyz()).with_w(spin.w));
}
