//! One step of a body's conjugate gradients along the direction, and the first step of block-Jacobi for the next one.
//!
//!   α = r·z / p·q        Δv ← Δv + α p        r ← r − α q        x = S r
//!
//! `launch.weight` is the square of the tolerance. A body that is done, or whose direction has no resistance, stays as it is.

use super::cg_block::multiply;
use super::pcg_decide::is_running;
use crate::math::Real;

crate::kernel! {
    "integrate/pcg_step" => pcg_step per Invocation {
        read row_groups: uint,          // body of each row; u32::MAX: none
        read group_scalars: real4,      // r·z, r·z before, r·z at the start, p·q
        read cg_directions: real4,      // p, xyz [m/s]
        read cg_products: real4,        // q, xyz [N s]
        read smoothers: real4,          // S: xx, yy, zz; xy, yz, zx [1/kg], two per row
        write cg_changes: real4,        // Δv, xyz [m/s]
        write cg_residuals: real4,      // r, xyz [N s]
        write guess: real4,             // x, xyz [m/s]
    }
}

#[inline(always)]
fn pcg_step<R: Real>(b: &Bindings<R>, i: u32) {
    let group = b.row_groups[i as usize];
    if group == u32::MAX {
        return;
    }
    let scalars = b.group_scalars[group as usize];
    let mut r = b.cg_residuals.get(i).xyz();
    if is_running(scalars, b.launch.weight) && scalars.w > R::ZERO {
        let alpha = scalars.x / scalars.w;
        let change = b.cg_changes.get(i).xyz() + b.cg_directions[i as usize].xyz() * alpha;
        r -= b.cg_products[i as usize].xyz() * alpha;
        b.cg_changes.set(i, change.with_w(R::ZERO));
        b.cg_residuals.set(i, r.with_w(R::ZERO));
    }
    let smoother = [b.smoothers[2 * i as usize].xyz(), b.smoothers[2 * i as usize + 1].xyz()];
    b.guess.set(i, multiply(smoother, r).with_w(R::ZERO));
}
