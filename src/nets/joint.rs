//! The relative orientation of two frames of a net. Twin of `shaders/common/net_joint.wgsl`.
//!
//!   (s, c) = (qₐ oₐ)⁻¹ (q_b o_b)      C = 2 s − 2 s₀      ∂C/∂φ_b = P R(o_b)ᵀ      ∂C/∂φₐ = −Pᵀ R(oₐ)ᵀ      P = c + [s]×
//!
//! The offsets o are turns from the frames to the axes that are compared: with oₐ the relative orientation at rest, s₀ is
//! zero and the joint is equally stiff whatever its rest angle. See [`crate::rods::strain`] for joints along a rod.

use crate::frames::turn;
use crate::math::{Mat3, Real, Vec3, Vec4};
use crate::rods::strain;

/// A joint at the present iterate.
pub struct Joint<R> {
    /// (s, c).
    pub relative: Vec4<R>,
    /// −∂C/∂φ of the first frame.
    pub first: Mat3<R>,
    /// ∂C/∂φ of the second.
    pub second: Mat3<R>,
}

/// The joint between two frames that have turned by g in this substep.
#[inline(always)]
pub fn joint<R: Real>([qa, qb]: [Vec4<R>; 2], [ga, gb]: [Vec3<R>; 2], [oa, ob]: [Vec4<R>; 2]) -> Joint<R> {
    let (ra, rb) = (strain::relative_rotation(oa).transpose(), strain::relative_rotation(ob).transpose());
    let compared = [turn::product(qa, oa), turn::product(qb, ob)];
    let relative = strain::relative(compared, [ra.apply(ga), rb.apply(gb)]);
    let p = strain::joint_gradient(relative);
    Joint { relative, first: p.transpose() * ra, second: p * rb }
}

impl<R: Real> Joint<R> {
    /// J W Jᵀ for the frames' inverse inertias.
    #[inline(always)]
    pub fn response(&self, [first, second]: [Vec3<R>; 2]) -> Mat3<R> {
        strain::congruence(self.first, first) + strain::congruence(self.second, second)
    }
}
