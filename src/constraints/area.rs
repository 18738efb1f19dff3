//! Area of a triangle, XPBD.
//!
//!   C = A − A₀        A = ½ |N|        N = (x₂−x₁) × (x₃−x₁)        E = ½ C²/α, so α is in m⁴/J = m³/N
//!
//! The gradient at a corner is half the opposite edge turned by a right angle in the triangle's plane:
//! ∇₁A = ½ n × (x₃−x₂), with n = N/|N|. A triangle without area has no plane and is left alone until others
//! open it.

use super::iterate::{Corner, apply, gain, keep, lambdas, weighted_square};
use crate::math::{Real, Vec3};
use crate::particles::World;

/// |N| over the sum of two squared edges below which a triangle is left alone: the rounding of a cross product
/// turns the plane of so thin a triangle by 1e-4 and more in f32.
const AREA_THIN: f64 = 1e-4;

/// A and its gradients at x₁ … x₃ [m], which are zero when the triangle is too thin to have a plane.
#[inline(always)]
pub fn area_of<R: Real>(
    a: Vec3<R>, // x₂ − x₁ [m]
    b: Vec3<R>, // x₃ − x₁ [m]
) -> (R, [Vec3<R>; 3]) {
    let n = a.cross(b);
    let length = n.length();
    let valid = length > R::of(AREA_THIN) * (a.dot(a) + b.dot(b));
    let half = n * R::select(valid, R::of(0.5) / length, R::ZERO);
    (R::of(0.5) * length, [half.cross(b - a), b.cross(half), half.cross(a)])
}

crate::kernel! {
    "constraints/area" => area per Invocation {
        uniform world: World,
        read area_particles: uint4,   // x₁, x₂, x₃
        read area_rest: real2,        // A₀ [m²], α [m³/N]
        write area_lambdas: real2,    // λ, the one before [N s²/m]
        read positions: real4,        // xyz [m], w = 1/mass [1/kg]
        write offsets: real4,         // xyz [m], w = the solver's 1/mass
        write corrections: real4,     // xyz [m]
    }
}

#[inline(always)]
fn area<R: Real>(b: &Bindings<R>, id: u32) {
    let k = b.launch.first + id;
    let [i1, i2, i3, _] = b.area_particles[k as usize];
    let corners = [i1, i2, i3].map(|i| Corner::load(b.positions, b.offsets, i));
    let [x1, x2, x3] = &corners;
    let (area, gradients) = area_of(x1.to(x2), x1.to(x3));

    let [rest_area, alpha] = b.area_rest[k as usize];
    let tilde = alpha / (b.launch.dt * b.launch.dt);
    let lambdas = lambdas(&b.launch, b.area_lambdas, k);
    let gain = b.world.relaxation * gain(weighted_square(&corners, &gradients), tilde);
    let dl = -((area - rest_area) + tilde * lambdas[0]) * gain;
    keep(&b.launch, b.area_lambdas, k, lambdas, dl);
    apply(&b.launch, id, corners, gradients.map(|g| g * dl), b.offsets, b.corrections);
}
