//! L D Lᵀ of a symmetric positive 3 × 3 matrix. Twin of `shaders/common/ldl.wgsl`.
//!
//! A pivot that rounding has eaten is kept at the rounding error of its diagonal: the solution then errs by too small a
//! step, which a further iteration mends, and not by a huge one.

use crate::math::{Mat3, Real, Vec3};

/// The factors: 1/D and the entries of L below its diagonal.
#[derive(Clone, Copy, Debug)]
pub struct Ldl<R> {
    pub inverse_pivots: Vec3<R>,
    /// l₂₁, l₃₁, l₃₂.
    pub lower: Vec3<R>,
}

impl<R: Real> Ldl<R> {
    /// Factors m; `scale` holds the diagonal before anything was subtracted from it.
    #[inline(always)]
    pub fn new(m: Mat3<R>, scale: Vec3<R>) -> Self {
        let floor = scale * R::EPSILON;
        let a = R::ONE / m.x.x.max(floor.x);
        let (l21, l31) = (m.x.y * a, m.x.z * a);
        let b = R::ONE / (m.y.y - l21 * m.x.y).max(floor.y);
        let m32 = m.y.z - l21 * m.x.z;
        let l32 = m32 * b;
        let c = R::ONE / (m.z.z - l31 * m.x.z - l32 * m32).max(floor.z);
        Self { inverse_pivots: Vec3::new(a, b, c), lower: Vec3::new(l21, l31, l32) }
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
