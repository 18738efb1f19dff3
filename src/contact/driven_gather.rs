//! Bodies whose surfaces touch as corners driven by a frame, side by side: the motion of a substep as contact works on it.
//!
//! Records: position [m] and 1/mass [1/kg]; axes, a unit quaternion; inverse moments about them [1/(kg m²)]; displacement [m]; turn, a Gibbs vector.

use crate::math::Real;

/// Records of `driven_motions` per body.
pub const RECORDS: u32 = 5;
/// The records of the displacement and of the turn.
pub const OFFSET: u32 = 3;
pub const TURN: u32 = 4;

crate::kernel! {
    "contact/driven_gather" => driven_gather per Invocation {
        read driven_bodies: uint4,      // particle, frame, first driven corner, corners
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read offsets: real4,            // xyz [m], w = the solver's 1/mass
        read frames: real4,             // unit quaternions, every second
        read frame_inertia: real4,      // inverse inertia [1/(kg m²)]
        read turns: real4,              // xyz the rotation of this substep
        write driven_motions: real4,
    }
}

#[inline(always)]
fn driven_gather<R: Real>(b: &Bindings<R>, id: u32) {
    let [particle, frame, ..] = b.driven_bodies[id as usize].map(|n| n as usize);
    let first = RECORDS * id;
    b.driven_motions.set(first, b.positions[particle]);
    b.driven_motions.set(first + 1, b.frames[2 * frame]);
    b.driven_motions.set(first + 2, b.frame_inertia[frame].xyz().with_w(R::ZERO));
    b.driven_motions.set(first + OFFSET, b.offsets[particle].xyz().with_w(R::ZERO));
    b.driven_motions.set(first + TURN, b.turns[frame].xyz().with_w(R::ZERO));
}
