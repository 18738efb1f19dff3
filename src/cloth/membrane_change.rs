//! What a change of velocity d does to the membrane forces over the time τ: (τ² K + τ D) d at a triangle's corners.
//!
//!   dF = [d₂−d₁, d₃−d₁] D⁻¹        dP = τ² dF S₊ + F ((τ² C + τ C_v) : sym(Fᵀ dF))
//!
//! The product of the system matrix with a vector, without the matrix; see [`super::green`] for S₊, and
//! [`super::sheet_law`] for the co-rotational law.

use super::membrane::{edges, mixed};
use super::{green, sheet_law};
use crate::integrate::{WHOLE, cg_direction::DONE};
use crate::math::Real;

crate::kernel! {
    "cloth/membrane_change" => membrane_change per Invocation {
        read membrane_corners: uint4,   // three particles, fabric
        read membrane_rest: real4,      // D⁻¹ by rows [1/m]; the limits' stress [N/m]
        read fabrics: real4,            // a₁₁, a₂₂, a₁₂, G [N/m]; the same of the viscous stress [N s/m]; law
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read residuals: real4,          // xyz [m]
        read cg_directions: real4,      // xyz [m/s]
        read cg_counts: uint,           // done, iterations
        write corner_forces: real4,     // xyz [N s]
    }
}

#[inline(always)]
fn membrane_change<R: Real>(b: &Bindings<R>, id: u32) {
    if b.cg_counts[DONE] != 0 {
        return;
    }
    let [i, j, k, fabric] = b.membrane_corners[id as usize];
    let material = b.membrane_rest[2 * id as usize];
    let elastic = b.fabrics[3 * fabric as usize];
    let viscous = b.fabrics[3 * fabric as usize + 1];
    let tau = b.launch.weight * b.launch.dt;
    let f = green::gradient(material, edges(b.positions, b.residuals, [i, j, k]));
    let law = b.fabrics[3 * fabric as usize + 2];
    let sheet_law::Stressed { rest, axes: f, stress, moduli, turning } =
        sheet_law::stressed(f, material, elastic, law);
    let d = |p: u32| b.cg_directions[p as usize].xyz();
    let di = d(i);
    let df = green::gradient(rest, [d(j) - di, d(k) - di]);
    let s = sheet_law::with_limits(stress, b.membrane_rest[2 * id as usize + 1]);
    let taut = if b.launch.flags & WHOLE != 0 { s } else { green::tension(s) };
    let straight = green::product(df, taut.map(|s| s * (tau * tau * turning)));
    let turned =
        green::product(f, green::stress(mixed(moduli, viscous, tau, R::ONE), green::strain_change(f, df)));
    let dp = [straight[0] + turned[0], straight[1] + turned[1]];
    for (c, change) in green::corners(rest, dp).into_iter().enumerate() {
        b.corner_forces.set(3 * id + c as u32, change.with_w(R::ZERO));
    }
}
