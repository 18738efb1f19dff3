//! The damping of block-Jacobi: S = ω/λ D⁻¹, with λ of each row a bound of its share in the largest eigenvalue.
//!
//!   λᵢ = Σⱼ |Dᵢ^(−½) Aᵢⱼ Dⱼ^(−½)|        |·|² = tr(Dᵢ⁻¹ Aᵢⱼ Dⱼ⁻¹ Aᵢⱼᵀ)
//!
//! Gershgorin's theorem for blocks: xᵀ A x ≤ Σ λᵢ xᵢᵀ Dᵢ xᵢ for every x, so that any ω below 2 converges. No row knows of another
//! body, and no largest of all rows is asked for.

use super::cg_block::multiply;
use super::rows::{SLICE, first_value};
use crate::math::{Real, Vec3, Vec4};

/// ω: counts of iterations change little from 1.6 on; the bound is never reached.
pub const RELAXATION: f64 = 1.9;

crate::kernel! {
    "integrate/grid_scale" => grid_scale per Invocation {
        read slice_starts: uint,        // where each slice's blocks begin, in groups of 32, and one end
        read columns: uint,             // row of each block's column
        read values: real,              // nine per block
        read inverses: real4,           // D⁻¹: xx, yy, zz; xy, yz, zx, two per row
        write smoothers: real4,         // S: xx, yy, zz; xy, yz, zx, two per row
    }
}

#[inline(always)]
fn pair<R: Real>(list: &[Vec4<R>], i: u32) -> [Vec3<R>; 2] {
    [list[2 * i as usize].xyz(), list[2 * i as usize + 1].xyz()]
}

#[inline(always)]
fn grid_scale<R: Real>(b: &Bindings<R>, i: u32) {
    let slice = (i / SLICE) as usize;
    let inverse = pair(b.inverses, i);
    let mut sum = R::ONE;
    for k in b.slice_starts[slice]..b.slice_starts[slice + 1] {
        let place = SLICE * k + i % SLICE;
        let column = b.columns[place as usize];
        if column == i {
            continue;
        }
        let first = first_value(place);
        let row = |r: usize| {
            let v = |c: usize| b.values[first + (3 * r + c) * SLICE as usize];
            Vec3::new(v(0), v(1), v(2))
        };
        let other = pair(b.inverses, column);
        let rows = [row(0), row(1), row(2)];
        // A Dⱼ⁻¹ Aᵀ, of which only the upper half is needed.
        let turned = rows.map(|row| multiply(other, row));
        let entry = |r: usize, c: usize| rows[r].dot(turned[c]);
        let size = inverse[0].dot(Vec3::new(entry(0, 0), entry(1, 1), entry(2, 2)))
            + R::of(2.0) * inverse[1].dot(Vec3::new(entry(0, 1), entry(1, 2), entry(2, 0)));
        sum += size.max(R::ZERO).sqrt();
    }
    let scale = R::of(RELAXATION) / sum;
    b.smoothers.set(2 * i, (inverse[0] * scale).with_w(R::ZERO));
    b.smoothers.set(2 * i + 1, (inverse[1] * scale).with_w(R::ZERO));
}
