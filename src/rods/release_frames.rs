//! Lets go of frames that are held until a time: they get their inertia.
//!
//! The section of a clamped end stays at the end of the rod as a frame of its own, as heavy as the one beside it. What is written
//! depends on the time alone, so a run that goes on from a checkpoint finds it as it was.

use super::REST;
use crate::math::{Real, Vec3};
use crate::particles::World;

crate::kernel! {
    "rods/release_frames" => release_frames per Invocation {
        uniform world: World,
        read clock: uint,             // substeps done
        read rod_releases: uint,      // frames
        read rod_release_rest: real4, // inverse inertia when free [1/(kg m²)], w = when that is [s]
        write rod_rest: real4,        // … inverse inertia [1/(kg m²)], w = 1 − C/A
    }
}

#[inline(always)]
fn release_frames<R: Real>(b: &Bindings<R>, id: u32) {
    let place = REST * b.rod_releases[id as usize] + 3;
    let free = b.rod_release_rest[id as usize];
    let holds = b.world.time(b.clock[0]) < free.w;
    let inertia = if holds { Vec3::ZERO } else { free.xyz() };
    b.rod_rest.set(place, inertia.with_w(b.rod_rest.get(place).w));
}
