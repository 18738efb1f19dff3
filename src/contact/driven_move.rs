//! What contact has done to driven bodies goes back to their particles and frames.

use super::driven_gather::{OFFSET, RECORDS, TURN};
use crate::math::Real;

crate::kernel! {
    "contact/driven_move" => driven_move per Invocation {
        read driven_bodies: uint4,      // particle, frame, first driven corner, corners
        read driven_motions: real4,     // five records a body
        write offsets: real4,           // xyz [m], w = the solver's 1/mass
        write turns: real4,             // xyz the rotation of this substep
    }
}

#[inline(always)]
fn driven_move<R: Real>(b: &Bindings<R>, id: u32) {
    let [particle, frame, ..] = b.driven_bodies[id as usize];
    let first = RECORDS * id;
    let offset = b.driven_motions[(first + OFFSET) as usize].xyz();
    b.offsets.set(particle, offset.with_w(b.offsets.get(particle).w));
    b.turns.set(frame, b.driven_motions[(first + TURN) as usize]);
}
