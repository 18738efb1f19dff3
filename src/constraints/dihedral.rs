//! Bending of a hinge, XPBD: the angle between two triangles across their shared edge.
//!
//!   C = θ − θ₀
//!
//! with θ and its gradients as in [`Hinge`]. The angle is known up to full turns, so a hinge more than half a turn
//! from its rest angle unfolds the other way round.

use super::iterate::{Corner, apply, gain, keep, lambdas, weighted_square};
use crate::math::{Hinge, Real, Vec3};
use crate::particles::World;
use std::f64::consts::PI;

/// θ and its gradients at x₁ … x₄ [rad/m], which are zero when a triangle is too thin to have a normal.
#[inline(always)]
pub fn fold<R: Real>(
    e: Vec3<R>, // x₄ − x₃ [m]
    a: Vec3<R>, // x₁ − x₃ [m]
    c: Vec3<R>, // x₂ − x₃ [m]
) -> (R, [Vec3<R>; 4]) {
    let hinge = Hinge::new(e, a, c);
    (hinge.sine.atan2(hinge.cosine), hinge.gradients)
}

/// The same angle in (−π, π], from one in [−2π, 2π].
#[inline(always)]
pub fn wrap<R: Real>(angle: R) -> R {
    let (half, full) = (R::of(PI), R::of(2.0 * PI));
    let below = R::select(angle > half, angle - full, angle);
    R::select(below <= -half, below + full, below)
}

crate::kernel! {
    "constraints/dihedral" => dihedral per Invocation {
        uniform world: World,
        read hinge_particles: uint4,   // x₁, x₂ opposite, x₃, x₄ on the edge
        read hinge_rest: real2,        // θ₀ [rad], α [rad/(N m)]
        write hinge_lambdas: real2,    // λ, the one before [N m s²]
        read positions: real4,         // xyz [m], w = 1/mass [1/kg]
        write offsets: real4,          // xyz [m], w = the solver's 1/mass
        write corrections: real4,      // xyz [m]
    }
}

#[inline(always)]
fn dihedral<R: Real>(b: &Bindings<R>, id: u32) {
    let k = b.launch.first + id;
    let corners = b.hinge_particles[k as usize].map(|i| Corner::load(b.positions, b.offsets, i));
    let [x1, x2, x3, x4] = &corners;
    let (theta, gradients) = fold(x3.to(x4), x3.to(x1), x3.to(x2));

    let [rest_angle, alpha] = b.hinge_rest[k as usize];
    let tilde = alpha / (b.launch.dt * b.launch.dt);
    let lambdas = lambdas(&b.launch, b.hinge_lambdas, k);
    let gain = b.world.relaxation * gain(weighted_square(&corners, &gradients), tilde);
    let dl = -(wrap(theta - rest_angle) + tilde * lambdas[0]) * gain;
    keep(&b.launch, b.hinge_lambdas, k, lambdas, dl);
    apply(&b.launch, id, corners, gradients.map(|g| g * dl), b.offsets, b.corrections);
}
