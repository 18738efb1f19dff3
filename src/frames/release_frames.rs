//! Lets go of frames that are held until a time: they get their inertia.
//!
//! The section of a clamped end stays at the end of the rod as a frame of its own, as heavy as the one beside it. What is written
//! depends on the time alone, so a run that goes on from a checkpoint finds it as it was.

use crate::math::{Real, Vec3};
use crate::particles::World;

crate::kernel! {
    "frames/release_frames" => release_frames per Invocation {
        uniform world: World,
        read clock: uint,             // substeps done
        read frame_releases: uint,    // frames
        read frame_release_rest: real4, // inverse inertia when free [1/(kg m²)], w = when that is [s]
        write frame_inertia: real4,   // inverse inertia [1/(kg m²)], w = 1 − C/A
    }
}

#[inline(always)]
fn release_frames<R: Real>(b: &Bindings<R>, id: u32) {
    let k = b.frame_releases[id as usize];
    let free = b.frame_release_rest[id as usize];
    let holds = b.world.time(b.clock[0], b.launch.dt) < free.w;
    let inertia = if holds { Vec3::ZERO } else { free.xyz() };
    b.frame_inertia.set(k, inertia.with_w(b.frame_inertia.get(k).w));
}
