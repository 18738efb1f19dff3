//! One iteration of every contact: its impulse, and how much that has changed.

use super::near_pairs::PARTICLE;
use super::touch::{Impulse, acts, project};
use crate::math::{Real, Vec3, Vec4};

crate::kernel! {
    "contact/touch_push" => touch_push per Invocation {
        read near: uint4,               // four corners
        read touch_planes: real4,       // n, g [m]
        read touch_weights: real4,      // of the four corners
        read touch_laws: real4,         // thickness [m], static and kinetic friction, α̃ [1/kg]
        read touch_shares: real,        // number of contacts of each particle
        read offsets: real4,            // xyz [m], w = the solver's 1/mass
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        write touch_impulses: real4,    // tangential, normal [kg m]; then the change of their sum
    }
}

/// `launch.index` is the iteration; before the first there are no impulses.
#[inline(always)]
fn touch_push<R: Real>(b: &Bindings<R>, k: u32) {
    let (pair, weights) = (b.near[k as usize], b.touch_weights[k as usize].to_array());
    let (plane, law) = (b.touch_planes[k as usize], b.touch_laws[k as usize]);
    let old = if b.launch.index > 0 { b.touch_impulses.get(2 * k) } else { Vec4::ZERO };
    let (mut moved, mut weight) = (Vec3::ZERO, R::ZERO);
    for (corner, a) in pair.into_iter().zip(weights) {
        let p = (corner & PARTICLE) as usize;
        moved += b.offsets[p].xyz() * a;
        weight += a * a * b.positions[p].w * b.touch_shares[p];
    }
    let (n, before) = (plane.xyz(), Impulse { normal: old.w, tangential: old.xyz() });
    if !(weight > R::ZERO && acts(old.w, plane.w, n.dot(moved))) {
        b.touch_impulses.set(2 * k, old);
        b.touch_impulses.set(2 * k + 1, Vec4::ZERO);
        return;
    }
    let after = project(before, n, plane.w, moved, weight, law.w, [law.y, law.z]);
    let change = n * (after.normal - before.normal) + (after.tangential - before.tangential);
    b.touch_impulses.set(2 * k, after.tangential.with_w(after.normal));
    b.touch_impulses.set(2 * k + 1, change.with_w(R::ZERO));
}
