//! Which triangles are beyond their strain limits: the first half of a Jacobi iteration, which shares masses by it.

use super::strain_limit::{edges, way_back};
use super::{green, stretch};
use crate::math::Real;

crate::kernel! {
    "cloth/limit_mark" => limit_mark per Invocation {
        read membrane_corners: uint4,   // three particles, fabric
        read membrane_rest: real4,      // D⁻¹ by rows [1/m]; the limits' stress [N/m]
        read strain_limits: real4,      // highest weft, warp, shear; lowest
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read offsets: real4,            // xyz [m]
        read limit_violations: uint,    // by iteration
        write limit_active: uint,       // 1 for a triangle beyond its limits
    }
}

#[inline(always)]
fn limit_mark<R: Real>(b: &Bindings<R>, t: u32) {
    let iteration = b.launch.index as usize;
    if iteration > 0 && b.limit_violations[iteration - 1] == 0 {
        return;
    }
    let [i, j, k, fabric] = b.membrane_corners[t as usize];
    let (high, low) = (b.strain_limits[2 * fabric as usize], b.strain_limits[2 * fabric as usize + 1]);
    let f = green::gradient(
        b.membrane_rest[2 * t as usize],
        edges(b.positions, |p| b.offsets[p as usize], [i, j, k]),
    );
    let violated =
        stretch::polar(f).is_some_and(|(u, _)| way_back(u, high.xyz(), low.xyz(), b.launch.weight).1);
    b.limit_active.set(t, u32::from(violated));
}
