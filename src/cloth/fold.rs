//! Bending forces of a hinge, left at its four corners.
//!
//!   f = −(c (sin θ/2 − sin θ₀/2) + d θ̇ + τ k θ̇) ∇θ        k = ½ c cos θ/2
//!
//! Bridson, Marino, Fedkiw 2003, with the prefactor c = k_e |e|²/(|N₁|+|N₂|) of the rest shape, so that the elastic part
//! is exactly the gradient of V = 2c (1 − cos θ/2 − ½ sin θ₀/2 (θ − θ₀)). A sheet of bending rigidity B has k_e = 4 B: rolled
//! to a cylinder it stores ½ B κ² per area. θ and ∇θ are those of [`Hinge`]; ∇θ moves and turns nothing as a whole, so
//! both momenta stay.
//!
//! τ k θ̇ is the change on the way to the implicit integrators' forces, as in [`super::membrane`]. Their stiffness is
//! k ∇θ ∇θᵀ, without the change of ∇θ itself: never negative, and enough to be stable at any step.

use crate::integrate::{ASSEMBLED, IMPLICIT, damping_share, factors, reach, store_block};
use crate::math::{Hinge, Real, Vec3, Vec4};

crate::kernel! {
    "cloth/fold" => fold per Invocation {
        read fold_corners: uint4,       // x₁, x₂ opposite, x₃, x₄ on the edge
        read fold_rest: real4,          // c [N m], sin θ₀/2, d [N m s]
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read residuals: real4,          // xyz [m]
        read offsets: real4,            // xyz [m]
        write corner_forces: real4,     // xyz [N]
        write corner_blocks: real4,     // xx, yy, zz; xy, yz, zx [kg], two per corner; or factors
    }
}

/// What x₄, x₁ and x₂ of a hinge are away from x₃ [m].
#[inline(always)]
pub fn sides<R: Real>(positions: &[Vec4<R>], residuals: &[Vec4<R>], corners: [u32; 4]) -> [Vec3<R>; 3] {
    let [x1, x2, x3, x4] = corners.map(|p| positions[p as usize].xyz());
    let [r1, r2, r3, r4] = corners.map(|p| residuals[p as usize].xyz());
    [(x4 - x3) + (r4 - r3), (x1 - x3) + (r1 - r3), (x2 - x3) + (r2 - r3)]
}

/// The hinge where its particles are.
#[inline(always)]
pub fn hinge<R: Real>(positions: &[Vec4<R>], residuals: &[Vec4<R>], corners: [u32; 4]) -> Hinge<R> {
    let [e, a, c] = sides(positions, residuals, corners);
    Hinge::new(e, a, c)
}

/// Σ ∇ᵢθ·dᵢ from the differences to d₃, because the gradients sum to zero and differences keep their digits.
#[inline(always)]
pub fn along<R: Real>(gradients: &[Vec3<R>; 4], [d1, d2, d3, d4]: [Vec3<R>; 4]) -> R {
    gradients[0].dot(d1 - d3) + gradients[1].dot(d2 - d3) + gradients[3].dot(d4 - d3)
}

#[inline(always)]
fn fold<R: Real>(b: &Bindings<R>, id: u32) {
    let corners = b.fold_corners[id as usize];
    let rest = b.fold_rest[id as usize];
    let hinge = hinge(b.positions, b.residuals, corners);
    let way = |p: u32| b.offsets[p as usize].xyz() - b.residuals[p as usize].xyz();
    let theta_dot = along(&hinge.gradients, corners.map(way)) / b.launch.dt;
    let (sine, cosine) = hinge.half_angle();
    let mut moment = rest.x * (sine - rest.y) + rest.z * theta_dot;
    let slot = b.launch.base + 4 * id;
    if b.launch.flags & IMPLICIT != 0 {
        let tau = b.launch.weight * b.launch.dt;
        let k = R::of(0.5) * rest.x * cosine;
        moment += reach(&b.launch) * k * theta_dot;
        let stiffness = tau * (tau * k + rest.z * damping_share(&b.launch));
        if b.launch.flags & ASSEMBLED != 0 {
            let place = b.launch.index + factors::Kind::Fold.length() * id;
            let [g1, g2, _, g4] = hinge.gradients;
            b.corner_blocks.set(place, g1.with_w(stiffness));
            b.corner_blocks.set(place + 1, g2.with_w(R::ZERO));
            b.corner_blocks.set(place + 2, g4.with_w(R::ZERO));
        } else {
            for (c, g) in hinge.gradients.into_iter().enumerate() {
                let diagonal = Vec3::new(g.x * g.x, g.y * g.y, g.z * g.z) * stiffness;
                let off = Vec3::new(g.x * g.y, g.y * g.z, g.z * g.x) * stiffness;
                store_block(b.corner_blocks, slot + c as u32, [diagonal, off]);
            }
        }
    }
    for (c, gradient) in hinge.gradients.into_iter().enumerate() {
        b.corner_forces.set(slot + c as u32, (gradient * -moment).with_w(R::ZERO));
    }
}
