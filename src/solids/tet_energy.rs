//! How the energy of a tetrahedron differs between where a step of Newton's method begins and where it leads, a quarter of it for each
//! corner.
//!
//!   ΔU = V (Ψ(F_t) − Ψ(F_s) + β dP(Ḟm):ΔF) + α m Σ vm·Δ
//!
//! Ψ is that of the law, each end in its own rotation. The rest is the work of Rayleigh's damping with the stiffness of the start, Ḟm and vm the
//! rates at its middle.

use super::elasticity::{Rest, neo_hookean_difference, unfolded};
use super::laws::{IGNORE, LINEAR, Law, NEO_HOOKEAN, SolidLaws, rotation_of_turn};
use super::rotation::{self, SMALLEST};
use super::tet_force::{At, Tangent, corner_mass};
use super::tet_turn::{edges, rest_of};
use crate::math::{Mat3, Quat, Real, Vec4};

crate::kernel! {
    "solids/tet_energy" => tet_energy per Invocation {
        uniform solid_laws: SolidLaws,
        read tet_corners: uint4,        // particles
        read tet_rest: real4,           // g₁, V; g₂, law; g₃, 0 [1/m, m³]
        read tet_turns: real4,          // quaternions, of length 2 what is loose
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read residuals: real4,          // xyz [m]
        read newton_starts: real4,      // where the step begins, xyz [m]
        read search_steps: real4,       // the step, xyz [m]; w = 1 while the body's search goes on
        write corner_energies: real,    // [J]
    }
}

/// A law with a frame or of springs at F, in the rotation that is nearest to `before`.
#[inline(always)]
fn at<R: Real>(law: &Law<R>, rest: &Rest<R>, f: Mat3<R>, before: Quat<R>) -> At<R> {
    let mut turn = Vec4::new(R::ZERO, R::ZERO, R::ZERO, R::ONE);
    if law.model() != LINEAR {
        let inversion = law.inversion();
        let is_reflected = inversion == IGNORE && f.determinant() < R::ZERO;
        let strategy = if inversion == IGNORE { SMALLEST } else { inversion };
        let upright = if is_reflected { f.scale(-R::ONE) } else { f };
        let (q, _) = rotation::extract(upright, rest.gradients(), strategy, before, 0);
        turn = Vec4::new(q.x, q.y, q.z, q.w);
    }
    At::new(law, rest, f, turn, Tangent::Frozen)
}

/// Ψ of F [J/m³].
#[inline(always)]
fn density<R: Real>(here: &At<R>, f: Mat3<R>) -> R {
    match here {
        At::Frame(frame) | At::Turning(frame, _) => frame.energy(f),
        At::Springs(springs) => springs.energy(),
        At::NeoHookean(_) => R::ZERO,
    }
}

#[inline(always)]
fn tet_energy<R: Real>(b: &Bindings<R>, id: u32) {
    let corners = b.tet_corners[id as usize];
    if b.search_steps[corners[0] as usize].w == R::ZERO {
        return;
    }
    let (rest, law) = rest_of(b.tet_rest, id);
    let turn = b.tet_turns[id as usize];
    let law = &b.solid_laws.laws[law].of_turn(turn);
    let f = rest.gradient(edges(b.positions, b.newton_starts, corners));
    let step = corners.map(|p| b.search_steps[p as usize].xyz());
    let df = rest.gradient([step[1] - step[0], step[2] - step[0], step[3] - step[0]]);
    let before = rotation_of_turn(turn);
    let mut energy = if law.model() == NEO_HOOKEAN {
        let (start, end) = (unfolded(f), unfolded(f + df));
        // The difference of what is not unfolded has its digits.
        let is_plain = start.dot(start) == f.dot(f) && end.dot(end) == (f + df).dot(f + df);
        let step = if is_plain { df } else { end - start };
        neo_hookean_difference(start, step, [law.moduli.x, law.moduli.y, law.moduli.z])
    } else {
        match [at(law, &rest, f, before), at(law, &rest, f + df, before)] {
            [At::Frame(start), At::Frame(end)] => start.energy_difference(f, df, end.rotation),
            [start, end] => density(&end, f + df) - density(&start, f),
        }
    };
    let (mass_damping, stiffness_damping) = (law.kind.z, law.kind.w);
    let mut drag = R::ZERO;
    if mass_damping > R::ZERO || stiffness_damping > R::ZERO {
        let half = R::of(0.5);
        let way = corners.map(|p| b.newton_starts[p as usize].xyz() - b.residuals[p as usize].xyz());
        let v = [0, 1, 2, 3].map(|c| (way[c] + step[c] * half) / b.launch.dt);
        let rate = rest.gradient([v[1] - v[0], v[2] - v[0], v[3] - v[0]]);
        let damped = At::new(law, &rest, f, turn, Tangent::Frozen).change(rate);
        energy += stiffness_damping * damped.dot(df);
        let work = v[0].dot(step[0]) + v[1].dot(step[1]) + v[2].dot(step[2]) + v[3].dot(step[3]);
        drag = mass_damping * corner_mass(law, rest.volume) * work;
    }
    let share = (rest.volume * energy + drag) * R::of(0.25);
    for c in 0..4 {
        b.corner_energies.set(b.launch.base + 4 * id + c, share);
    }
}
