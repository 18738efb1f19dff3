//! Bending of a hinge that is flat at rest, XPBD with the quadratic energy of inextensible sheets.
//!
//!   c = Σ Kᵢ xᵢ        E = ½ |c|²/α        Δλ = −(c + α̃ λ) / (Σ Wᵢ Kᵢ² + α̃)        Δxᵢ = wᵢ Kᵢ Δλ
//!
//! Bergou, Wardetzky, Harmon, Zorin, Grinspun 2006. K are the cotangent weights of the hinge, which sum to
//! zero, and c and λ are vectors solved as one block: the gradient of each component is Kᵢ, the same for all
//! three. The energy is only bending where the sheet does not stretch.
//!
//! Linear momentum is conserved because Σ Kᵢ = 0. The corrections' angular momentum is Σ xᵢ × Kᵢ Δλ = c × Δλ,
//! which vanishes if α = 0, in the first iteration, and whenever λ is parallel to c, as it is at convergence
//! (c = −α̃ λ); in between it is −α̃ c × λ/(Σ Wᵢ Kᵢ² + α̃).

use super::iterate::{Corner, apply, gain, keep_vectors, vector_lambdas};
use crate::math::{Real, Vec3, Vec4};
use crate::particles::World;

/// c = Σ Kᵢ xᵢ from the differences to x₃, because Σ Kᵢ = 0 and differences keep their digits.
#[inline(always)]
pub fn curvature<R: Real>(
    weights: Vec4<R>, // K₁ … K₄
    e: Vec3<R>,       // x₄ − x₃ [m]
    a: Vec3<R>,       // x₁ − x₃ [m]
    c: Vec3<R>,       // x₂ − x₃ [m]
) -> Vec3<R> {
    a * weights.x + c * weights.y + e * weights.w
}

crate::kernel! {
    "constraints/isometric" => isometric per Invocation {
        uniform world: World,
        read isometric_particles: uint4,   // x₁, x₂ opposite, x₃, x₄ on the edge
        read isometric_weights: real4,     // K₁ … K₄
        read isometric_rest: real,         // α [m/N] for weights without unit
        write isometric_lambdas: real4,    // λ, the one before [N s²], two per hinge
        read positions: real4,             // xyz [m], w = 1/mass [1/kg]
        write offsets: real4,              // xyz [m], w = the solver's 1/mass
        write corrections: real4,          // xyz [m]
    }
}

#[inline(always)]
fn isometric<R: Real>(b: &Bindings<R>, id: u32) {
    let k = b.launch.first + id;
    let corners = b.isometric_particles[k as usize].map(|i| Corner::load(b.positions, b.offsets, i));
    let [x1, x2, x3, x4] = &corners;
    let weights = b.isometric_weights[k as usize];
    let c = curvature(weights, x3.to(x4), x3.to(x1), x3.to(x2));

    let tilde = b.isometric_rest[k as usize] / (b.launch.dt * b.launch.dt);
    let lambdas = vector_lambdas(&b.launch, b.isometric_lambdas, k);
    let weights = [weights.x, weights.y, weights.z, weights.w];
    let mut square = R::ZERO;
    for (corner, weight) in corners.iter().zip(weights) {
        square += corner.solver_weight() * (weight * weight);
    }
    let dl = -(c + lambdas[0] * tilde) * (b.world.relaxation * gain(square, tilde));
    keep_vectors(&b.launch, b.isometric_lambdas, k, lambdas, dl);
    apply(&b.launch, id, corners, weights.map(|weight| dl * weight), b.offsets, b.corrections);
}
