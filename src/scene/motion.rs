//! Prescribed motion of pins and colliders: keyframes, linear in between.
//!
//!   x(t) = p + R(t) (x₀ − p) + o(t)
//!
//! p is the pivot, o the offset and R the rotation. The three *angles* are interpolated, not the rotation, so that
//! a keyframe of 720° means two turns. Before the first and after the last keyframe the pose is held.

use glam::{DQuat, DVec3, EulerRot};

/// A pose at a time.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Keyframe {
    /// When [s].
    pub time: f64,
    /// Displacement from the initial place [m].
    pub offset: DVec3,
    /// Rotation from the initial attitude about x, then y, then z of the world [degrees].
    pub rotation: DVec3,
}

/// A rigid displacement about a pivot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Displacement [m].
    pub offset: DVec3,
    /// Rotation about the pivot.
    pub rotation: DQuat,
}

impl Pose {
    /// Where a point with initial place `x` is now, rotated about `pivot` [m].
    pub fn apply(&self, x: DVec3, pivot: DVec3) -> DVec3 {
        pivot + self.rotation * (x - pivot) + self.offset
    }
}

/// The rotation about x, then y, then z (fixed axes) by angles in degrees.
pub fn rotation(degrees: DVec3) -> DQuat {
    let [x, y, z] = degrees.to_array().map(f64::to_radians);
    DQuat::from_euler(EulerRot::ZYX, z, y, x)
}

/// The most that the device's records of a motion rotate from one to the next [degrees]. They are blended as quaternions,
/// which is a straight line in angle only for small ones; at 10° the blend is off by 0.0012°.
const STEP: f64 = 10.0;

/// Into how many records the device divides the motion from one keyframe to the next.
pub fn pieces([a, b]: [&Keyframe; 2]) -> u64 {
    let turn = (b.rotation - a.rotation).abs().max_element();
    (turn / STEP).ceil().max(1.0) as u64
}

/// How many records the device needs for a motion.
pub fn records(keyframes: &[Keyframe]) -> u64 {
    keyframes.windows(2).fold(1, |sum, pair| pieces([&pair[0], &pair[1]]).saturating_add(sum))
}

/// The pose at a time [s]; no keyframes means no displacement. Times must increase.
pub fn pose_at(keyframes: &[Keyframe], time: f64) -> Pose {
    let next = keyframes.partition_point(|k| k.time <= time);
    let (offset, degrees) = match (next.checked_sub(1).map(|i| keyframes[i]), keyframes.get(next)) {
        (None, None) => (DVec3::ZERO, DVec3::ZERO),
        (Some(k), None) => (k.offset, k.rotation),
        (None, Some(k)) => (k.offset, k.rotation),
        (Some(a), Some(b)) => {
            let s = (time - a.time) / (b.time - a.time);
            (a.offset.lerp(b.offset, s), a.rotation.lerp(b.rotation, s))
        }
    };
    Pose { offset, rotation: rotation(degrees) }
}
