//! The moments that fields have given to cells: m = v R M.

use super::induction::RECORDS;
use crate::math::{Quat, Real};

crate::kernel! {
    "magnets/induce_moments" => induce_moments per Invocation {
        read induced_cells: uint4,      // first of its body, end, table, node; place, counts, magnet
        read induced_rest: real4,       // v/χ [m³], v [m³], 1/√(v c) [m^-3/2], radius [m]; grid against frame
        read induced_places: real4,     // [m], w = radius [m]; grid against world
        read magnetisations: real4,     // along the grid [A/m]
        write node_places: real4,       // from the centre [m], w = reach [m]; moment [A m²], w = radius [m]
    }
}

#[inline(always)]
fn induce_moments<R: Real>(b: &Bindings<R>, id: u32) {
    let i = id as usize;
    let rest = b.induced_rest[RECORDS * i];
    let axes = Quat::from_vec4(b.induced_places[RECORDS * i + 1]);
    let moment = axes.rotate(b.magnetisations[i].xyz()) * rest.y;
    b.node_places.set(2 * b.induced_cells[2 * i][3] + 1, moment.with_w(rest.w));
}
