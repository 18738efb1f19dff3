//! Preconditioned conjugate gradients from Δv = 0: the residual is the right side, and its first step of block-Jacobi the start of the
//! preconditioner.
//!
//!   r = dt Σ f + κ dt m g        x = S r        κ = `launch.weight`, as in `cg_start`
//!

use super::cg_block::multiply;
use super::kick::gather;
use crate::math::{Real, Vec4};
use crate::particles::World;

crate::kernel! {
    "integrate/pcg_start" => pcg_start per Invocation {
        uniform world: World,
        read corner_starts: uint,        // where each particle's slots begin, and one end
        read corner_slots: uint,         // places in `corner_forces`
        read corner_forces: real4,      // xyz [N]
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read smoothers: real4,          // S: xx, yy, zz; xy, yz, zx [1/kg], two per particle
        write cg_residuals: real4,      // xyz [N s]
        write guess: real4,             // x, xyz [m/s]
        write cg_changes: real4,        // Δv, xyz [m/s]
    }
}

#[inline(always)]
fn pcg_start<R: Real>(b: &Bindings<R>, i: u32) {
    let w = b.positions[i as usize].w;
    let mut r = Vec4::ZERO.xyz();
    if w > R::ZERO {
        let force = gather(b.corner_starts, b.corner_slots, b.corner_forces, i);
        r = (force + b.world.gravity.xyz() * (b.launch.weight / w)) * b.launch.dt;
    }
    let smoother = [b.smoothers[2 * i as usize].xyz(), b.smoothers[2 * i as usize + 1].xyz()];
    b.cg_residuals.set(i, r.with_w(R::ZERO));
    b.guess.set(i, multiply(smoother, r).with_w(R::ZERO));
    b.cg_changes.set(i, Vec4::ZERO);
}
