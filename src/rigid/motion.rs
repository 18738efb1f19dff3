//! A rigid body within a substep, as contact sees it, in one buffer: a kernel may use eight, and the tables of particles, frames and
//! colliders are more.

use crate::frames::turn;
use crate::math::{Quat, Real, Vec3, Vec4};

/// Records of `rigid_motions` per body.
pub const RECORDS: u32 = 7;
/// Position [m] and 1/mass [1/kg].
pub const POSITION: u32 = 0;
/// Unit quaternion of the principal axes.
pub const AXES: u32 = 1;
/// Inverse principal moments [1/(kg m²)].
pub const INVERSE: u32 = 2;
/// Displacement of this substep [m].
pub const OFFSET: u32 = 3;
/// Rotation of this substep, a Gibbs vector.
pub const TURN: u32 = 4;
/// Change of velocity [m/s] and of spin about the principal axes [rad/s] when the substep has ended: bounces.
pub const KICK: u32 = 5;

/// Records of `rigid_parts` per body before its features: the solid, and how it touches.
pub const HEADER: u32 = 2;
/// The solid has no closed form.
pub const NO_SOLID: f64 = 0.0;
/// A cuboid: half edges [m].
pub const BOX_SOLID: f64 = 1.0;

/// A body that moves within a substep.
#[derive(Clone, Copy)]
pub struct Motion<R> {
    /// Where it started, w = 1/mass [m, 1/kg].
    pub x: Vec4<R>,
    /// Its axes at the start and at the end of the substep.
    pub before: Quat<R>,
    pub after: Quat<R>,
    pub inverse: Vec3<R>,
    pub offset: Vec3<R>,
    pub turn: Vec3<R>,
}

impl<R: Real> Motion<R> {
    #[inline(always)]
    pub fn new([x, q, inverse, offset, g]: [Vec4<R>; 5]) -> Self {
        Self {
            x,
            before: Quat::from_vec4(q),
            after: turn::rotation(q, g.xyz()),
            inverse: inverse.xyz(),
            offset: offset.xyz(),
            turn: g.xyz(),
        }
    }

    /// How far the point at `arm` from the centre, along the principal axes, is carried in the substep [m]. In full digits also where
    /// that is little.
    #[inline(always)]
    pub fn way(&self, arm: Vec3<R>) -> Vec3<R> {
        self.offset + self.before.rotate(swing(self.turn, arm))
    }

    /// I⁻¹ v, in the world.
    #[inline(always)]
    pub fn inverse_inertia(&self, v: Vec3<R>) -> Vec3<R> {
        self.after.rotate(self.inverse.scaled(self.after.conjugate().rotate(v)))
    }
}

/// How far a rotation by a Gibbs vector moves a point: 2 (g × a + g × (g × a))/(1 + g²).
#[inline(always)]
pub fn swing<R: Real>(g: Vec3<R>, a: Vec3<R>) -> Vec3<R> {
    let once = g.cross(a);
    (once + g.cross(once)) * (R::of(2.0) / (R::ONE + g.dot(g)))
}
