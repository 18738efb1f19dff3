//! Symplectic Euler: the forces at a particle's corners change its way in this substep.
//!
//!   o ← o + dt² w Σ f
//!
//! The velocity has the forces of the start, the position the new velocity: energy stays bounded below the limit that
//! [`crate::cloth::sheets`] computes. Offsets carry the change on to the constraints and contacts that follow.

use crate::math::{Real, Vec3, Vec4};

crate::kernel! {
    "integrate/kick" => kick per Invocation {
        read corner_starts: uint,        // where each particle's slots begin, and one end
        read corner_slots: uint,         // places in `corner_forces`
        read corner_forces: real4,      // xyz [N]
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        write offsets: real4,           // xyz [m], w = the solver's 1/mass
    }
}

/// The sum of a particle's corners, always in the same order.
#[inline(always)]
pub fn gather<R: Real>(starts: &[u32], slots: &[u32], corners: &[Vec4<R>], i: u32) -> Vec3<R> {
    let range = starts[i as usize] as usize..starts[i as usize + 1] as usize;
    let mut sum = Vec3::ZERO;
    for &slot in &slots[range] {
        sum += corners[slot as usize].xyz();
    }
    sum
}

#[inline(always)]
fn kick<R: Real>(b: &Bindings<R>, i: u32) {
    let force = gather(b.corner_starts, b.corner_slots, b.corner_forces, i);
    let offset = b.offsets.get(i);
    let change = force * (b.launch.dt * b.launch.dt * b.positions[i as usize].w);
    b.offsets.set(i, (offset.xyz() + change).with_w(offset.w));
}
