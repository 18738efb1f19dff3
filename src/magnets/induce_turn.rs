//! The next direction of conjugate residuals and its product.
//!
//!   β = ρ/ρ₋        p ← r + β p        q ← w + β q        none of the last in the first iteration

use crate::math::Real;

crate::kernel! {
    "magnets/induce_turn" => induce_turn per Invocation {
        read induced_old: real,         // ρ before
        read induced_new: real,         // ρ now
        read induced_residuals: real4,  // r
        read induced_images: real4,     // w
        read induced_counts: uint,      // done, iterations of this substep, of all, the most, unfinished
        write induced_directions: real4,    // p
        write induced_products: real4,  // q
    }
}

#[inline(always)]
fn induce_turn<R: Real>(b: &Bindings<R>, id: u32) {
    if b.induced_counts[0] != 0 {
        return;
    }
    let i = id as usize;
    let old = b.induced_old[0];
    let follows = b.launch.index > 0 && old != R::ZERO;
    let beta = if follows { b.induced_new[0] / old } else { R::ZERO };
    let p = b.induced_residuals[i].xyz() + b.induced_directions.get(id).xyz() * beta;
    let q = b.induced_images[i].xyz() + b.induced_products.get(id).xyz() * beta;
    b.induced_directions.set(id, p.with_w(R::ZERO));
    b.induced_products.set(id, q.with_w(R::ZERO));
}
