//! L D Lᵀ of a symmetric positive 3 × 3 matrix. Twin of `shaders/common/ldl.wgsl`.
//!
//! A pivot that rounding has eaten is kept at the rounding error of its diagonal: the solution then errs by too small a
//! step, which a further iteration mends, and not by a huge one.

use crate::math::{Lane, Mat3, Vec3};

/// A symmetric matrix.
#[derive(Clone, Copy, Debug)]
pub struct Symmetric<R> {
    /// xx, yy, zz.
    pub diagonal: Vec3<R>,
    /// xy, xz, yz.
    pub aside: Vec3<R>,
}

impl<R: Lane> Symmetric<R> {
    /// Mᵀ N where that is known to be symmetric.
    #[inline(always)]
    pub fn product(m: Mat3<R>, n: Mat3<R>) -> Self {
        Self {
            diagonal: Vec3::new(m.x.dot(n.x), m.y.dot(n.y), m.z.dot(n.z)),
            aside: Vec3::new(m.x.dot(n.y), m.x.dot(n.z), m.y.dot(n.z)),
        }
    }

    /// With numbers added to the diagonal.
    #[inline(always)]
    pub fn plus(self, diagonal: Vec3<R>) -> Self {
        Self { diagonal: self.diagonal + diagonal, ..self }
    }

    #[inline(always)]
    pub fn minus(self, other: Self) -> Self {
        Self { diagonal: self.diagonal - other.diagonal, aside: self.aside - other.aside }
    }
}

/// The factors: 1/D and the entries of L below its diagonal.
#[derive(Clone, Copy, Debug)]
pub struct Ldl<R> {
    pub inverse_pivots: Vec3<R>,
    /// l₂₁, l₃₁, l₃₂.
    pub lower: Vec3<R>,
}

impl<R: Lane> Ldl<R> {
    /// Factors m, which is symmetric; `scale` holds the diagonal before anything was subtracted from it.
    #[inline(always)]
    pub fn new(m: Mat3<R>, scale: Vec3<R>) -> Self {
        let diagonal = Vec3::new(m.x.x, m.y.y, m.z.z);
        Self::of(Symmetric { diagonal, aside: Vec3::new(m.x.y, m.x.z, m.y.z) }, scale)
    }

    /// As [`Ldl::new`], from half of the entries.
    #[inline(always)]
    pub fn of(m: Symmetric<R>, scale: Vec3<R>) -> Self {
        let floor = scale * R::EPSILON;
        let (d, o) = (m.diagonal, m.aside);
        let a = R::ONE / d.x.larger(floor.x);
        let (l21, l31) = (o.x * a, o.y * a);
        let b = R::ONE / (d.y - l21 * o.x).larger(floor.y);
        let m32 = o.z - l21 * o.y;
        let l32 = m32 * b;
        let c = R::ONE / (d.z - l31 * o.y - l32 * m32).larger(floor.z);
        Self { inverse_pivots: Vec3::new(a, b, c), lower: Vec3::new(l21, l31, l32) }
    }

    /// Factors a matrix from which nothing was subtracted.
    #[inline(always)]
    pub fn plain(m: Symmetric<R>) -> Self {
        Self::of(m, m.diagonal)
    }

    #[inline(always)]
    pub fn solve(&self, r: Vec3<R>) -> Vec3<R> {
        let (l, d) = (self.lower, self.inverse_pivots);
        let y = r.y - l.x * r.x;
        let z = r.z - l.y * r.x - l.z * y;
        let z = z * d.z;
        let y = y * d.y - l.z * z;
        Vec3::new(r.x * d.x - l.x * y - l.y * z, y, z)
    }

    #[inline(always)]
    pub fn solve_columns(&self, m: Mat3<R>) -> Mat3<R> {
        Mat3::new(self.solve(m.x), self.solve(m.y), self.solve(m.z))
    }
}
