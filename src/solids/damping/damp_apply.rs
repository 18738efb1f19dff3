//! What the neighbours did to each particle's way in one sweep.

use crate::math::Real;

crate::kernel! {
    "solids/damping/damp_apply" => damp_apply per Invocation {
        read damp_changes: real4,       // xyz [m]
        write offsets: real4,           // xyz [m], w = the solver's 1/mass
    }
}

#[inline(always)]
fn damp_apply<R: Real>(b: &Bindings<R>, id: u32) {
    let i = b.launch.first + id;
    let offset = b.offsets.get(i);
    b.offsets.set(i, (offset.xyz() + b.damp_changes[i as usize].xyz()).with_w(offset.w));
}
