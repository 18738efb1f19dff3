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

use super::ldl::Symmetric;
use crate::frames::turn::{difference, dot};
use crate::math::{Lane, Mat3, Vec3, Vec4};

/// The relative orientation (s, c) of two neighbouring frames at the present iterate, (a turned)⁻¹ (b turned).
///
/// s is a sum of small terms: the difference of two orientations that are nearly one and that of two turns, so that a
/// nearly straight rod has its curvature to f32's relative precision. Of the two quaternions of a rotation it is that with
/// c ≥ 0: a joint that is thrown beyond half a turn springs to the other side, where s = s₀ would else be a second rest.
#[inline(always)]
pub fn relative<R: Lane>([qa, qb]: [Vec4<R>; 2], [ga, gb]: [Vec3<R>; 2]) -> Vec4<R> {
    let (s, c) = (difference(qa, qb), dot(qa, qb));
    let (v, w) = (s - ga * c - ga.cross(s), c + ga.dot(s));
    let vector = v + gb * w + v.cross(gb);
    let scalar = w - v.dot(gb);
    let scale = R::ONE / ((R::ONE + ga.dot(ga)) * (R::ONE + gb.dot(gb))).sqrt();
    let scale = R::select(scalar.below(R::ZERO), -scale, scale);
    (vector * scale).with_w(scalar * scale)
}

/// P = c + [s]×, how 2 s follows the second frame; −Pᵀ is how it follows the first.
#[inline(always)]
pub fn joint_gradient<R: Lane>(relative: Vec4<R>) -> Mat3<R> {
    let (s, c) = (relative.xyz(), relative.w);
    Mat3::new(Vec3::new(c, s.z, -s.y), Vec3::new(-s.z, c, s.x), Vec3::new(s.y, -s.x, c))
}

/// P v.
#[inline(always)]
pub fn forth<R: Lane>(relative: Vec4<R>, v: Vec3<R>) -> Vec3<R> {
    v * relative.w + relative.xyz().cross(v)
}

/// Pᵀ v.
#[inline(always)]
pub fn back<R: Lane>(relative: Vec4<R>, v: Vec3<R>) -> Vec3<R> {
    v * relative.w - relative.xyz().cross(v)
}

/// The rotation matrix Rₐᵀ R_b of a relative orientation.
#[inline(always)]
pub fn relative_rotation<R: Lane>(relative: Vec4<R>) -> Mat3<R> {
    let s = relative.xyz();
    let t = s + s;
    let (xx, yy, zz) = (t.x * s.x, t.y * s.y, t.z * s.z);
    let (xy, xz, yz) = (t.x * s.y, t.x * s.z, t.y * s.z);
    let w = t * relative.w;
    Mat3::new(
        Vec3::new(R::ONE - yy - zz, xy + w.z, xz - w.y),
        Vec3::new(xy - w.z, R::ONE - xx - zz, yz + w.x),
        Vec3::new(xz + w.y, yz - w.x, R::ONE - xx - yy),
    )
}

/// M diag(d) Mᵀ.
#[inline(always)]
pub fn congruence<R: Lane>(m: Mat3<R>, d: Vec3<R>) -> Mat3<R> {
    m.scale_columns(d) * m.transpose()
}

/// [b]× W [b]×ᵀ of a diagonal W: what a frame's inverse inertia lets the far end of b move.
#[inline(always)]
pub fn crossed<R: Lane>(b: Vec3<R>, w: Vec3<R>) -> Symmetric<R> {
    let (xx, yy, zz) = (b.x * b.x, b.y * b.y, b.z * b.z);
    Symmetric {
        diagonal: Vec3::new(zz * w.y + yy * w.z, zz * w.x + xx * w.z, yy * w.x + xx * w.y),
        aside: Vec3::new(-(b.x * b.y * w.z), -(b.x * b.z * w.y), -(b.y * b.z * w.x)),
    }
}

/// P W_b Pᵀ + Pᵀ Wₐ P of diagonal Wₐ and W_b: what two frames' inverse inertias let their joint turn.
#[inline(always)]
pub fn joint_weight<R: Lane>(relative: Vec4<R>, [first, second]: [Vec3<R>; 2]) -> Symmetric<R> {
    let (s, c) = (relative.xyz(), relative.w);
    let (sum, d) = (first + second, second - first);
    let m = crossed(s, sum).plus(sum * (c * c));
    let mixed = Vec3::new(s.z * (d.x - d.y), s.y * (d.z - d.x), s.x * (d.y - d.z)) * c;
    Symmetric { aside: m.aside + mixed, ..m }
}
