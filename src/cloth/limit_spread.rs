//! Which triangles the next iteration of the strain limits visits: those corrected in this substep and their neighbours.
//!
//! A correction can only violate what shares a corner with it, so nothing else needs a visit. Thomaszewski 2010,
//! sec. 3.3.2.

use crate::math::Real;

crate::kernel! {
    "cloth/limit_spread" => limit_spread per Invocation {
        read membrane_corners: uint4,   // three particles, fabric
        read limit_shares: uint,        // corrected triangles at each particle
        write limit_flags: uint,        // 1 for a triangle to visit
    }
}

#[inline(always)]
fn limit_spread<R: Real>(b: &Bindings<R>, t: u32) {
    let [i, j, k, _] = b.membrane_corners[t as usize];
    let shares = [i, j, k].map(|p| b.limit_shares[p as usize]);
    b.limit_flags.set(t, (shares[0] + shares[1] + shares[2]).min(1));
}
