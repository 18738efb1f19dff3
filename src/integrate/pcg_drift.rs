//! A free body keeps its linear momentum however few iterations it has been given.
//!
//!   Δv ← Δv + Σ r / (κ Σ m)        κ = `launch.weight`
//!
//! Stiffness does not act on a translation of the whole body, so that the momentum missing from Δv is what is left of the residual. A
//! body that is held anywhere has next to infinite mass here, and stays as it is.

use crate::math::{Real, Vec4};

crate::kernel! {
    "integrate/pcg_drift" => pcg_drift per Invocation {
        read row_groups: uint,          // body of each row; u32::MAX: none
        read group_blocks: uint2,       // blocks of each body: first, end
        read drift_parts: real4,        // Σ r [N s], Σ m [kg], one per block
        write cg_changes: real4,        // Δv, xyz [m/s]
    }
}

#[inline(always)]
fn pcg_drift<R: Real>(b: &Bindings<R>, i: u32) {
    let group = b.row_groups[i as usize];
    if group == u32::MAX {
        return;
    }
    let [first, end] = b.group_blocks[group as usize];
    let mut sum = Vec4::ZERO;
    for part in &b.drift_parts[first as usize..end as usize] {
        sum = (sum.xyz() + part.xyz()).with_w(sum.w + part.w);
    }
    let change = b.cg_changes.get(i).xyz() + sum.xyz() / (b.launch.weight * sum.w);
    b.cg_changes.set(i, change.with_w(R::ZERO));
}
