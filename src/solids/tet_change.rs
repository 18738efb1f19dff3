//! What a change of velocity d does to a tetrahedron's forces over the time τ: (τ² K + τ D) d at its corners.
//!
//!   V τ (τ + β) dP(Σ (dᵢ − d₀) gᵢᵀ) g + τ α m d
//!
//! The product of the system matrix with a vector, without the matrix.

use super::elasticity::{Frame, Rest};
use super::laws::{COROTATIONAL, LINEAR, NEO_HOOKEAN, SolidLaws, is_loose};
use super::tet_force::{At, Tangent, corner_mass};
use super::tet_turn::{edges, rest_of};
use crate::integrate::cg_direction::DONE;
use crate::math::{Lanes, Mat3, Places, Quat, Real, Vec3, Vec4};

crate::kernel! {
    "solids/tet_change" => tet_change, lanes tet_change_lanes, per Invocation {
        uniform solid_laws: SolidLaws,
        read tet_corners: uint4,        // particles
        read tet_rest: real4,           // g₁, V; g₂, law; g₃, 0 [1/m, m³]
        read tet_turns: real4,          // quaternions, of length 2 what is loose
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
    let turn = b.tet_turns[id as usize];
    let law = &b.solid_laws.laws[law].of_turn(turn);
    let particles = b.tet_corners[id as usize];
    let f = rest.gradient(edges(b.positions, b.residuals, particles));
    let d = particles.map(|p| b.cg_directions[p as usize].xyz());
    let df = rest.gradient([d[1] - d[0], d[2] - d[0], d[3] - d[0]]);
    let tau = b.launch.weight * b.launch.dt;
    let here = At::new(law, &rest, f, turn, Tangent::of(b.launch.flags));
    let dp = here.change(df).scale(tau * (tau + law.kind.w));
    let drag = tau * corner_mass(law, rest.volume) * law.kind.z;
    for (c, pull) in rest.corners(dp).into_iter().enumerate() {
        let change = pull + d[c] * drag;
        b.corner_forces.set(b.launch.base + 4 * id + c as u32, change.with_w(R::ZERO));
    }
}

/// As [`tet_change`], line by line, for several tetrahedra of one linear or co-rotational law, none of them loose. Others go one by one.
#[inline(always)]
fn tet_change_lanes<L: Lanes>(b: &Bindings<f32>, id: u32) {
    if b.cg_counts[DONE] != 0 {
        return;
    }
    let rows = &b.tet_rest[3 * id as usize..3 * (id as usize + L::COUNT)];
    let number = rows[1].w;
    let law = &b.solid_laws.laws[number as usize];
    let turns = &b.tet_turns[id as usize..id as usize + L::COUNT];
    let alike = |lane: usize| rows[3 * lane + 1].w == number && !is_loose(turns[lane]);
    let is_frozen = law.model() == LINEAR || Tangent::of(b.launch.flags) == Tangent::Frozen;
    if law.model() >= NEO_HOOKEAN || !is_frozen || !(0..L::COUNT).all(alike) {
        (0..L::COUNT as u32).for_each(|lane| tet_change(b, id + lane));
        return;
    }
    let corners = &b.tet_corners[id as usize..id as usize + L::COUNT];
    let count = b.cg_directions.len();
    let d0: Vec3<L> = L::gather(b.cg_directions, &Places::new::<L>(count, |lane| corners[lane][0])).xyz();
    let d1: Vec3<L> = L::gather(b.cg_directions, &Places::new::<L>(count, |lane| corners[lane][1])).xyz();
    let d2: Vec3<L> = L::gather(b.cg_directions, &Places::new::<L>(count, |lane| corners[lane][2])).xyz();
    let d3: Vec3<L> = L::gather(b.cg_directions, &Places::new::<L>(count, |lane| corners[lane][3])).xyz();
    let g1: Vec4<L> = L::vectors(|lane| &rows[3 * lane]);
    let g2: Vec4<L> = L::vectors(|lane| &rows[3 * lane + 1]);
    let g3: Vec4<L> = L::vectors(|lane| &rows[3 * lane + 2]);
    let rest = Rest { g: [g1.xyz(), g2.xyz(), g3.xyz()], volume: g1.w };
    let df = rest.gradient([d1 - d0, d2 - d0, d3 - d0]);
    let mut rotation = Mat3::IDENTITY;
    if law.model() == COROTATIONAL {
        rotation = Quat::from_vec4(L::vectors(|lane| &turns[lane])).matrix();
    }
    let frame = Frame { rotation, lambda: L::splat(law.moduli.x), mu: L::splat(law.moduli.y) };
    let tau = b.launch.weight * b.launch.dt;
    let dp = frame.change(df).scale(L::splat(tau * (tau + law.kind.w)));
    let mass = L::splat(0.25) * L::splat(law.moduli.w) * rest.volume;
    let drag = L::splat(tau) * mass * L::splat(law.kind.z);
    let pulls = rest.corners(dp);
    let d = [d0, d1, d2, d3];
    for c in 0..4 {
        let change = pulls[c] + d[c] * drag;
        b.corner_forces.store_vectors(b.launch.base + 4 * id + c as u32, 4, change.with_w(L::ZERO));
    }
}
