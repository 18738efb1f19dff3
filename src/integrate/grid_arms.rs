//! The arms of rigid motions: from the particle at the root of a coarse node to that of a fine one.
//!
//! A rotation about the root is a rotation about any other point and a translation, which the node has too.

use crate::math::Real;

crate::kernel! {
    "integrate/grid_arms" => grid_arms per Invocation {
        read arm_ends: uint2,           // particles: of the fine node, of the coarse one
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read residuals: real4,          // xyz [m]
        write arms: real4,              // d, xyz [m]
    }
}

#[inline(always)]
fn grid_arms<R: Real>(b: &Bindings<R>, id: u32) {
    let [fine, root] = b.arm_ends[id as usize].map(|p| p as usize);
    let arm = (b.positions[fine].xyz() - b.positions[root].xyz())
        + (b.residuals[fine].xyz() - b.residuals[root].xyz());
    b.arms.set(id, arm.with_w(R::ZERO));
}
