//! Where each collider is at the end of the substep, and how it got there.
//!
//!   x(t) = pivot + offset(t) + R(t) (x₀ − pivot)        Δ = x(t) − x(t − dt)        q_Δ = q(t) q̄(t − dt)
//!
//! Done once per collider so that no particle has to search a track. The motion within the substep is kept apart
//! from the pose because it is small: in a difference of two places at each contact its digits would be lost.
//! Its error is that of the clock, relatively ulp(t)/dt (0.1 % after ten seconds at a thousand substeps a second),
//! without drift: the ways add up to the path.

use crate::math::{Quat, Real, Vec3, Vec4};
use crate::particles::World;
use crate::particles::track::Tracks;

/// The track of a collider that stands still.
pub const STILL: u32 = u32::MAX;
/// Records of `collider_poses` per collider.
pub const POSE_RECORDS: u32 = 4;

crate::kernel! {
    "contact/carry" => carry per Invocation {
        uniform world: World,
        read clock: uint,               // substeps done
        read colliders: uint4,          // kind, track
        read collider_rest: real4,      // position [m]; rotation
        read tracks: uint2,
        read track_keys: real4,
        write collider_poses: real4,    // position [m]; rotation; way in the substep [m]; turn in the substep
    }
}

#[inline(always)]
fn carry<R: Real>(b: &Bindings<R>, k: u32) {
    let track = b.colliders[k as usize][1];
    let rest = (b.collider_rest[2 * k as usize], b.collider_rest[2 * k as usize + 1]);
    let (mut position, mut rotation) = rest;
    let (mut way, mut turn) = (Vec4::ZERO, Vec4::new(R::ZERO, R::ZERO, R::ZERO, R::ONE));
    if track != STILL {
        let time = b.world.time(b.clock[0], b.launch.dt);
        let tracks = Tracks { tracks: b.tracks, keys: b.track_keys };
        let (before, after) = (tracks.pose(track, time - b.launch.dt), tracks.pose(track, time));
        let pivot = b.track_keys[b.tracks[track as usize][0] as usize].xyz();
        let arm = after.rotation.rotate(rest.0.xyz() - pivot);
        position = (pivot + after.offset + arm).with_w(R::ZERO);
        rotation = product(after.rotation, Quat::from_vec4(rest.1));
        turn = product(after.rotation, before.rotation.conjugate());
        way = ((after.offset - before.offset) + swing(turn, arm)).with_w(R::ZERO);
    }
    for (record, value) in [position, rotation, way, turn].into_iter().enumerate() {
        b.collider_poses.set(POSE_RECORDS * k + record as u32, value);
    }
}

/// v − q̄ v q: how far a turn has brought the point that is now at `v`, in full digits also for a small turn.
#[inline(always)]
pub fn swing<R: Real>(q: Vec4<R>, v: Vec3<R>) -> Vec3<R> {
    let u = q.xyz();
    let t = u.cross(v) * (R::ONE + R::ONE);
    t * q.w - u.cross(t)
}

/// The rotation `b` followed by `a`.
#[inline(always)]
fn product<R: Real>(a: Quat<R>, b: Quat<R>) -> Vec4<R> {
    Vec4::new(
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    )
}
