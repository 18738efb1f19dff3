//! Whether any body's conjugate gradients go on: r·z > ε² (r·z)_first, ε² = `launch.weight`.
//!
//! When none do, the products that follow return at once. Nothing is read back.

use super::cg_direction::{DONE, ITERATIONS, MOST, TOTAL};
use crate::math::{Real, Vec4};

crate::kernel! {
    "integrate/pcg_decide" => pcg_decide per Invocation {
        read group_scalars: real4,      // r·z, r·z before, r·z at the start, p·q
        write cg_counts: uint,          // done, iterations of this substep, of all, the most, unfinished
    }
}

/// Whether a body's conjugate gradients go on, by their scalars.
#[inline(always)]
pub fn is_running<R: Real>(scalars: Vec4<R>, tolerance: R) -> bool {
    scalars.x > tolerance * scalars.z
}

#[inline(always)]
fn pcg_decide<R: Real>(b: &Bindings<R>, _: u32) {
    if b.cg_counts.get(DONE as u32) != 0 {
        return;
    }
    if b.group_scalars.iter().any(|&scalars| is_running(scalars, b.launch.weight)) {
        let iterations = b.cg_counts.get(ITERATIONS as u32) + 1;
        b.cg_counts.set(ITERATIONS as u32, iterations);
        b.cg_counts.set(TOTAL as u32, b.cg_counts.get(TOTAL as u32) + 1);
        b.cg_counts.set(MOST as u32, b.cg_counts.get(MOST as u32).max(iterations));
    } else {
        b.cg_counts.set(DONE as u32, 1);
    }
}
