//! Frames that follow a track while they are held, such as the clamped end of a rod.

use super::turn;
use crate::math::Real;
use crate::particles::World;
use crate::particles::track::Tracks;

crate::kernel! {
    "frames/drive_frames" => drive_frames per Invocation {
        uniform world: World,
        read clock: uint,            // substeps done
        read frame_drives: uint2,    // frame, track
        read frame_drive_rest: real4, // the frame's orientation before the track turns it
        read tracks: uint2,
        read track_keys: real4,
        read frame_inertia: real4,   // inverse inertia [1/(kg m²)], 0 while the frame is held
        read frames: real4,          // unit quaternions, every second
        write turns: real4,          // xyz the turn of this substep
    }
}

#[inline(always)]
fn drive_frames<R: Real>(b: &Bindings<R>, id: u32) {
    let [k, track] = b.frame_drives[id as usize];
    if b.frame_inertia[k as usize].x > R::ZERO {
        return;
    }
    let pose =
        Tracks { tracks: b.tracks, keys: b.track_keys }.pose(track, b.world.time(b.clock[0], b.launch.dt));
    let r = pose.rotation;
    let target = turn::product(crate::math::Vec4::new(r.x, r.y, r.z, r.w), b.frame_drive_rest[id as usize]);
    b.turns.set(k, turn::between(b.frames[2 * k as usize], target).with_w(R::ZERO));
}
