//! What is left on a fine level becomes the right side of the next one, and the first step of block-Jacobi there:
//! b = Wᵀ r, x = S b.
//!
//! A rotation takes the torque d × r of what its node's particles have left.

use super::cg_block::multiply;
use crate::math::{Real, Vec3};

/// The bit of a row's number that stands for a weight with an arm.
pub const ARM: u32 = 1 << 31;

crate::kernel! {
    "integrate/grid_restrict" => grid_restrict per Invocation {
        read part_starts: uint,         // where each coarse row's parts begin, and one end
        read parts: uint2,              // fine row and whether it has an arm, weight
        read weights: real,             // w
        read arms: real4,               // d, xyz [m]
        read fine: real4,               // r
        read smoothers: real4,          // S: xx, yy, zz; xy, yz, zx, two per row
        write right: real4,             // b
        write guess: real4,             // x
    }
}

#[inline(always)]
fn grid_restrict<R: Real>(b: &Bindings<R>, i: u32) {
    let mut sum = Vec3::ZERO;
    for s in b.part_starts[i as usize]..b.part_starts[i as usize + 1] {
        let [row, weight] = b.parts[s as usize];
        let mut r = b.fine[(row & !ARM) as usize].xyz();
        if row & ARM != 0 {
            r = b.arms[weight as usize].xyz().cross(r);
        }
        sum += r * b.weights[weight as usize];
    }
    let smoother = [b.smoothers[2 * i as usize].xyz(), b.smoothers[2 * i as usize + 1].xyz()];
    b.right.set(i, sum.with_w(R::ZERO));
    b.guess.set(i, multiply(smoother, sum).with_w(R::ZERO));
}
