//! Tells each tetrahedron whether it is loose. See [`super::rings`].
//!
//! A tetrahedron becomes loose when it is folded or a ring around one of its edges does not wind exactly once. It stays loose until its rings
//! are right and its shape is acceptable; released earlier, the ring would slip back. Rubber that is pulled to many times its length has
//! little volume for its edges without being flat: neo-Hookean tetrahedra tell the two apart. (Springs do not, for bodies of them would
//! not come back from a point.)

use super::elasticity::{Rest, is_drawn, is_folded, upright_volume};
use super::ring_winding::PERIOD;
use crate::math::Real;

/// In place of the ring of an edge that has none.
pub const NONE: u32 = u32::MAX;

/// The bit of a tetrahedron's memory that says that it is loose.
pub const LOOSE: u32 = 8;

/// The most that λ of a loose tetrahedron is, over μ: that of ν = 0.3.
pub const LOOSE_LAMBDA: f64 = 1.5;

/// J over [`upright_volume`] from which a shape is tolerable.
const TOLERABLE: f64 = 0.5;

crate::kernel! {
    "solids/tet_loosen" => tet_loosen per Invocation {
        read clock: uint,               // substeps done
        read tet_corners: uint4,        // particles
        read tet_rest: real4,           // g₁; g₂; g₃ [1/m], w = 1 where what is drawn out is not flat
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
    let is_tolerable = f.determinant() > R::of(TOLERABLE) * upright_volume(f);
    let knows_rubber = b.tet_rest[3 * id as usize + 2].w > R::ZERO;
    let is_flat = is_folded(f) && !(knows_rubber && is_drawn(f));
    let memory = b.tet_memories.get(id);
    let is_loose = is_wound || is_flat || (memory & LOOSE != 0 && !is_tolerable);
    b.tet_memories.set(id, if is_loose { memory | LOOSE } else { memory & !LOOSE });
}
