//! A free body keeps its linear momentum however few iterations it has been given, and however its forces are rounded.
//!
//!   o ← o − Σ m (o − ô + s (o − r)) / Σ m (1 + s)
//!
//! Forces between the particles of a body cannot move its centre: without drag (s = 0) that goes where inertia alone leads. A body that is held
//! anywhere, or has a load, has next to infinite mass here, and stays as it is.

use crate::math::{Real, Vec4};

crate::kernel! {
    "integrate/drift" => drift per Invocation {
        read row_groups: uint,          // body of each row; u32::MAX: none
        read group_blocks: uint2,       // blocks of each body: first, end
        read drift_sums: real4,        // Σ m (o − ô + s (o − r)) [kg m], Σ m (1 + s) [kg], one per block
        write offsets: real4,           // xyz [m], w = the solver's 1/mass
    }
}

#[inline(always)]
fn drift<R: Real>(b: &Bindings<R>, i: u32) {
    let group = b.row_groups[i as usize];
    if group == u32::MAX {
        return;
    }
    let [first, end] = b.group_blocks[group as usize];
    let mut sum = Vec4::ZERO;
    for part in &b.drift_sums[first as usize..end as usize] {
        sum = (sum.xyz() + part.xyz()).with_w(sum.w + part.w);
    }
    let offset = b.offsets.get(i);
    b.offsets.set(i, (offset.xyz() - sum.xyz() / sum.w).with_w(offset.w));
}
