//! Whether a substep of bonded cells wants another round: while damage or yield changes by a hundredth or more.
//!
//! A round is a solution and what breaks after it. With a single one, damage would lag behind the motion, and wood that is loaded
//! fast would be twice too tough. A substep that is done marks the conjugate gradients as done too, so that their passes return at once.

use crate::integrate::cg_direction::{DONE, ITERATIONS, UNFINISHED};
use crate::math::Real;

/// Places in `bond_counts`: whether the substep is done, its rounds, those of all, the most, and substeps that ran out of them.
pub const ROUNDS: u32 = 1;
pub const TOTAL: u32 = 2;
pub const MOST: u32 = 3;
pub const RAN_OUT: u32 = 4;
/// The flag of the first round of a substep, and of what comes after the last one.
pub const FIRST: u32 = 1;
pub const AFTER: u32 = 2;
/// Largest change of damage, or of plastic displacement over that at yield, that needs no other round.
pub const SMALL: f64 = 0.01;

crate::kernel! {
    "bonds/bond_decide" => bond_decide per Invocation {
        read bond_change: real,         // the largest change of any bond
        write bond_counts: uint,        // done, rounds of this substep, of all, the most, substeps that ran out
        write cg_counts: uint,          // done, iterations of this round, of all, the most, unfinished
    }
}

#[inline(always)]
fn bond_decide<R: Real>(b: &Bindings<R>, _: u32) {
    let count = |place: u32| b.bond_counts.get(place);
    let is_still = b.bond_change[0] < R::of(SMALL);
    if b.launch.flags & AFTER != 0 {
        if count(0) == 0 && !is_still {
            b.bond_counts.set(RAN_OUT, count(RAN_OUT) + 1);
        }
        return;
    }
    let is_first = b.launch.flags & FIRST != 0;
    let iterations = b.cg_counts.get(ITERATIONS as u32);
    let ran_out = b.cg_counts.get(DONE as u32) == 0 && iterations > 0;
    b.cg_counts.set(UNFINISHED as u32, b.cg_counts.get(UNFINISHED as u32) + u32::from(ran_out));
    if !is_first && (count(0) != 0 || is_still) {
        b.bond_counts.set(0, 1);
        b.cg_counts.set(DONE as u32, 1);
        return;
    }
    let rounds = if is_first { 1 } else { count(ROUNDS) + 1 };
    b.bond_counts.set(0, 0);
    b.bond_counts.set(ROUNDS, rounds);
    b.bond_counts.set(TOTAL, count(TOTAL) + 1);
    b.bond_counts.set(MOST, count(MOST).max(rounds));
    b.cg_counts.set(DONE as u32, 0);
    b.cg_counts.set(ITERATIONS as u32, 0);
}
