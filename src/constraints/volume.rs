//! Signed volume of a tetrahedron, XPBD.
//!
//!   C = V − V₀        V = (x₂−x₁)·((x₃−x₁) × (x₄−x₁))/6        E = ½ C²/α, so α is in m⁶/J = m⁵/N
//!
//! Müller, Heidelberger, Hennix, Ratcliff 2007, sec. 4.4. V is negative when the tetrahedron is inverted and its
//! gradients do not vanish when it is flat, so it turns itself right side out again. Only a tetrahedron
//! collapsed to a line has no gradient; it is left alone until others open it.

use super::iterate::{Corner, apply, gain, keep, lambdas, weighted_square};
use crate::math::{Real, Vec3};
use crate::particles::World;

/// Faces' area over squared edges below which a tetrahedron counts as a line: there a step to the rest volume
/// would be many times its length.
const VOLUME_THIN: f64 = 1e-3;

/// V and its gradients at x₁ … x₄ [m²], which are zero when the tetrahedron is a line.
#[inline(always)]
pub fn volume_of<R: Real>(
    a: Vec3<R>, // x₂ − x₁ [m]
    b: Vec3<R>, // x₃ − x₁ [m]
    c: Vec3<R>, // x₄ − x₁ [m]
) -> (R, [Vec3<R>; 4]) {
    let sixth = R::of(1.0 / 6.0);
    let (g2, g3, g4) = (b.cross(c) * sixth, c.cross(a) * sixth, a.cross(b) * sixth);
    let thin = R::of(VOLUME_THIN) * (a.dot(a) + b.dot(b) + c.dot(c));
    let valid = g2.dot(g2) + g3.dot(g3) + g4.dot(g4) > thin * thin;
    let gradients = [-(g2 + g3 + g4), g2, g3, g4];
    (a.dot(g2), if valid { gradients } else { [Vec3::ZERO; 4] })
}

crate::kernel! {
    "constraints/volume" => volume per Invocation {
        uniform world: World,
        read volume_particles: uint4,   // x₁ … x₄
        read volume_rest: real2,        // V₀ [m³], α [m⁵/N]
        write volume_lambdas: real2,    // λ, the one before [Pa s²]
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        write offsets: real4,           // xyz [m], w = the solver's 1/mass
        write corrections: real4,       // xyz [m]
    }
}

#[inline(always)]
fn volume<R: Real>(b: &Bindings<R>, id: u32) {
    let k = b.launch.first + id;
    let corners = b.volume_particles[k as usize].map(|i| Corner::load(b.positions, b.offsets, i));
    let [x1, x2, x3, x4] = &corners;
    let (volume, gradients) = volume_of(x1.to(x2), x1.to(x3), x1.to(x4));

    let [rest_volume, alpha] = b.volume_rest[k as usize];
    let tilde = alpha / (b.launch.dt * b.launch.dt);
    let lambdas = lambdas(&b.launch, b.volume_lambdas, k);
    let gain = b.world.relaxation * gain(weighted_square(&corners, &gradients), tilde);
    let dl = -((volume - rest_volume) + tilde * lambdas[0]) * gain;
    keep(&b.launch, b.volume_lambdas, k, lambdas, dl);
    apply(&b.launch, id, corners, gradients.map(|g| g * dl), b.offsets, b.corrections);
}
