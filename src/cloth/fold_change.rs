//! What a change of velocity d does to the bending forces over the time τ, at a hinge's corners.
//!
//!   (τ² k + τ d_θ) (∇θ·d) ∇θ        k = ½ c cos θ/2

use super::fold::{along, hinge};
use crate::integrate::cg_direction::DONE;
use crate::math::Real;

crate::kernel! {
    "cloth/fold_change" => fold_change per Invocation {
        read fold_corners: uint4,       // x₁, x₂ opposite, x₃, x₄ on the edge
        read fold_rest: real4,          // c [N m], sin θ₀/2, d_θ [N m s]
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read residuals: real4,          // xyz [m]
        read cg_directions: real4,      // xyz [m/s]
        read cg_counts: uint,           // done, iterations
        write corner_forces: real4,     // xyz [N s]
    }
}

#[inline(always)]
fn fold_change<R: Real>(b: &Bindings<R>, id: u32) {
    if b.cg_counts[DONE] != 0 {
        return;
    }
    let corners = b.fold_corners[id as usize];
    let rest = b.fold_rest[id as usize];
    let hinge = hinge(b.positions, b.residuals, corners);
    let (_, cosine) = hinge.half_angle();
    let tau = b.launch.weight * b.launch.dt;
    let stiffness = tau * (tau * R::of(0.5) * rest.x * cosine + rest.z);
    let moment = stiffness * along(&hinge.gradients, corners.map(|p| b.cg_directions[p as usize].xyz()));
    for (c, gradient) in hinge.gradients.into_iter().enumerate() {
        b.corner_forces.set(b.launch.base + 4 * id + c as u32, (gradient * moment).with_w(R::ZERO));
    }
}
