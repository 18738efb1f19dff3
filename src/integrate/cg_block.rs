//! The preconditioner: of each particle the inverse of its own 3×3 block of κ M + τ² K + τ D, κ = `launch.weight`.
//!
//! The block is symmetric and positive definite, so its inverse is the adjugate over the determinant. A particle that
//! cannot move has none. The first thread also counts a last substep that ran out of
//! iterations, and clears the counts of this one.

use super::cg_direction::{DONE, ITERATIONS, UNFINISHED};
use crate::math::{Real, Vec3};

crate::kernel! {
    "integrate/cg_block" => cg_block per Invocation {
        read corner_starts: uint,        // where each particle's slots begin, and one end
        read corner_slots: uint,         // corners
        read corner_blocks: real4,      // xx, yy, zz; xy, yz, zx [kg], two per corner
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        write cg_blocks: real4,         // xx, yy, zz; xy, yz, zx [1/kg], two per particle
        write cg_counts: uint,          // done, iterations of this substep, of all, the most, unfinished
    }
}

/// The inverse of a symmetric matrix (xx, yy, zz), (xy, yz, zx).
#[inline(always)]
pub fn inverse<R: Real>(diagonal: Vec3<R>, off: Vec3<R>) -> [Vec3<R>; 2] {
    let (xx, yy, zz, xy, yz, zx) = (diagonal.x, diagonal.y, diagonal.z, off.x, off.y, off.z);
    let a = Vec3::new(yy * zz - yz * yz, zz * xx - zx * zx, xx * yy - xy * xy);
    let b = Vec3::new(yz * zx - xy * zz, zx * xy - yz * xx, xy * yz - zx * yy);
    let determinant = xx * a.x + xy * b.x + zx * b.z;
    [a / determinant, b / determinant]
}

/// The product of a symmetric matrix (xx, yy, zz), (xy, yz, zx) and a vector.
#[inline(always)]
pub fn multiply<R: Real>([diagonal, off]: [Vec3<R>; 2], v: Vec3<R>) -> Vec3<R> {
    Vec3::new(
        diagonal.x * v.x + off.x * v.y + off.z * v.z,
        off.x * v.x + diagonal.y * v.y + off.y * v.z,
        off.z * v.x + off.y * v.y + diagonal.z * v.z,
    )
}

#[inline(always)]
fn cg_block<R: Real>(b: &Bindings<R>, i: u32) {
    if i == 0 {
        let ran_out = b.cg_counts.get(DONE as u32) == 0 && b.cg_counts.get(ITERATIONS as u32) > 0;
        let unfinished = b.cg_counts.get(UNFINISHED as u32);
        b.cg_counts.set(UNFINISHED as u32, unfinished + u32::from(ran_out));
        b.cg_counts.set(DONE as u32, 0);
        b.cg_counts.set(ITERATIONS as u32, 0);
    }
    let w = b.positions[i as usize].w;
    let (mut diagonal, mut off) = (Vec3::ZERO, Vec3::ZERO);
    if w > R::ZERO {
        let mass = b.launch.weight / w;
        diagonal = Vec3::new(mass, mass, mass);
        for s in b.corner_starts[i as usize]..b.corner_starts[i as usize + 1] {
            let slot = 2 * b.corner_slots[s as usize] as usize;
            diagonal += b.corner_blocks[slot].xyz();
            off += b.corner_blocks[slot + 1].xyz();
        }
        [diagonal, off] = inverse(diagonal, off);
    }
    b.cg_blocks.set(2 * i, diagonal.with_w(R::ZERO));
    b.cg_blocks.set(2 * i + 1, off.with_w(R::ZERO));
}
