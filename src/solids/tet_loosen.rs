//! Tells each tetrahedron whether it is loose. See [`super::rings`].
//!
//! It is from when a ring around one of its edges does not go around once and forward, or it is folded itself, until all rings are right and it is
//! upright and of tolerable shape: let go at once, the ring would slip back.

use super::elasticity::{Rest, is_folded};
use super::ring_winding::PERIOD;
use crate::math::Real;

/// In place of the ring of an edge that has none.
pub const NONE: u32 = u32::MAX;

/// The bit of a tetrahedron's memory that says that it is loose.
pub const LOOSE: u32 = 8;

/// The most that λ of a loose tetrahedron is, over μ: that of ν = 0.3.
pub const LOOSE_LAMBDA: f64 = 1.5;

/// J over (I/3)^(3/2), at rest 1 and nowhere more, from which a shape is tolerable; a bar of twice its length has as much.
const TOLERABLE: f64 = 0.5;

crate::kernel! {
    "solids/tet_loosen" => tet_loosen per Invocation {
        read clock: uint,               // substeps done
        read tet_corners: uint4,        // particles
        read tet_rest: real4,           // g₁; g₂; g₃ [1/m]
        read tet_rings: uint4,          // the rings of six edges, two rows each
        read ring_wounds: uint,         // 1 for a ring that does not go around once and forward
        read positions: real4,          // xyz [m]
        write tet_memories: uint,       // 8 for what is loose, and what `tet_turn` keeps
    }
}

#[inline(always)]
fn tet_loosen<R: Real>(b: &Bindings<R>, id: u32) {
    if !b.clock[0].is_multiple_of(PERIOD) {
        return;
    }
    let rows = &b.tet_rings[2 * id as usize..2 * id as usize + 2];
    let is_wound = rows.as_flattened().iter().any(|&ring| ring != NONE && b.ring_wounds[ring as usize] != 0);
    let g = [0, 1, 2].map(|row| b.tet_rest[3 * id as usize + row].xyz());
    let [x, x1, x2, x3] = b.tet_corners[id as usize].map(|p| b.positions[p as usize].xyz());
    let f = Rest { g, volume: R::ONE }.gradient([x1 - x, x2 - x, x3 - x]);
    let third = f.dot(f) * R::of(1.0 / 3.0);
    let is_tolerable = f.determinant() > R::of(TOLERABLE) * third * third.sqrt();
    let memory = b.tet_memories.get(id);
    let is_loose = is_wound || is_folded(f) || (memory & LOOSE != 0 && !is_tolerable);
    b.tet_memories.set(id, if is_loose { memory | LOOSE } else { memory & !LOOSE });
}
