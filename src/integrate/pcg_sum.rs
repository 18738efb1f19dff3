//! The scalars of a body's conjugate gradients, from the parts of a scalar product.
//!
//! Bodies have scalars of their own: how soft or how far away another one is changes no bit.

use crate::math::{Real, Vec4};
use crate::primitives::reduce::block_sum;

/// The flag of p·q; otherwise the sum is r·z, the first one in iteration 0.
pub const CURVATURE: u32 = 1;

crate::kernel! {
    "integrate/pcg_sum" => pcg_sum per Workgroup {
        read group_blocks: uint2,       // blocks of each body: first, end
        read dot_parts: real,           // one per block
        write group_scalars: real4,     // r·z, r·z before, r·z at the start, p·q
    }
}

#[inline(always)]
fn pcg_sum<R: Real>(b: &Bindings<R>, group: u32) {
    let [first, end] = b.group_blocks[group as usize];
    let parts = &b.dot_parts[first as usize..end as usize];
    let sum = block_sum(parts.len(), |i| parts[i]);
    let Vec4 { x, z, .. } = b.group_scalars.get(group);
    let scalars = if b.launch.flags & CURVATURE != 0 {
        Vec4 { w: sum, ..b.group_scalars.get(group) }
    } else if b.launch.index == 0 {
        Vec4::new(sum, sum, sum, R::ZERO)
    } else {
        Vec4::new(sum, x, z, R::ZERO)
    };
    b.group_scalars.set(group, scalars);
}
