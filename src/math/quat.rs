//! Unit quaternions (x, y, z, w), w the scalar part. Twin of `shaders/common/quat.wgsl`.

use super::{Lane, Real, Vec3, Vec4};

/// A unit quaternion.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Quat<R> {
    pub x: R,
    pub y: R,
    pub z: R,
    pub w: R,
}

impl<R: Lane> Quat<R> {
    /// The quaternion a buffer element holds.
    #[inline(always)]
    pub fn from_vec4(v: Vec4<R>) -> Self {
        Self { x: v.x, y: v.y, z: v.z, w: v.w }
    }

    /// The inverse rotation.
    #[inline(always)]
    pub fn conjugate(self) -> Self {
        Self { x: -self.x, y: -self.y, z: -self.z, w: self.w }
    }

    /// q v q̄, by v + 2 w (u × v) + 2 u × (u × v).
    #[inline(always)]
    pub fn rotate(self, v: Vec3<R>) -> Vec3<R> {
        let u = Vec3::new(self.x, self.y, self.z);
        let t = u.cross(v) * (R::ONE + R::ONE);
        v + t * self.w + u.cross(t)
    }
}

impl<R: Real> Quat<R> {
    /// The normalised linear interpolation along the shorter arc.
    #[inline(always)]
    pub fn blend(self, other: Self, t: R) -> Self {
        let dot = self.x * other.x + self.y * other.y + self.z * other.z + self.w * other.w;
        let b = R::select(dot < R::ZERO, -t, t);
        let a = R::ONE - t;
        let (x, y, z, w) = (
            self.x * a + other.x * b,
            self.y * a + other.y * b,
            self.z * a + other.z * b,
            self.w * a + other.w * b,
        );
        let s = R::ONE / (x * x + y * y + z * z + w * w).sqrt();
        Self { x: x * s, y: y * s, z: z * s, w: w * s }
    }
}
