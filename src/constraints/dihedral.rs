//! Bending of a hinge, XPBD: the angle between two triangles across their shared edge.
//!
//!   C = θ − θ₀        θ = atan2((n₁ × n₂)·e/|e|, n₁·n₂)        e = x₄ − x₃
//!
//! x₁ and x₂ are opposite the edge, N₁ = (x₁−x₃) × (x₁−x₄) and N₂ = (x₂−x₄) × (x₂−x₃) the triangles' normals;
//! flat is θ = 0. Bridson, Marino, Fedkiw 2003, sec. 4. With a = x₁−x₃ and c = x₂−x₃ the normals are e × a and
//! c × e, so that (N₁ × N₂)·e = −|e|² c·N₁: no unit normals are needed. With the feet s = a·e/|e|² and
//! t = c·e/|e|² of x₁ and x₂ along the edge,
//!
//!   ∇₁θ = −|e| N₁/|N₁|²        ∇₂θ = −|e| N₂/|N₂|²
//!   ∇₃θ = (s−1) ∇₁θ + (t−1) ∇₂θ        ∇₄θ = −s ∇₁θ − t ∇₂θ
//!
//! The angle is known up to full turns, so a hinge more than half a turn from its rest angle unfolds the other
//! way round.

use super::iterate::{Corner, apply, gain, keep, lambdas, weighted_square};
use crate::math::{Real, Vec3};
use crate::particles::World;
use std::f64::consts::PI;

/// Height over edge length below which a hinge is left alone: the rounding of a cross product turns the normal
/// of so thin a triangle by 1e-4 and more in f32.
const HINGE_THIN: f64 = 1e-3;

/// θ and its gradients at x₁ … x₄ [rad/m], which are zero when a triangle is too thin to have a normal.
#[inline(always)]
pub fn fold<R: Real>(
    e: Vec3<R>, // x₄ − x₃ [m]
    a: Vec3<R>, // x₁ − x₃ [m]
    c: Vec3<R>, // x₂ − x₃ [m]
) -> (R, [Vec3<R>; 4]) {
    let (n1, n2) = (e.cross(a), c.cross(e));
    let (ee, nn1, nn2) = (e.dot(e), n1.dot(n1), n2.dot(n2));
    let length = ee.sqrt();
    let theta = (-length * c.dot(n1)).atan2(n1.dot(n2));

    let thin = R::of(HINGE_THIN) * ee;
    let valid = nn1.min(nn2) > thin * thin;
    let g1 = n1 * R::select(valid, -length / nn1, R::ZERO);
    let g2 = n2 * R::select(valid, -length / nn2, R::ZERO);
    let s = R::select(valid, a.dot(e) / ee, R::ZERO);
    let t = R::select(valid, c.dot(e) / ee, R::ZERO);
    let g3 = g1 * (s - R::ONE) + g2 * (t - R::ONE);
    let g4 = -(g1 * s + g2 * t);
    (theta, [g1, g2, g3, g4])
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
    let tilde = alpha / (b.world.dt * b.world.dt);
    let lambdas = lambdas(&b.launch, b.hinge_lambdas, k);
    let gain = b.world.relaxation * gain(weighted_square(&corners, &gradients), tilde);
    let dl = -(wrap(theta - rest_angle) + tilde * lambdas[0]) * gain;
    keep(&b.launch, b.hinge_lambdas, k, lambdas, dl);
    apply(&b.launch, id, corners, gradients.map(|g| g * dl), b.offsets, b.corrections);
}
