//! The inverses of the blocks on the diagonal of a matrix.
//!
//! The blocks are symmetric and not negative. What hardly resists a direction, such as a rotation about the only line that the particles
//! of an aggregate lie on, or nothing at all, such as a pinned particle, has no inverse there: its part is zero.

use super::rows::{SLICE, first_value};
use crate::math::{Real, Vec3};

/// Share of a diagonal number below which its pivot counts as zero.
pub const SMALLEST_PIVOT: f64 = 1e-6;

crate::kernel! {
    "integrate/grid_invert" => grid_invert per Invocation {
        read diagonal_places: uint,     // of each row's block on the diagonal; u32::MAX: none
        read values: real,              // nine per block
        write inverses: real4,          // xx, yy, zz; xy, yz, zx, two per row
    }
}

/// 1 over a pivot, or zero if next to nothing is left of its diagonal number.
#[inline(always)]
pub fn reciprocal<R: Real>(pivot: R, diagonal: R) -> R {
    if pivot > R::of(SMALLEST_PIVOT) * diagonal { R::ONE / pivot } else { R::ZERO }
}

/// The inverse of a symmetric matrix that is not negative, by L D Lᵀ.
#[inline(always)]
pub fn inverse<R: Real>(diagonal: Vec3<R>, off: Vec3<R>) -> [Vec3<R>; 2] {
    let (xx, yy, zz, xy, yz, zx) = (diagonal.x, diagonal.y, diagonal.z, off.x, off.y, off.z);
    let d1 = reciprocal(xx, xx);
    let (l21, l31) = (xy * d1, zx * d1);
    let d2 = reciprocal(yy - l21 * xy, yy);
    let left = yz - l21 * zx;
    let l32 = left * d2;
    let d3 = reciprocal(zz - l31 * zx - l32 * left, zz);
    // L⁻¹ has −l₂₁, −l₃₂ and l₂₁ l₃₂ − l₃₁ below its diagonal.
    let m31 = l21 * l32 - l31;
    [
        Vec3::new(d1 + l21 * l21 * d2 + m31 * m31 * d3, d2 + l32 * l32 * d3, d3),
        Vec3::new(-(l21 * d2) - m31 * l32 * d3, -(l32 * d3), m31 * d3),
    ]
}

#[inline(always)]
fn grid_invert<R: Real>(b: &Bindings<R>, i: u32) {
    let place = b.diagonal_places[i as usize];
    let (mut diagonal, mut off) = (Vec3::ZERO, Vec3::ZERO);
    if place != u32::MAX {
        let first = first_value(place);
        let v = |c: usize| b.values[first + c * SLICE as usize];
        [diagonal, off] = inverse(Vec3::new(v(0), v(4), v(8)), Vec3::new(v(1), v(5), v(2)));
    }
    b.inverses.set(2 * i, diagonal.with_w(R::ZERO));
    b.inverses.set(2 * i + 1, off.with_w(R::ZERO));
}
