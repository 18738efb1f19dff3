//! A step along the direction: α = ρ/q·q, x ← x + α p, r ← r − α q.

use super::induction::RECORDS;
use crate::math::Real;

crate::kernel! {
    "magnets/induce_step" => induce_step per Invocation {
        read induced_rest: real4,       // v/χ [m³], v [m³], 1/√(v c) [m^-3/2], radius [m]; grid against frame
        read induced_new: real,         // ρ
        read induced_steep: real,       // q·q
        read induced_directions: real4, // p
        read induced_products: real4,   // q
        read induced_counts: uint,      // done, iterations of this substep, of all, the most, unfinished
        write magnetisations: real4,    // along the grid [A/m]
        write induced_residuals: real4, // r
    }
}

#[inline(always)]
fn induce_step<R: Real>(b: &Bindings<R>, id: u32) {
    let i = id as usize;
    let steep = b.induced_steep[0];
    if b.induced_counts[0] != 0 || steep == R::ZERO {
        return;
    }
    let alpha = b.induced_new[0] / steep;
    let scale = b.induced_rest[RECORDS * i].z * alpha;
    let magnetisation = b.magnetisations.get(id).xyz() + b.induced_directions[i].xyz() * scale;
    let left = b.induced_residuals.get(id).xyz() - b.induced_products[i].xyz() * alpha;
    b.magnetisations.set(id, magnetisation.with_w(R::ZERO));
    b.induced_residuals.set(id, left.with_w(R::ZERO));
}
