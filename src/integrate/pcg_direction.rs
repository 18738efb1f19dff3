//! The next direction of a body's conjugate gradients.
//!
//!   β = (r·z)_new / (r·z)_old        p ← z + β p

use crate::math::{Real, Vec4};

crate::kernel! {
    "integrate/pcg_direction" => pcg_direction per Invocation {
        read row_groups: uint,          // body of each row; u32::MAX: none
        read group_scalars: real4,      // r·z, r·z before, r·z at the start, p·q
        read cg_preconditioned: real4,  // z, xyz [m/s]
        write cg_directions: real4,     // p, xyz [m/s]
    }
}

#[inline(always)]
fn pcg_direction<R: Real>(b: &Bindings<R>, i: u32) {
    let group = b.row_groups[i as usize];
    if group == u32::MAX {
        return;
    }
    let scalars = b.group_scalars[group as usize];
    let before = if b.launch.index > 0 { b.cg_directions.get(i).xyz() } else { Vec4::ZERO.xyz() };
    let beta = R::select(b.launch.index > 0 && scalars.y > R::ZERO, scalars.x / scalars.y, R::ZERO);
    b.cg_directions.set(i, (b.cg_preconditioned[i as usize].xyz() + before * beta).with_w(R::ZERO));
}
