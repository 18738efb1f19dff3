//! Small rotations as Gibbs vectors g = tan(θ/2) n. Twin of `shaders/common/turn.wgsl`.
//!
//!   q ∘ g := q (g, 1)/√(1 + g²)        a ∘ b = (a + b + a × b)/(1 − a·b)        ω = 2 g/dt
//!
//! During a substep a frame's quaternion stays fixed and the constraints work on its *turn* g, as they work on a
//! particle's offset. A quaternion's components are near 1 and end at 6·10⁻⁸; a turn is a small number and keeps all
//! its digits, so that ω = 2 g/dt is as good at a hundred thousand substeps a second as at sixty. Gibbs vectors compose
//! without roots or angles, which devices compute to few digits only, and the map to ω and back is exact: a free frame
//! keeps its spin for ever. The price is an angle of 2 atan(ω dt/2) instead of ω dt, (ω dt)²/12 too little.

use crate::math::{Lane, Quat, Vec3, Vec4};

/// The turn a, then b about the axes that a has turned.
#[inline(always)]
pub fn compose<R: Lane>(a: Vec3<R>, b: Vec3<R>) -> Vec3<R> {
    (a + b + a.cross(b)) * (R::ONE / (R::ONE - a.dot(b)))
}

/// q p, components as (x, y, z, w).
#[inline(always)]
pub fn product<R: Lane>(q: Vec4<R>, p: Vec4<R>) -> Vec4<R> {
    let v = p.xyz() * q.w + q.xyz() * p.w + q.xyz().cross(p.xyz());
    v.with_w(q.w * p.w - q.xyz().dot(p.xyz()))
}

/// The vector part of q̄ (p − q), which is that of q̄ p to the last digit when p is near q.
#[inline(always)]
pub fn difference<R: Lane>(q: Vec4<R>, p: Vec4<R>) -> Vec3<R> {
    let (v, w) = (p.xyz() - q.xyz(), p.w - q.w);
    v * q.w - q.xyz() * w - q.xyz().cross(v)
}

#[inline(always)]
pub fn dot<R: Lane>(q: Vec4<R>, p: Vec4<R>) -> R {
    q.xyz().dot(p.xyz()) + q.w * p.w
}

/// The turn that leads from q to p, whichever sign p has.
#[inline(always)]
pub fn between<R: Lane>(q: Vec4<R>, p: Vec4<R>) -> Vec3<R> {
    let c = dot(q, p);
    let sign = R::select(c.below(R::ZERO), -R::ONE, R::ONE);
    let p = Vec4::new(p.x * sign, p.y * sign, p.z * sign, p.w * sign);
    difference(q, p) / (c * sign)
}

/// q turned, a unit quaternion again.
#[inline(always)]
pub fn apply<R: Lane>(q: Vec4<R>, turn: Vec3<R>) -> Vec4<R> {
    let p = product(q, turn.with_w(R::ONE));
    let s = R::ONE / dot(p, p).sqrt();
    Vec4::new(p.x * s, p.y * s, p.z * s, p.w * s)
}

/// The same as a rotation.
#[inline(always)]
pub fn rotation<R: Lane>(q: Vec4<R>, turn: Vec3<R>) -> Quat<R> {
    Quat::from_vec4(apply(q, turn))
}

/// ω with (ω₁, ω₂) turned by −2 atan t.
#[inline(always)]
pub fn precess<R: Lane>(w: Vec3<R>, t: R) -> Vec3<R> {
    let scale = R::ONE / (R::ONE + t * t);
    let (c, s) = ((R::ONE - t * t) * scale, (t + t) * scale);
    Vec3::new(c * w.x + s * w.y, c * w.y - s * w.x, w.z)
}
