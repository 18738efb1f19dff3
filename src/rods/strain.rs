//! The strains of a rod and their gradients. Twin of `shaders/common/strain.wgsl`.
//!
//! Frame k has the orientation R (columns d₁, d₂, d₃; d₃ along the segment). With φ a small rotation about its own axes,
//!
//!   stretch and shear   C = b − l e₃,   b = Rᵀ (xⱼ − xᵢ)      ∂C/∂xⱼ = Rᵀ = −∂C/∂xᵢ      ∂C/∂φ = [b]×
//!   bend and twist      C = 2 s − 2 s₀, (s, c) = q̄ₐ q_b       ∂C/∂φ_b = P = c + [s]×     ∂C/∂φₐ = −Pᵀ
//!
//! The energy is ½ C·C/α with α = (l/κ, l/κ, l/EA) for the segment and α = L/K, K = (EI, EI, GJ), for the joint of length
//! L between the middles of two segments. 2 s/L is the discrete Darboux vector: of length 2 sin(θ/2)/L for an angle θ. κ is
//! the shear stiffness: the rod is Timoshenko's, and as κ → ∞ Kirchhoff's.

use super::turn::{difference, dot};
use crate::math::{Mat3, Real, Vec3, Vec4};

/// The relative orientation (s, c) of two neighbouring frames at the present iterate, (a turned)⁻¹ (b turned).
///
/// s is a sum of small terms: the difference of two orientations that are nearly one and that of two turns, so that a
/// nearly straight rod has its curvature to f32's relative precision. Of the two quaternions of a rotation it is that with
/// c ≥ 0: a joint that is thrown beyond half a turn springs to the other side, where s = s₀ would else be a second rest.
#[inline(always)]
pub fn relative<R: Real>([qa, qb]: [Vec4<R>; 2], [ga, gb]: [Vec3<R>; 2]) -> Vec4<R> {
    let (s, c) = (difference(qa, qb), dot(qa, qb));
    let (v, w) = (s - ga * c - ga.cross(s), c + ga.dot(s));
    let vector = v + gb * w + v.cross(gb);
    let scalar = w - v.dot(gb);
    let scale = R::ONE / ((R::ONE + ga.dot(ga)) * (R::ONE + gb.dot(gb))).sqrt();
    let scale = R::select(scalar < R::ZERO, -scale, scale);
    (vector * scale).with_w(scalar * scale)
}

/// P = c + [s]×, how 2 s follows the second frame; −Pᵀ is how it follows the first.
#[inline(always)]
pub fn joint_gradient<R: Real>(relative: Vec4<R>) -> Mat3<R> {
    let c = relative.w;
    Mat3::diagonal(Vec3::new(c, c, c)) + Mat3::cross(relative.xyz())
}

/// The rotation matrix Rₐᵀ R_b of a relative orientation.
#[inline(always)]
pub fn relative_rotation<R: Real>(relative: Vec4<R>) -> Mat3<R> {
    let q = crate::math::Quat::from_vec4(relative);
    let (o, i) = (R::ZERO, R::ONE);
    Mat3::new(q.rotate(Vec3::new(i, o, o)), q.rotate(Vec3::new(o, i, o)), q.rotate(Vec3::new(o, o, i)))
}

/// M diag(d) Mᵀ.
#[inline(always)]
pub fn congruence<R: Real>(m: Mat3<R>, d: Vec3<R>) -> Mat3<R> {
    m.scale_columns(d) * m.transpose()
}
