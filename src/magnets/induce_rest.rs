//! What the first guess leaves: r = b − w.

use crate::math::Real;

crate::kernel! {
    "magnets/induce_rest" => induce_rest per Invocation {
        read induced_fields: real4,     // b
        read induced_images: real4,     // w
        write induced_residuals: real4, // r
    }
}

#[inline(always)]
fn induce_rest<R: Real>(b: &Bindings<R>, id: u32) {
    let left = b.induced_fields[id as usize].xyz() - b.induced_images[id as usize].xyz();
    b.induced_residuals.set(id, left.with_w(R::ZERO));
}
