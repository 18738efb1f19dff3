//! The inertia of frames that are let go, for the constraints of rods and nets, which keep a copy beside their own constants.

use super::REST;
use crate::math::Real;

crate::kernel! {
    "rods/release_rods" => release_rods per Invocation {
        read frame_releases: uint,    // frames
        read frame_inertia: real4,    // inverse inertia [1/(kg m²)], w = 1 − C/A
        write rod_rest: real4,        // … the same
    }
}

#[inline(always)]
fn release_rods<R: Real>(b: &Bindings<R>, id: u32) {
    let k = b.frame_releases[id as usize];
    b.rod_rest.set(REST * k + 3, b.frame_inertia[k as usize]);
}
