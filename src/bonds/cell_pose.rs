//! Where every cell is at the end of the substep as far as it is known.
//!
//! Positions and displacements stay apart: their sum would lose the digits of what small strains are made of. A substep begins with what inertia
//! alone would do, ô − g dt²: a beam at rest falls by a hundred times its sag in a substep of 1/60 s, and to bring it back would cost
//! as many digits.

use crate::frames::turn;
use crate::math::{Real, Vec4};
use crate::particles::World;

/// Vectors of a pose: position and mass, displacement and moment of inertia, orientation. What is held has no mass, or no moment.
pub const POSE: u32 = 3;
/// The flag of the first pose of a substep, after which nothing has changed yet.
pub const FIRST: u32 = 1;

crate::kernel! {
    "bonds/cell_pose" => cell_pose per Invocation {
        uniform world: World,
        read cell_numbers: uint4,       // particle, frame, body
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read frames: real4,             // unit quaternions, every second
        read turns: real4,              // xyz the turn of this substep
        read frame_inertia: real4,      // inverse inertia [1/(kg m²)]
        write offsets: real4,           // xyz [m], w = the solver's 1/mass
        write cell_poses: real4,        // three per cell
        write cell_changes: real4,      // Σ Δv [m/s], Σ Δω [rad/s] of this substep, by cell
    }
}

/// 1/w, or 0 of what is held.
#[inline(always)]
fn inverse<R: Real>(w: R) -> R {
    R::select(w > R::ZERO, R::ONE / w, R::ZERO)
}

#[inline(always)]
fn cell_pose<R: Real>(b: &Bindings<R>, id: u32) {
    let [particle, frame, ..] = b.cell_numbers[id as usize].map(|n| n as usize);
    let (x, mut offset) = (b.positions[particle], b.offsets.get(particle as u32));
    if b.launch.flags & FIRST != 0 {
        let fall = b.world.gravity.xyz() * R::select(x.w > R::ZERO, b.launch.dt, R::ZERO);
        offset = (offset.xyz() - fall * b.launch.dt).with_w(offset.w);
        b.offsets.set(particle as u32, offset);
        b.cell_changes.set(2 * id, (-fall).with_w(R::ZERO));
        b.cell_changes.set(2 * id + 1, Vec4::ZERO);
    }
    let q = turn::apply(b.frames[2 * frame], b.turns[frame].xyz());
    b.cell_poses.set(POSE * id, x.xyz().with_w(inverse(x.w)));
    b.cell_poses.set(POSE * id + 1, offset.xyz().with_w(inverse(b.frame_inertia[frame].x)));
    b.cell_poses.set(POSE * id + 2, q);
}
