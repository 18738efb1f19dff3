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

    /// The rotation as a matrix.
    #[inline(always)]
    pub fn matrix(self) -> super::Mat3<R> {
        let Self { x, y, z, w } = self;
        let (one, two) = (R::ONE, R::ONE + R::ONE);
        super::Mat3::new(
            Vec3::new(one - two * (y * y + z * z), two * (x * y + w * z), two * (x * z - w * y)),
            Vec3::new(two * (x * y - w * z), one - two * (x * x + z * z), two * (y * z + w * x)),
            Vec3::new(two * (x * z + w * y), two * (y * z - w * x), one - two * (x * x + y * y)),
        )
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
