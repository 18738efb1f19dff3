//! The dipoles in the world that r stands for, for the cells of other bodies.

use super::induction::RECORDS;
use crate::math::{Quat, Real};

crate::kernel! {
    "magnets/induce_sides" => induce_sides per Invocation {
        read induced_rest: real4,       // v/χ [m³], v [m³], 1/√(v c) [m^-3/2], radius [m]; grid against frame
        read induced_places: real4,     // [m], w = radius [m]; grid against world
        read induced_residuals: real4,  // r
        read induced_counts: uint,      // done, iterations of this substep, of all, the most, unfinished
        write induced_sides: real4,     // [A m²]
    }
}

#[inline(always)]
fn induce_sides<R: Real>(b: &Bindings<R>, id: u32) {
    let i = id as usize;
    if b.induced_counts[0] != 0 {
        return;
    }
    let rest = b.induced_rest[RECORDS * i];
    let axes = Quat::from_vec4(b.induced_places[RECORDS * i + 1]);
    let side = axes.rotate(b.induced_residuals[i].xyz()) * (rest.y * rest.z);
    b.induced_sides.set(id, side.with_w(R::ZERO));
}
