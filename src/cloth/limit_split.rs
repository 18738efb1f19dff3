//! The correction of [`super::strain_limit`] for Jacobi: all violated triangles at once, on shares of their corners' masses.
//!
//! The share of a mass m is m/n with n the violated triangles at the particle, and `limit_gather` averages. Each share keeps
//! the momenta, so their average does.

use super::strain_limit::{edges, way_back};
use super::{green, stretch};
use crate::math::Real;
use std::sync::atomic::Ordering;

crate::kernel! {
    "cloth/limit_split" => limit_split per Invocation {
        read membrane_corners: uint4,   // three particles, fabric
        read membrane_rest: real4,      // D⁻¹ by rows [1/m]; the limits' stress [N/m]
        read strain_limits: real4,      // highest weft, warp, shear, ω; lowest
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read offsets: real4,            // xyz [m]
        read limit_shares: uint,        // violated triangles at each particle
        write limit_corrections: real4, // xyz [m], one per corner
        atomic limit_violations: uint,  // by iteration
    }
}

#[inline(always)]
fn limit_split<R: Real>(b: &Bindings<R>, t: u32) {
    let iteration = b.launch.index as usize;
    if iteration > 0 && b.limit_violations[iteration - 1].load(Ordering::Relaxed) == 0 {
        return;
    }
    let [i, j, k, fabric] = b.membrane_corners[t as usize];
    let rest = b.membrane_rest[2 * t as usize];
    let (high, low) = (b.strain_limits[2 * fabric as usize], b.strain_limits[2 * fabric as usize + 1]);
    let f = green::gradient(rest, edges(b.positions, |p| b.offsets[p as usize], [i, j, k]));
    let Some((u, r)) = stretch::polar(f) else { return };
    let (d, violated) = way_back(u, high.xyz(), low.xyz(), b.launch.weight);
    if !violated {
        return;
    }
    b.limit_violations[iteration].fetch_add(1, Ordering::Relaxed);
    let weights = [i, j, k].map(|p| b.positions[p as usize].w * R::of(f64::from(b.limit_shares[p as usize])));
    let changes = stretch::correction(rest, u, d.map(|d| d * high.w), weights);
    for (c, [x, y]) in changes.into_iter().enumerate() {
        b.limit_corrections.set(3 * t + c as u32, (r[0] * x + r[1] * y).with_w(R::ZERO));
    }
}
