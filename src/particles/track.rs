//! Keyframed motion. Twin of `shaders/common/track.wgsl`.
//!
//! A track moves points rigidly: linearly between keys and at rest outside them.

use crate::math::{Quat, Real, Vec3, Vec4};

/// A track's place at a time.
pub struct Pose<R> {
    pub offset: Vec3<R>,
    pub rotation: Quat<R>,
}

/// The buffers of all tracks: (first record, number of keys), and records that are the pivot, then for each key
/// (time, offset) and the rotation about the pivot.
#[derive(Clone, Copy)]
pub struct Tracks<'a, R> {
    pub tracks: &'a [[u32; 2]],
    pub keys: &'a [Vec4<R>],
}

impl<R: Real> Tracks<'_, R> {
    /// Where a track has carried `anchor` at a time.
    pub fn point(&self, track: u32, time: R, anchor: Vec3<R>) -> Vec3<R> {
        let pivot = self.keys[self.tracks[track as usize][0] as usize].xyz();
        let pose = self.pose(track, time);
        pivot + pose.offset + pose.rotation.rotate(anchor - pivot)
    }

    /// The rigid motion of a track at a time.
    pub fn pose(&self, track: u32, time: R) -> Pose<R> {
        let [start, count] = self.tracks[track as usize];
        let key = |k: u32| (start + 1 + 2 * k) as usize;
        let mut k = 0;
        while k + 1 < count && self.keys[key(k + 1)].x <= time {
            k += 1;
        }
        let n = (k + 1).min(count - 1);
        let (a, b) = (self.keys[key(k)], self.keys[key(n)]);
        let span = b.x - a.x;
        let t = R::select(span > R::ZERO, ((time - a.x) / span).clamp(R::ZERO, R::ONE), R::ZERO);
        let (from, to) = (Vec3::new(a.y, a.z, a.w), Vec3::new(b.y, b.z, b.w));
        let rotation =
            Quat::from_vec4(self.keys[key(k) + 1]).blend(Quat::from_vec4(self.keys[key(n) + 1]), t);
        Pose { offset: from + (to - from) * t, rotation }
    }
}
