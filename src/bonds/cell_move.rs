//! The solved change of velocity moves and turns every cell.
//!
//!   o ← o + dt Δv        g ← g ∘ (dt Rᵀ Δω/2)

use super::cell_pose::POSE;
use crate::frames::turn;
use crate::math::{Quat, Real};

crate::kernel! {
    "bonds/cell_move" => cell_move per Invocation {
        read cell_numbers: uint4,       // particle, frame, body
        read cg_changes: real4,         // Δv [m/s], Δω [rad/s], by cell
        read cell_poses: real4,         // three per cell
        read bond_counts: uint,         // done, rounds
        write cell_changes: real4,      // Σ Δv [m/s], Σ Δω [rad/s] of this substep, by cell
        write offsets: real4,           // xyz [m], w = the solver's 1/mass
        write turns: real4,             // xyz the turn of this substep
    }
}

#[inline(always)]
fn cell_move<R: Real>(b: &Bindings<R>, id: u32) {
    if b.bond_counts[0] != 0 {
        return;
    }
    let [particle, frame, ..] = b.cell_numbers[id as usize];
    let dt = b.launch.dt;
    let pose = |k: u32| b.cell_poses[(POSE * id + k) as usize];
    let [moved, turned] = [0, 1].map(|k| b.cg_changes[(2 * id + k) as usize].xyz());
    for (k, change) in [(0, moved), (1, turned)] {
        let sum = b.cell_changes.get(2 * id + k).xyz() + change;
        b.cell_changes.set(2 * id + k, sum.with_w(R::ZERO));
    }
    if pose(0).w > R::ZERO {
        let offset = b.offsets.get(particle);
        b.offsets.set(particle, (offset.xyz() + moved * dt).with_w(offset.w));
    }
    if pose(1).w > R::ZERO {
        let own = Quat::from_vec4(pose(2)).conjugate().rotate(turned);
        let end = turn::compose(b.turns.get(frame).xyz(), own * (R::of(0.5) * dt));
        b.turns.set(frame, end.with_w(R::ZERO));
    }
}
