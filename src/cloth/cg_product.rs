//! The product of the system matrix and the direction: q = M p + Σ (τ² K + τ D) p over a particle's corners.

use super::cg_direction::DONE;
use super::cloth_kick::gather;
use crate::math::{Real, Vec3};

crate::kernel! {
    "cloth/cg_product" => cg_product per Invocation {
        read cloth_starts: uint,        // where each particle's slots begin, and one end
        read cloth_slots: uint,         // places in `corner_forces`
        read corner_forces: real4,      // xyz [N s]
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read cg_directions: real4,      // xyz [m/s]
        read cg_counts: uint,           // done, iterations
        write cg_products: real4,       // xyz [N s]
    }
}

#[inline(always)]
fn cg_product<R: Real>(b: &Bindings<R>, i: u32) {
    if b.cg_counts[DONE] != 0 {
        return;
    }
    let w = b.positions[i as usize].w;
    let mut q = Vec3::ZERO;
    if w > R::ZERO {
        let change = gather(b.cloth_starts, b.cloth_slots, b.corner_forces, i);
        q = b.cg_directions[i as usize].xyz() / w + change;
    }
    b.cg_products.set(i, q.with_w(R::ZERO));
}
