//! Tells each tetrahedron whether a ring around one of its edges goes around more than once. See [`super::rings`].

use super::ring_winding::PERIOD;
use crate::math::Real;

/// In place of the ring of an edge that has none.
pub const NONE: u32 = u32::MAX;

/// The bit of a tetrahedron's memory that says that it is loose.
pub const LOOSE: u32 = 8;

crate::kernel! {
    "solids/tet_loosen" => tet_loosen per Invocation {
        read clock: uint,               // substeps done
        read tet_rings: uint4,          // the rings of six edges, two rows each
        read ring_wounds: uint,         // 1 for a ring that goes around more than once
        write tet_memories: uint,       // 8 for what is loose, and what `tet_turn` keeps
    }
}

#[inline(always)]
fn tet_loosen<R: Real>(b: &Bindings<R>, id: u32) {
    if !b.clock[0].is_multiple_of(PERIOD) {
        return;
    }
    let rows = &b.tet_rings[2 * id as usize..2 * id as usize + 2];
    let is_loose =
        rows.as_flattened().iter().any(|&ring| ring != NONE && b.ring_wounds[ring as usize] != 0);
    let kept = b.tet_memories.get(id) & !LOOSE;
    b.tet_memories.set(id, if is_loose { kept | LOOSE } else { kept });
}
