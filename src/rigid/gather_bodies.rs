//! What contact needs of each rigid body, side by side ([`super::motion`]). The first iteration forgets earlier bounces.

use super::motion::{AXES, INVERSE, KICK, OFFSET, POSITION, RECORDS, TURN};
use crate::math::{Real, Vec4};

crate::kernel! {
    "rigid/gather_bodies" => gather_bodies per Invocation {
        read rigid_bodies: uint4,      // particle, frame, first record of its parts, features
        read positions: real4,         // xyz [m], w = 1/mass [1/kg]
        read offsets: real4,           // xyz [m], w = the solver's 1/mass
        read frames: real4,            // unit quaternions, every second
        read frame_inertia: real4,     // inverse inertia [1/(kg m²)]
        read turns: real4,             // xyz the rotation of this substep
        write rigid_motions: real4,
    }
}

#[inline(always)]
fn gather_bodies<R: Real>(b: &Bindings<R>, id: u32) {
    let [particle, frame, ..] = b.rigid_bodies[id as usize].map(|n| n as usize);
    let first = RECORDS * id;
    b.rigid_motions.set(first + POSITION, b.positions[particle]);
    b.rigid_motions.set(first + AXES, b.frames[2 * frame]);
    b.rigid_motions.set(first + INVERSE, b.frame_inertia[frame].xyz().with_w(R::ZERO));
    b.rigid_motions.set(first + OFFSET, b.offsets[particle].xyz().with_w(R::ZERO));
    b.rigid_motions.set(first + TURN, b.turns[frame].xyz().with_w(R::ZERO));
    if b.launch.index == 0 {
        b.rigid_motions.set(first + KICK, Vec4::ZERO);
        b.rigid_motions.set(first + KICK + 1, Vec4::ZERO);
    }
}
