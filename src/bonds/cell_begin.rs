//! The start of conjugate gradients from Δv = 0: the first step of block-Jacobi, x = S r.

use crate::integrate::cg_block::multiply;
use crate::math::{Real, Vec4};

crate::kernel! {
    "bonds/cell_begin" => cell_begin per Invocation {
        read cg_residuals: real4,       // r, xyz [N s], [N m s], by row
        read smoothers: real4,          // S: xx, yy, zz; xy, yz, zx, two per row
        write guess: real4,             // x, xyz
        write cg_changes: real4,        // Δv, xyz
    }
}

#[inline(always)]
fn cell_begin<R: Real>(b: &Bindings<R>, i: u32) {
    let smoother = [b.smoothers[2 * i as usize].xyz(), b.smoothers[2 * i as usize + 1].xyz()];
    b.guess.set(i, multiply(smoother, b.cg_residuals[i as usize].xyz()).with_w(R::ZERO));
    b.cg_changes.set(i, Vec4::ZERO);
}
