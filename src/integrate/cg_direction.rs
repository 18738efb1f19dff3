//! The next direction of conjugate gradients, or the end of them.
//!
//!   β = (r·z)_new / (r·z)_old        p ← z + β p        done when r·z ≤ ε² (r·z)_first
//!
//! Every thread comes to the same verdict; the first one leaves it for the passes that follow, which then return at
//! once, and counts. Nothing is read back.

use crate::math::Real;

/// Places in `cg_counts`.
pub const DONE: usize = 0;
pub const ITERATIONS: usize = 1;
pub const TOTAL: usize = 2;
pub const MOST: usize = 3;
/// Substeps that ended before the solution was good enough.
pub const UNFINISHED: usize = 4;

crate::kernel! {
    "integrate/cg_direction" => cg_direction per Invocation {
        read cg_old: real,              // r·z before
        read cg_new: real,              // r·z now
        read cg_first: real,            // r·z at the start
        read cg_preconditioned: real4,  // z, xyz [m/s]
        write cg_directions: real4,     // p, xyz [m/s]
        write cg_counts: uint,          // done, iterations of this substep, of all, the most, unfinished
    }
}

#[inline(always)]
fn cg_direction<R: Real>(b: &Bindings<R>, i: u32) {
    let (old, new) = (b.cg_old[0], b.cg_new[0]);
    let running = new > b.launch.weight * b.cg_first[0];
    if i == 0 && b.cg_counts.get(DONE as u32) == 0 {
        let iterations = b.cg_counts.get(ITERATIONS as u32) + 1;
        b.cg_counts.set(DONE as u32, u32::from(!running));
        b.cg_counts.set(ITERATIONS as u32, iterations);
        b.cg_counts.set(TOTAL as u32, b.cg_counts.get(TOTAL as u32) + 1);
        b.cg_counts.set(MOST as u32, b.cg_counts.get(MOST as u32).max(iterations));
    }
    let beta = R::select(running, new / old, R::ZERO);
    let z = b.cg_preconditioned[i as usize].xyz() * R::select(running, R::ONE, R::ZERO);
    b.cg_directions.set(i, (z + b.cg_directions.get(i).xyz() * beta).with_w(R::ZERO));
}
