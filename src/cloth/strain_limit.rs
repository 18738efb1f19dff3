//! Strain limits: a triangle that is beyond them at the end of the substep is brought back.
//!
//!   d = ω (clamp(ε, low, high) − ε)        Δxᵢ = R (D + w J) Lᵢ
//!
//! A filter of velocities: it changes the offsets, which are what positions and velocities are made of. Only violated
//! modes change, and the correction of a free triangle keeps both momenta (see [`super::stretch`]).
//!
//! Gauss–Seidel runs it colour by colour, over all triangles in the first iteration and later over all again or over a
//! list of those that can have gone beyond (see [`super::limit_visit`]). [`super::limit_split`] is the same for Jacobi.
//!
//! Iteration `launch.index` returns at once if the one before it found nothing to do.

use super::{green, stretch};
use crate::math::{Real, Vec3, Vec4};
use std::sync::atomic::Ordering;

crate::kernel! {
    "cloth/strain_limit" => strain_limit per Invocation {
        read membrane_corners: uint4,   // three particles, fabric
        read membrane_rest: real4,      // D⁻¹ by rows [1/m]; the limits' stress [N/m]
        read strain_limits: real4,      // highest weft, warp, shear, ω; lowest
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        write offsets: real4,           // xyz [m], w = the solver's 1/mass
        read limit_list: uint,          // triangles
        write limit_active: uint,       // 1 for a triangle that was corrected in this substep
        atomic limit_violations: uint,  // by iteration
    }
}

/// The edges of a triangle at the end of the substep [m].
#[inline(always)]
pub fn edges<R: Real>(
    positions: &[Vec4<R>],
    offset: impl Fn(u32) -> Vec4<R>,
    [i, j, k]: [u32; 3],
) -> [Vec3<R>; 2] {
    let [x, y, z] = [i, j, k].map(|p| positions[p as usize].xyz());
    let [o, p, q] = [i, j, k].map(|p| offset(p).xyz());
    [(y - x) + (p - o), (z - x) + (q - o)]
}

/// d, the way back into the limits, and whether any mode is further out than the tolerance.
#[inline(always)]
pub fn way_back<R: Real>(
    [u11, u22, u12]: [R; 3],
    high: Vec3<R>,
    low: Vec3<R>,
    tolerance: R,
) -> ([R; 3], bool) {
    let strain = [u11 - R::ONE, u22 - R::ONE, u12];
    let d = [
        strain[0].clamp(low.x, high.x) - strain[0],
        strain[1].clamp(low.y, high.y) - strain[1],
        strain[2].clamp(low.z, high.z) - strain[2],
    ];
    (d, d.iter().any(|d| d.abs() > tolerance))
}

#[inline(always)]
fn strain_limit<R: Real>(b: &Bindings<R>, id: u32) {
    let iteration = b.launch.index as usize;
    if iteration > 0 && b.limit_violations[iteration - 1].load(Ordering::Relaxed) == 0 {
        return;
    }
    let t = b.limit_list[(b.launch.first + id) as usize];
    if iteration == 0 {
        b.limit_active.set(t, 0);
    }
    let [i, j, k, fabric] = b.membrane_corners[t as usize];
    let rest = b.membrane_rest[2 * t as usize];
    let (high, low) = (b.strain_limits[2 * fabric as usize], b.strain_limits[2 * fabric as usize + 1]);
    let f = green::gradient(rest, edges(b.positions, |p| b.offsets.get(p), [i, j, k]));
    let Some((u, r)) = stretch::polar(f) else { return };
    let (d, violated) = way_back(u, high.xyz(), low.xyz(), b.launch.weight);
    if !violated {
        return;
    }
    b.limit_violations[iteration].fetch_add(1, Ordering::Relaxed);
    b.limit_active.set(t, 1);
    let weights = [i, j, k].map(|p| b.positions[p as usize].w);
    let changes = stretch::correction(rest, u, d.map(|d| d * high.w), weights);
    for ((particle, w), [x, y]) in [i, j, k].into_iter().zip(weights).zip(changes) {
        if w > R::ZERO {
            let offset = b.offsets.get(particle);
            b.offsets.set(particle, (offset.xyz() + r[0] * x + r[1] * y).with_w(offset.w));
        }
    }
}
