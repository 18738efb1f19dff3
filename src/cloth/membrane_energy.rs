//! What a search along a step of Newton's method asks of a triangle: how its energy differs between where the step begins and where it
//! leads, one third of it for each corner.
//!
//!   ΔΨ = A ((C:Ē + S_limits) : ΔE + (C_v:Ėm) : ΔE_s)        Ē = ½ (E_s + E_t)        ΔE = E_t − E_s
//!
//! The second term is the work of viscous forces, whose axes are those of the start: ΔE_s = sym(F_sᵀ ΔF), Ėm the rate at its middle. Green strain
//! differs by sym(F̄ᵀ ΔF) with F̄ the mean of both F, which keeps the digits of a small step. Where a sheet wrinkles its stress is not linear in
//! E, and that of the mean is right to second order in the step.

use super::membrane::edges;
use super::{green, sheet_law};
use crate::math::Real;

crate::kernel! {
    "cloth/membrane_energy" => membrane_energy per Invocation {
        read membrane_corners: uint4,   // three particles, fabric
        read membrane_rest: real4,      // D⁻¹ by rows [1/m]; the limits' stress [N/m]
        read fabrics: real4,            // a₁₁, a₂₂, a₁₂, G [N/m]; the same of the viscous stress [N s/m]; law
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read residuals: real4,          // xyz [m]
        read newton_starts: real4,      // where the step begins, xyz [m]
        read search_steps: real4,       // the step, xyz [m]; w = 1 while the body's search goes on
        write corner_energies: real,    // [J]
    }
}

#[inline(always)]
fn membrane_energy<R: Real>(b: &Bindings<R>, id: u32) {
    let [i, j, k, fabric] = b.membrane_corners[id as usize];
    if b.search_steps[i as usize].w == R::ZERO {
        return;
    }
    let rest = b.membrane_rest[2 * id as usize];
    let elastic = b.fabrics[3 * fabric as usize];
    let viscous = b.fabrics[3 * fabric as usize + 1];
    let law = b.fabrics[3 * fabric as usize + 2];
    let corners = [i, j, k];
    let f = green::gradient(rest, edges(b.positions, b.newton_starts, corners));
    let step = |p: u32| b.search_steps[p as usize].xyz();
    let way = |p: u32| b.newton_starts[p as usize].xyz() - b.residuals[p as usize].xyz();
    let df = green::gradient(rest, [step(j) - step(i), step(k) - step(i)]);
    let (half, rate) = (R::of(0.5), R::ONE / b.launch.dt);

    let start = sheet_law::shape(f, law);
    let end = sheet_law::shape([f[0] + df[0], f[1] + df[1]], law);
    let middle = [f[0] + df[0] * half, f[1] + df[1] * half];
    let mut change = green::strain_change(middle, df);
    if law.x != R::ZERO {
        change = [0, 1, 2].map(|c| end.strain[c] - start.strain[c]);
    }
    let mean = [0, 1, 2].map(|c| start.strain[c] + half * change[c]);
    let s = sheet_law::stress(elastic, mean, law);
    let s = sheet_law::with_limits(s, b.membrane_rest[2 * id as usize + 1]);
    let travelled = green::gradient(rest, [way(j) - way(i), way(k) - way(i)]);
    let at_middle = [0, 1].map(|c| (travelled[c] + df[c] * half) * rate);
    let damped = green::stress(viscous, green::strain_change(start.axes, at_middle));
    let work = green::contract(s, change) + green::contract(damped, green::strain_change(start.axes, df));
    let share = green::area(rest) * work * R::of(1.0 / 3.0);
    for c in 0..3 {
        b.corner_energies.set(b.launch.base + 3 * id + c, share);
    }
}
