//! The field of a uniformly magnetised cuboid.
//!
//!   B = T J (+ J inside)      T_ij = ∂ᵢ∂ⱼ (1/4π) ∫ dV'/|x − x'|      U, V, W = x, y, z ± half edges, with signs s
//!   4π T_xx = −Σ s atan(VW/(U r))      4π T_xy = Σ s ln(r + W)      4π T_xxy = Σ s U/(r (r + W))      4π T_xyz = Σ s/r
//!
//! Akoun and Yonnet 1984; Engel-Herbert and Hesjedal 2005. Worked out where no coordinate is negative, the field elsewhere follows by symmetry: then r + W
//! vanishes at the edges alone, and where W is negative it is (U² + V²)/(r − W), so that no digits are lost. Far away the eight corners cancel;
//! there the magnet is 3³ dipoles at the points of Gauss's quadrature.

use super::{MU, dipole};
use crate::math::{Real, Vec3};
use std::f64::consts::PI;

/// Beyond so many of its half diagonals, squared, a bar is a few dipoles: where what is left out is as much as what rounding leaves of the
/// closed form.
#[inline(always)]
fn far<R: Real>() -> R {
    R::of(if R::EPSILON > R::of(1e-10) { 36.0 } else { 3600.0 })
}

/// Points and weights of Gauss's quadrature on [−1, 1]; the weights add up to 1.
const POINTS: [(f64, f64); 3] =
    [(-0.774_596_669_241_483_4, 5.0 / 18.0), (0.0, 4.0 / 9.0), (0.774_596_669_241_483_4, 5.0 / 18.0)];
/// The least U² + V² over the square of the size: what is at an edge counts as that far beside it.
const LEAST: f64 = 1e-14;

/// B and its derivatives along the axes, at x from the middle of a bar of these half edges and remanence J [T].
#[inline(always)]
pub fn bar<R: Real>(half: Vec3<R>, remanence: Vec3<R>, x: Vec3<R>) -> [Vec3<R>; 4] {
    let square = half.dot(half);
    if x.dot(x) > far::<R>() * square {
        return distant(half, remanence, x);
    }
    let sign = |c: R| R::select(c < R::ZERO, R::ZERO - R::ONE, R::ONE);
    let mirror = Vec3::new(sign(x.x), sign(x.y), sign(x.z));
    let at = x.abs();
    let j = remanence.scaled(mirror);
    let tiny = square * R::of(LEAST);
    // Edges parallel to x, y and z: the logarithms give T_yz, T_xz and T_xy.
    let x_edges = edges([half.y, half.z, half.x], [at.y, at.z, at.x], tiny);
    let y_edges = edges([half.x, half.z, half.y], [at.x, at.z, at.y], tiny);
    let z_edges = edges([half.x, half.y, half.z], [at.x, at.y, at.z], tiny);
    let quarter = R::of(0.25 / PI);
    let (tyz, txz, txy) = (x_edges[0] * quarter, y_edges[0] * quarter, z_edges[0] * quarter);
    let [txx, tyy, tzz] = faces(half, at).map(|t| t * quarter);
    let (tyyz, tyzz) = (x_edges[1] * quarter, x_edges[2] * quarter);
    let (txxz, txzz) = (y_edges[1] * quarter, y_edges[2] * quarter);
    let (txxy, txyy) = (z_edges[1] * quarter, z_edges[2] * quarter);
    let txyz = x_edges[3] * quarter;
    let (txxx, tyyy, tzzz) = (R::ZERO - txyy - txzz, R::ZERO - txxy - tyzz, R::ZERO - txxz - tyyz);
    let rows = |a: [R; 6]| {
        Vec3::new(
            a[0] * j.x + a[1] * j.y + a[2] * j.z,
            a[1] * j.x + a[3] * j.y + a[4] * j.z,
            a[2] * j.x + a[4] * j.y + a[5] * j.z,
        )
    };
    let inside = at.x < half.x && at.y < half.y && at.z < half.z;
    let b = rows([txx, txy, txz, tyy, tyz, tzz]) + Vec3::select(inside, j, Vec3::ZERO);
    let along_x = rows([txxx, txxy, txxz, txyy, txyz, txzz]);
    let along_y = rows([txxy, txyy, txyz, tyyy, tyyz, tyzz]);
    let along_z = rows([txxz, txyz, txzz, tyyz, tyzz, tzzz]);
    [
        b.scaled(mirror),
        along_x.scaled(mirror) * mirror.x,
        along_y.scaled(mirror) * mirror.y,
        along_z.scaled(mirror) * mirror.z,
    ]
}

/// Of the four edges along W: Σ s ln(r + W), its derivatives along U and V, and Σ s/r.
#[inline(always)]
fn edges<R: Real>(half: [R; 3], at: [R; 3], tiny: R) -> [R; 4] {
    let (mut ratio, mut sums) = (R::ONE, [R::ZERO; 3]);
    for (u, su) in [(at[0] + half[0], R::ONE), (at[0] - half[0], R::ZERO - R::ONE)] {
        for (v, sv) in [(at[1] + half[1], R::ONE), (at[1] - half[1], R::ZERO - R::ONE)] {
            let (s, q) = (su * sv, (u * u + v * v).max(tiny));
            let (high, low) = (at[2] + half[2], at[2] - half[2]);
            let (rh, rl) = ((q + high * high).sqrt(), (q + low * low).sqrt());
            // r + W without cancelling.
            let (above, below) = (rh + high, if low < R::ZERO { q / (rl - low) } else { rl + low });
            let quotient = above / below;
            ratio *= if s > R::ZERO { quotient } else { R::ONE / quotient };
            let difference = s * (R::ONE / (rh * above) - R::ONE / (rl * below));
            sums[0] += u * difference;
            sums[1] += v * difference;
            sums[2] += s * (R::ONE / rh - R::ONE / rl);
        }
    }
    [ratio.ln(), sums[0], sums[1], sums[2]]
}

/// −Σ s atan(VW/(U r)) for x, y and z as U.
#[inline(always)]
fn faces<R: Real>(half: Vec3<R>, at: Vec3<R>) -> [R; 3] {
    let mut sums = [R::ZERO; 3];
    let ends = |a: R, h: R| [(a + h, R::ONE), (a - h, R::ZERO - R::ONE)];
    let angle = |u: R, vw: R, r: R| {
        let signed = R::select(u < R::ZERO, R::ZERO - vw, vw);
        signed.atan2(u.abs() * r)
    };
    for (u, su) in ends(at.x, half.x) {
        for (v, sv) in ends(at.y, half.y) {
            for (w, sw) in ends(at.z, half.z) {
                let (s, r) = (su * sv * sw, (u * u + v * v + w * w).sqrt());
                sums[0] -= s * angle(u, v * w, r);
                sums[1] -= s * angle(v, u * w, r);
                sums[2] -= s * angle(w, u * v, r);
            }
        }
    }
    sums
}

/// Dipoles at the points of Gauss's quadrature.
#[inline(always)]
fn distant<R: Real>(half: Vec3<R>, remanence: Vec3<R>, x: Vec3<R>) -> [Vec3<R>; 4] {
    let volume = R::of(8.0) * half.x * half.y * half.z;
    let moment = remanence * (volume / R::of(4.0 * PI * MU));
    let mut sum = [Vec3::ZERO; 4];
    for (px, wx) in POINTS {
        for (py, wy) in POINTS {
            for (pz, wz) in POINTS {
                let place = half.scaled(Vec3::of([px, py, pz]));
                let part = dipole(moment * R::of(wx * wy * wz), x - place);
                sum = [0, 1, 2, 3].map(|k| sum[k] + part[k]);
            }
        }
    }
    sum
}
