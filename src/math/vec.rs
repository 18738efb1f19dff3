//! Vectors of three and four components.

use super::{Lane, Real};
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A vector of three components.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Vec3<R> {
    pub x: R,
    pub y: R,
    pub z: R,
}

/// A vector of four components, the element of most buffers: `w` has a meaning of its own in each.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Vec4<R> {
    pub x: R,
    pub y: R,
    pub z: R,
    pub w: R,
}

// SAFETY: `repr(C)`, four values of one plain type, no padding.
unsafe impl<R: bytemuck::Zeroable> bytemuck::Zeroable for Vec4<R> {}
// SAFETY: as above.
unsafe impl<R: bytemuck::Pod> bytemuck::Pod for Vec4<R> {}

impl<R: Lane> Vec3<R> {
    pub const ZERO: Self = Self { x: R::ZERO, y: R::ZERO, z: R::ZERO };

    #[inline(always)]
    pub fn new(x: R, y: R, z: R) -> Self {
        Self { x, y, z }
    }

    #[inline(always)]
    pub fn dot(self, b: Self) -> R {
        self.x * b.x + self.y * b.y + self.z * b.z
    }

    #[inline(always)]
    pub fn cross(self, b: Self) -> Self {
        Self::new(self.y * b.z - self.z * b.y, self.z * b.x - self.x * b.z, self.x * b.y - self.y * b.x)
    }

    #[inline(always)]
    pub fn length(self) -> R {
        self.dot(self).sqrt()
    }

    /// `yes` where the condition holds, else `no`.
    #[inline(always)]
    pub fn select(condition: R::Mask, yes: Self, no: Self) -> Self {
        Self::new(
            R::select(condition, yes.x, no.x),
            R::select(condition, yes.y, no.y),
            R::select(condition, yes.z, no.z),
        )
    }

    /// Each component times that of `b`.
    #[inline(always)]
    pub fn scaled(self, b: Self) -> Self {
        Self::new(self.x * b.x, self.y * b.y, self.z * b.z)
    }

    #[inline(always)]
    pub fn with_w(self, w: R) -> Vec4<R> {
        Vec4 { x: self.x, y: self.y, z: self.z, w }
    }
}

impl<R: Real> Vec3<R> {
    /// The nearest vector to a host vector.
    #[inline(always)]
    pub fn of(v: [f64; 3]) -> Self {
        Self::new(R::of(v[0]), R::of(v[1]), R::of(v[2]))
    }

    #[inline(always)]
    pub fn abs(self) -> Self {
        Self::new(self.x.abs(), self.y.abs(), self.z.abs())
    }

    #[inline(always)]
    pub fn max(self, b: Self) -> Self {
        Self::new(self.x.max(b.x), self.y.max(b.y), self.z.max(b.z))
    }

    #[inline(always)]
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite() && self.z.is_finite()
    }
}

impl<R: Lane> Vec4<R> {
    pub const ZERO: Self = Self { x: R::ZERO, y: R::ZERO, z: R::ZERO, w: R::ZERO };

    #[inline(always)]
    pub fn new(x: R, y: R, z: R, w: R) -> Self {
        Self { x, y, z, w }
    }

    #[inline(always)]
    pub fn xyz(self) -> Vec3<R> {
        Vec3::new(self.x, self.y, self.z)
    }

    #[inline(always)]
    pub fn from_array([x, y, z, w]: [R; 4]) -> Self {
        Self { x, y, z, w }
    }

    #[inline(always)]
    pub fn to_array(self) -> [R; 4] {
        [self.x, self.y, self.z, self.w]
    }

    /// self + t (other − self); beyond `other` for t above 1.
    #[inline(always)]
    pub fn towards(self, other: Self, t: R) -> Self {
        Self {
            x: (other.x - self.x) * t + self.x,
            y: (other.y - self.y) * t + self.y,
            z: (other.z - self.z) * t + self.z,
            w: (other.w - self.w) * t + self.w,
        }
    }
}

impl<R: Lane> Add for Vec3<R> {
    type Output = Self;
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        Self::new(self.x + b.x, self.y + b.y, self.z + b.z)
    }
}

impl<R: Lane> Sub for Vec3<R> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        Self::new(self.x - b.x, self.y - b.y, self.z - b.z)
    }
}

impl<R: Lane> Mul<R> for Vec3<R> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, s: R) -> Self {
        Self::new(self.x * s, self.y * s, self.z * s)
    }
}

impl<R: Lane> Div<R> for Vec3<R> {
    type Output = Self;
    #[inline(always)]
    fn div(self, s: R) -> Self {
        Self::new(self.x / s, self.y / s, self.z / s)
    }
}

impl<R: Lane> Neg for Vec3<R> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y, -self.z)
    }
}

impl<R: Lane> AddAssign for Vec3<R> {
    #[inline(always)]
    fn add_assign(&mut self, b: Self) {
        *self = *self + b;
    }
}

impl<R: Lane> SubAssign for Vec3<R> {
    #[inline(always)]
    fn sub_assign(&mut self, b: Self) {
        *self = *self - b;
    }
}
