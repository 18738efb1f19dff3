//! Where the cells that fields magnetise are, from the centre of the first body that has any, and how their grids are turned.

use super::induction::RECORDS;
use super::pair_nodes::centre;
use crate::frames::turn;
use crate::math::{Real, Vec4};

crate::kernel! {
    "magnets/induce_places" => induce_places per Invocation {
        read induced_cells: uint4,      // first of its body, end, table, node; place, counts, magnet
        read induced_rest: real4,       // v/χ [m³], v [m³], 1/√(v c) [m^-3/2], radius [m]; grid against frame
        read magnets: uint4,            // particles whose mean is the centre, frame, first node
        read node_places: real4,        // from the centre [m], w = reach [m]; moment [A m²], w = radius [m]
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read frames: real4,             // unit quaternion, then the rotation that rounding kept from it
        write induced_places: real4,    // [m], w = radius [m]; grid against world
    }
}

#[inline(always)]
fn induce_places<R: Real>(b: &Bindings<R>, id: u32) {
    let i = id as usize;
    let node = b.induced_cells[2 * i][3] as usize;
    let [p, q, frame, _] = b.magnets[b.induced_cells[2 * i + 1][2] as usize];
    let [r, s, ..] = b.magnets[b.launch.index as usize];
    let between = centre(b.positions, [p, q]) - centre(b.positions, [r, s]);
    let place = between + b.node_places[2 * node].xyz();
    let axes = turn::rotation(b.frames[2 * frame as usize], b.frames[2 * frame as usize + 1].xyz());
    let axes = Vec4::new(axes.x, axes.y, axes.z, axes.w);
    let first = RECORDS as u32 * id;
    b.induced_places.set(first, place.with_w(b.induced_rest[RECORDS * i].w));
    b.induced_places.set(first + 1, turn::product(axes, b.induced_rest[RECORDS * i + 1]));
}
