//! The rotation of each tetrahedron that is co-rotational, or of springs, which are so when folded, from the one it had; and for
//! the forces, whether the tetrahedron is loose.

use super::elasticity::Rest;
use super::laws::{IGNORE, LINEAR, NEO_HOOKEAN, SolidLaws, rotation_of_turn, turn_of_rotation};
use super::rotation::{self, SMALLEST};
use super::tet_loosen::LOOSE;
use crate::math::{Real, Vec3, Vec4};

crate::kernel! {
    "solids/tet_turn" => tet_turn per Invocation {
        uniform solid_laws: SolidLaws,
        read tet_corners: uint4,        // particles
        read tet_rest: real4,           // g₁, V; g₂, law; g₃, 0 [1/m, m³]
        read positions: real4,          // xyz [m]
        read residuals: real4,          // xyz [m]
        write tet_turns: real4,         // quaternions, of length 2 what is loose
        write tet_memories: uint,       // the vertex that passed through its face, 1 to 4 or 0 for none; 8 if loose; 16 × switches
    }
}

/// What one switch adds to a memory, above the bits of the vertex and [`LOOSE`].
pub const SWITCH: u32 = 16;

/// How often inverted tetrahedra have changed their minds, of all memories together.
///
/// To be inverted along another stretch is to be turned by half a turn about the third: a rotation that jumps by more than a right
/// angle in a substep has switched. Energy jumps with it.
pub fn switches(memories: &[u32]) -> u64 {
    memories.iter().map(|memory| u64::from(memory / SWITCH)).sum()
}

/// The rest shape and law of tetrahedron `id`.
#[inline(always)]
pub fn rest_of<R: Real>(tet_rest: &[Vec4<R>], id: u32) -> (Rest<R>, usize) {
    let [a, b, c] = [0, 1, 2].map(|row| tet_rest[3 * id as usize + row]);
    (Rest { g: [a.xyz(), b.xyz(), c.xyz()], volume: a.w }, b.w.to_f64() as usize)
}

/// What the corners 1 to 3 are away from corner 0 [m]; the residuals are the digits that positions have lost.
#[inline(always)]
pub fn edges<R: Real>(positions: &[Vec4<R>], residuals: &[Vec4<R>], corners: [u32; 4]) -> [Vec3<R>; 3] {
    let [x, a, b, c] = corners.map(|p| positions[p as usize].xyz());
    let [r, s, t, u] = corners.map(|p| residuals[p as usize].xyz());
    [(a - x) + (s - r), (b - x) + (t - r), (c - x) + (u - r)]
}

#[inline(always)]
fn tet_turn<R: Real>(b: &Bindings<R>, id: u32) {
    let (rest, law) = rest_of(b.tet_rest, id);
    let law = &b.solid_laws.laws[law];
    if law.model() == LINEAR {
        return;
    }
    let kept = b.tet_memories.get(id);
    let inversion = law.inversion();
    let is_loose = kept & LOOSE != 0 && inversion != IGNORE;
    let before = rotation_of_turn(b.tet_turns.get(id));
    if law.model() == NEO_HOOKEAN {
        b.tet_turns.set(id, turn_of_rotation(before, is_loose));
        return;
    }
    let f = rest.gradient(edges(b.positions, b.residuals, b.tet_corners[id as usize]));
    // What is reflected goes by the smallest stretch; `tet_force` then turns the sign.
    let strategy = if inversion == IGNORE { SMALLEST } else { inversion };
    let is_inverted = f.determinant() < R::ZERO;
    let f = if inversion == IGNORE && is_inverted { f.scale(-R::ONE) } else { f };
    let (q, memory) = rotation::extract(f, rest.gradients(), strategy, before, kept % LOOSE);
    let half_cosine = q.x * before.x + q.y * before.y + q.z * before.z + q.w * before.w;
    let has_switched = is_inverted && inversion != IGNORE && half_cosine * half_cosine < R::of(0.5);
    b.tet_turns.set(id, turn_of_rotation(q, is_loose));
    b.tet_memories.set(id, kept - kept % LOOSE + memory + if has_switched { SWITCH } else { 0 });
}
