//! The product of the system matrix and the direction: q = κ M p + Σ (τ² K + τ D) p over a particle's
//! corners, κ = `launch.weight`.

use super::cg_direction::DONE;
use super::kick::gather;
use crate::math::{Real, Vec3};

crate::kernel! {
    "integrate/cg_product" => cg_product per Invocation {
        read corner_starts: uint,        // where each particle's slots begin, and one end
        read corner_slots: uint,         // places in `corner_forces`
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
        let change = gather(b.corner_starts, b.corner_slots, b.corner_forces, i);
        q = b.cg_directions[i as usize].xyz() * (b.launch.weight / w) + change;
    }
    b.cg_products.set(i, q.with_w(R::ZERO));
}
