//! The product of the matrix of induction with r, one row an invocation: w = A r ([`super::induction`]).

use super::induction::System;
use crate::math::Real;

crate::kernel! {
    "magnets/induce_image" => induce_image per Invocation {
        read induced_cells: uint4,      // first of its body, end, table, node; place, counts, magnet
        read induced_rest: real4,       // v/χ [m³], v [m³], 1/√(v c) [m^-3/2], radius [m]; grid against frame
        read induced_table: real4,      // N by offset: xx, yy, zz; xy, yz, zx
        read induced_places: real4,     // [m], w = radius [m]; grid against world
        read induced_residuals: real4,  // r
        read induced_sides: real4,      // [A m²]
        read induced_counts: uint,      // done, iterations of this substep, of all, the most, unfinished
        write induced_images: real4,    // w
    }
}

#[inline(always)]
fn induce_image<R: Real>(b: &Bindings<R>, id: u32) {
    if b.induced_counts[0] != 0 {
        return;
    }
    let system = System {
        cells: b.induced_cells,
        rest: b.induced_rest,
        table: b.induced_table,
        places: b.induced_places,
    };
    let image = system.image(id as usize, b.induced_residuals, b.induced_sides);
    b.induced_images.set(id, image.with_w(R::ZERO));
}
