//! What a change of velocity d does to a tetrahedron's forces over the time τ: (τ² K + τ D) d at its corners.
//!
//!   V τ (τ + β) dP(Σ (dᵢ − d₀) gᵢᵀ) g + τ α m d
//!
//! The product of the system matrix with a vector, without the matrix.

use super::laws::SolidLaws;
use super::tet_force::{At, corner_mass};
use super::tet_turn::{edges, rest_of};
use crate::integrate::{WHOLE, cg_direction::DONE};
use crate::math::Real;
use crate::particles::World;

crate::kernel! {
    "solids/tet_change" => tet_change per Invocation {
        uniform world: World,
        uniform solid_laws: SolidLaws,
        read tet_corners: uint4,        // particles
        read tet_rest: real4,           // g₁, V; g₂, law; g₃, 0 [1/m, m³]
        read tet_turns: real4,          // quaternions
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read residuals: real4,          // xyz [m]
        read cg_directions: real4,      // xyz [m/s]
        read cg_counts: uint,           // done, iterations
        write corner_forces: real4,     // xyz [N s]
    }
}

#[inline(always)]
fn tet_change<R: Real>(b: &Bindings<R>, id: u32) {
    if b.cg_counts[DONE] != 0 {
        return;
    }
    let (rest, law) = rest_of(b.tet_rest, id);
    let law = &b.solid_laws.laws[law];
    let particles = b.tet_corners[id as usize];
    let f = rest.gradient(edges(b.positions, b.residuals, particles));
    let d = particles.map(|p| b.cg_directions[p as usize].xyz());
    let df = rest.gradient([d[1] - d[0], d[2] - d[0], d[3] - d[0]]);
    let tau = b.launch.weight * b.world.dt;
    let here = At::new(law, f, b.tet_turns[id as usize], b.launch.flags & WHOLE != 0);
    let dp = here.change(df).scale(tau * (tau + law.kind.w));
    let drag = tau * corner_mass(law, rest.volume) * law.kind.z;
    for (c, pull) in rest.corners(dp).into_iter().enumerate() {
        let change = pull + d[c] * drag;
        b.corner_forces.set(b.launch.base + 4 * id + c as u32, change.with_w(R::ZERO));
    }
}
