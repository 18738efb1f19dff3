//! What contact has done to rigid bodies goes back to their particles and frames.

use super::motion::{OFFSET, RECORDS, TURN};
use crate::math::Real;

crate::kernel! {
    "rigid/move_bodies" => move_bodies per Invocation {
        read rigid_bodies: uint4,      // particle, frame, first record of its parts, features
        read rigid_motions: real4,
        write offsets: real4,          // xyz [m], w = the solver's 1/mass
        write turns: real4,            // xyz the rotation of this substep
    }
}

#[inline(always)]
fn move_bodies<R: Real>(b: &Bindings<R>, id: u32) {
    let [particle, frame, ..] = b.rigid_bodies[id as usize];
    let first = (RECORDS * id) as usize;
    let offset = b.rigid_motions[first + OFFSET as usize].xyz();
    b.offsets.set(particle, offset.with_w(b.offsets.get(particle).w));
    b.turns.set(frame, b.rigid_motions[first + TURN as usize]);
}
