//! One iteration of every contact: its impulse, and how much that has changed.

use super::near_pairs::PARTICLE;
use super::touch::{Impulse, RECOVERY, begin, part, project};
use crate::math::{Real, Vec3};

/// The flag of the pass that a substep begins with, whose `launch.weight` is κ: which contacts take part, how stiff they are, and what they carry. It finds what
/// friction held in the last one, and the least α̃, in place of the impulses.
pub const BEGIN: u32 = 1;

crate::kernel! {
    "contact/touch_push" => touch_push per Invocation {
        read near: uint4,               // four corners
        read touch_planes: real4,       // n, g [m]
        read touch_weights: real4,      // of the four corners
        read touch_laws: real4,         // thickness [m], static and kinetic friction, core [m]
        read touch_shares: real,        // Σ |a| over the contacts of each particle
        read offsets: real4,            // xyz [m], w = the solver's 1/mass
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        write touch_impulses: real4,    // tangential, normal [kg m]; the change of their sum, α̃ [1/kg] or 0
    }
}

#[inline(always)]
fn touch_push<R: Real>(b: &Bindings<R>, k: u32) {
    let begins = b.launch.flags & BEGIN != 0;
    let tilde = b.touch_impulses.get(2 * k + 1).w;
    if !begins && tilde == R::ZERO {
        return;
    }
    let (pair, weights) = (b.near[k as usize], b.touch_weights[k as usize].to_array());
    let (plane, law) = (b.touch_planes[k as usize], b.touch_laws[k as usize]);
    let (mut moved, mut weight) = (Vec3::ZERO, R::ZERO);
    for (corner, a) in pair.into_iter().zip(weights) {
        let p = (corner & PARTICLE) as usize;
        moved += b.offsets[p].xyz() * a;
        weight += a.abs() * b.positions[p].w * b.touch_shares[p];
    }
    let n = plane.xyz();
    if begins {
        let takes_part = weight > R::ZERO && part(plane.w, n.dot(moved), law.x) > R::ZERO;
        let tilde = if takes_part { (weight / b.launch.weight).max(tilde) } else { R::ZERO };
        let first = if takes_part {
            begin(n, plane.w, tilde, b.touch_impulses.get(2 * k).xyz(), law.y)
        } else {
            Impulse { normal: R::ZERO, tangential: Vec3::ZERO }
        };
        b.touch_impulses.set(2 * k, first.tangential.with_w(first.normal));
        b.touch_impulses.set(2 * k + 1, (n * first.normal + first.tangential).with_w(tilde));
        return;
    }
    let old = b.touch_impulses.get(2 * k);
    let before = Impulse { normal: old.w, tangential: old.xyz() };
    let way_out = R::of(RECOVERY) * law.x * b.launch.dt;
    let after = project(before, (n, plane.w), moved, [weight, tilde], way_out, [law.y, law.z]);
    let change = n * (after.normal - before.normal) + (after.tangential - before.tangential);
    b.touch_impulses.set(2 * k, after.tangential.with_w(after.normal));
    b.touch_impulses.set(2 * k + 1, change.with_w(tilde));
}
