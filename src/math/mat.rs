//! Matrices of three rows and columns, stored by columns as in WGSL.

use super::{Lane, Vec3};
use std::ops::{Add, Mul, Sub};

/// A 3 × 3 matrix by its columns.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mat3<R> {
    pub x: Vec3<R>,
    pub y: Vec3<R>,
    pub z: Vec3<R>,
}

impl<R: Lane> Mat3<R> {
    pub const ZERO: Self = Self { x: Vec3::ZERO, y: Vec3::ZERO, z: Vec3::ZERO };

    #[inline(always)]
    pub fn new(x: Vec3<R>, y: Vec3<R>, z: Vec3<R>) -> Self {
        Self { x, y, z }
    }

    pub const IDENTITY: Self = Self {
        x: Vec3 { x: R::ONE, y: R::ZERO, z: R::ZERO },
        y: Vec3 { x: R::ZERO, y: R::ONE, z: R::ZERO },
        z: Vec3 { x: R::ZERO, y: R::ZERO, z: R::ONE },
    };

    /// The matrix with `d` on its diagonal.
    #[inline(always)]
    pub fn diagonal(d: Vec3<R>) -> Self {
        let o = R::ZERO;
        Self::new(Vec3::new(d.x, o, o), Vec3::new(o, d.y, o), Vec3::new(o, o, d.z))
    }

    /// `[v]×`, which maps a to v × a.
    #[inline(always)]
    pub fn cross(v: Vec3<R>) -> Self {
        let o = R::ZERO;
        Self::new(Vec3::new(o, v.z, -v.y), Vec3::new(-v.z, o, v.x), Vec3::new(v.y, -v.x, o))
    }

    #[inline(always)]
    pub fn transpose(self) -> Self {
        Self::new(
            Vec3::new(self.x.x, self.y.x, self.z.x),
            Vec3::new(self.x.y, self.y.y, self.z.y),
            Vec3::new(self.x.z, self.y.z, self.z.z),
        )
    }

    /// M diag(d): each column times its number.
    #[inline(always)]
    pub fn scale_columns(self, d: Vec3<R>) -> Self {
        Self::new(self.x * d.x, self.y * d.y, self.z * d.z)
    }

    /// M s: every entry times a number.
    #[inline(always)]
    pub fn scale(self, s: R) -> Self {
        Self::new(self.x * s, self.y * s, self.z * s)
    }

    /// The sum of the products of equal entries, A : B.
    #[inline(always)]
    pub fn dot(self, n: Self) -> R {
        self.x.dot(n.x) + self.y.dot(n.y) + self.z.dot(n.z)
    }

    /// `yes` where the condition holds, else `no`.
    #[inline(always)]
    pub fn select(condition: R::Mask, yes: Self, no: Self) -> Self {
        Self::new(
            Vec3::select(condition, yes.x, no.x),
            Vec3::select(condition, yes.y, no.y),
            Vec3::select(condition, yes.z, no.z),
        )
    }

    /// The cofactors: M⁻ᵀ times the determinant, of any matrix.
    #[inline(always)]
    pub fn cofactors(self) -> Self {
        Self::new(self.y.cross(self.z), self.z.cross(self.x), self.x.cross(self.y))
    }

    #[inline(always)]
    pub fn determinant(self) -> R {
        self.x.dot(self.y.cross(self.z))
    }

    #[inline(always)]
    pub fn apply(self, v: Vec3<R>) -> Vec3<R> {
        self.x * v.x + self.y * v.y + self.z * v.z
    }

    /// Mᵀ v.
    #[inline(always)]
    pub fn apply_transposed(self, v: Vec3<R>) -> Vec3<R> {
        Vec3::new(self.x.dot(v), self.y.dot(v), self.z.dot(v))
    }

    /// Mᵀ N.
    #[inline(always)]
    pub fn transposed_times(self, n: Self) -> Self {
        Self::new(self.apply_transposed(n.x), self.apply_transposed(n.y), self.apply_transposed(n.z))
    }
}

impl<R: Lane> Mul for Mat3<R> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, n: Self) -> Self {
        Self::new(self.apply(n.x), self.apply(n.y), self.apply(n.z))
    }
}

impl<R: Lane> Add for Mat3<R> {
    type Output = Self;
    #[inline(always)]
    fn add(self, n: Self) -> Self {
        Self::new(self.x + n.x, self.y + n.y, self.z + n.z)
    }
}

impl<R: Lane> Sub for Mat3<R> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, n: Self) -> Self {
        Self::new(self.x - n.x, self.y - n.y, self.z - n.z)
    }
}
