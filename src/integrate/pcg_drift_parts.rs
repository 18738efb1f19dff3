//! What is left of the residual and the masses of blocks of rows, for `pcg_drift`.

use crate::math::{Real, Vec3};
use crate::primitives::reduce::block_sum;

/// The mass of a particle that is held: so large that its body does not drift [kg].
pub const HELD: f64 = 1e30;

crate::kernel! {
    "integrate/pcg_drift_parts" => pcg_drift_parts per Workgroup {
        read dot_blocks: uint2,         // rows: first, end
        read cg_residuals: real4,       // r, xyz [N s]
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        write drift_parts: real4,       // Σ r [N s], Σ m [kg], one per block
    }
}

#[inline(always)]
fn pcg_drift_parts<R: Real>(b: &Bindings<R>, block: u32) {
    let [first, end] = b.dot_blocks[block as usize];
    let range = first as usize..end as usize;
    let (r, x) = (&b.cg_residuals[range.clone()], &b.positions[range]);
    let sum = |of: fn(&crate::math::Vec4<R>) -> R| block_sum(r.len(), |i| of(&r[i]));
    let mass = block_sum(x.len(), |i| if x[i].w > R::ZERO { R::ONE / x[i].w } else { R::of(HELD) });
    let left = Vec3::new(sum(|r| r.x), sum(|r| r.y), sum(|r| r.z));
    b.drift_parts.set(block, left.with_w(mass));
}
