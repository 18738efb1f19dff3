//! How the bending energy of a hinge differs between where a step of Newton's method begins and where it leads, a quarter of it for each
//! corner.
//!
//!   ΔV = 2c (cos θ_s/2 − cos θ_t/2) − c sin θ₀/2 (θ_t − θ_s) + d θ̇m ∇θ·Δ
//!
//! V is that of [`super::fold`]. cos α − cos β is (sin² β − sin² α)/(cos α + cos β), which keeps the digits of flat hinges. The last term is the work
//! of damping along the gradients of the start, θ̇m the rate at its middle.

use super::fold::{along, sides};
use crate::math::{Hinge, Real};

crate::kernel! {
    "cloth/fold_energy" => fold_energy per Invocation {
        read fold_corners: uint4,       // x₁, x₂ opposite, x₃, x₄ on the edge
        read fold_rest: real4,          // c [N m], sin θ₀/2, d [N m s]
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read residuals: real4,          // xyz [m]
        read newton_starts: real4,      // where the step begins, xyz [m]
        read search_steps: real4,       // the step, xyz [m]; w = 1 while the body's search goes on
        write corner_energies: real,    // [J]
    }
}

/// Whether a hinge has an angle to speak of: its triangles are not too thin.
#[inline(always)]
fn has_angle<R: Real>(hinge: &Hinge<R>) -> bool {
    hinge.gradients[0].dot(hinge.gradients[0]) > R::ZERO
}

#[inline(always)]
fn fold_energy<R: Real>(b: &Bindings<R>, id: u32) {
    let corners = b.fold_corners[id as usize];
    if b.search_steps[corners[0] as usize].w == R::ZERO {
        return;
    }
    let rest = b.fold_rest[id as usize];
    let step = |p: u32| b.search_steps[p as usize].xyz();
    let [d1, d2, d3, d4] = corners.map(step);
    let [e, a, c] = sides(b.positions, b.newton_starts, corners);
    let start = Hinge::new(e, a, c);
    let end = Hinge::new(e + (d4 - d3), a + (d1 - d3), c + (d2 - d3));
    let mut energy = R::ZERO;
    if has_angle(&start) && has_angle(&end) {
        let ((s, c), (s_end, c_end)) = (start.half_angle(), end.half_angle());
        let sum = c + c_end;
        let cosines = R::select(sum > R::ZERO, (s_end - s) * (s_end + s) / sum, R::ZERO);
        let turned = (s_end * c - c_end * s).atan2(c_end * c + s_end * s);
        let way = |p: u32| b.newton_starts[p as usize].xyz() - b.residuals[p as usize].xyz();
        let moved = along(&start.gradients, [d1, d2, d3, d4]);
        let travelled = along(&start.gradients, corners.map(way));
        let damped = rest.z * (travelled + R::of(0.5) * moved) / b.launch.dt * moved;
        energy = R::of(2.0) * rest.x * (cosines - rest.y * turned) + damped;
    }
    for c in 0..4 {
        b.corner_energies.set(b.launch.base + 4 * id + c, energy * R::of(0.25));
    }
}
