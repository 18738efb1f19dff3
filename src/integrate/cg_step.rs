//! One step of conjugate gradients along the direction.
//!
//!   α = r·z / p·q        Δv ← Δv + α p        r ← r − α q        z = B r
//!
//! Once the directions are zero, p·q is, and nothing changes any more.

use super::cg_block::multiply;
use crate::math::{Real, Vec4};

crate::kernel! {
    "integrate/cg_step" => cg_step per Invocation {
        read cg_old: real,              // r·z before
        read cg_curvature: real,        // p·q
        read cg_directions: real4,      // xyz [m/s]
        read cg_products: real4,        // xyz [N s]
        read cg_blocks: real4,          // xx, yy, zz; xy, yz, zx [1/kg], two per particle
        write cg_changes: real4,        // Δv, xyz [m/s]
        write cg_residuals: real4,      // xyz [N s]
        write cg_preconditioned: real4, // xyz [m/s]
    }
}

#[inline(always)]
fn cg_step<R: Real>(b: &Bindings<R>, i: u32) {
    let before = if b.launch.index == 0 { Vec4::ZERO } else { b.cg_changes.get(i) };
    let has_way = b.cg_curvature[0] > R::ZERO;
    if !has_way {
        b.cg_changes.set(i, before);
        return;
    }
    let alpha = b.cg_old[0] / b.cg_curvature[0];
    let change = before.xyz() + b.cg_directions[i as usize].xyz() * alpha;
    let r = b.cg_residuals.get(i).xyz() - b.cg_products[i as usize].xyz() * alpha;
    let block = [b.cg_blocks[2 * i as usize].xyz(), b.cg_blocks[2 * i as usize + 1].xyz()];
    b.cg_changes.set(i, change.with_w(R::ZERO));
    b.cg_residuals.set(i, r.with_w(R::ZERO));
    b.cg_preconditioned.set(i, multiply(block, r).with_w(R::ZERO));
}
