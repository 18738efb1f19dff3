//! Damping by velocities (Schmedding 2012, chapter 8), after the forces and before the constraints.
//!
//! It acts on the predicted velocities v = (o − r)/dt, which have all forces of the substep in them. So it also
//! carries a force through the body faster than the elements would, the force propagation of Schmedding 2012: with a rate of ∞,
//! undirected global damping gives the whole body the velocity of its centre of mass at once.
//!
//! - `point`: v ← v exp(−γ dt/m). Friction with the world; it also slows falling.
//! - `spring`: dampers along the edges, in sweeps. One sweep carries a force by one edge.
//! - `global`: v ← v − γ (v − v_cm), the limit of very many sweeps, γ = 1 − exp(−rate dt).
//! - `local`: the same in every tetrahedron, whose corners have m/N of their particles' mass, N the tetrahedra around.
//!
//! Taking only the centre's velocity out also stops the body's spin. What keeps it is one of
//!
//! - `edges` (M1): −γ c m_red (vᵢ − vⱼ) along each edge, m_red = mᵢmⱼ/(mᵢ + mⱼ), c = 1/max(degree). The form of Schmedding 2012 has
//!   differences of mᵢvᵢ instead and adds energy where masses differ.
//! - `centre` (M2): only the part of v − v_cm that points to the centre, less what is left of momentum.
//! - `couples` (M3): the pulls along the axes of the smallest sum that make up for the spin lost; see [`couples`].
//! - `rigid` (M4): v − v_cm − ω × r, ω the spin of the whole.
//!
//! All of these keep momentum and angular momentum and never add kinetic energy, for any rate.

pub mod couples;
pub mod damp_apply;
pub mod damp_couples;
pub mod damp_edges;
pub mod damp_gather;
pub mod damp_global;
pub mod damp_motion;
pub mod damp_tets;
pub mod setup;

use crate::math::{Mat3, Real, Vec3};

/// Flags of how the spin is kept.
pub const CENTRE: u32 = 1;
pub const RIGID: u32 = 2;
pub const COUPLES: u32 = 8;
/// Flags of `damp_edges`: along the edge only, and with the reduced masses.
pub const PROJECTED: u32 = 1;
pub const REDUCED: u32 = 2;
/// The flag of `damp_global` for friction with the world.
pub const POINT: u32 = 4;

/// Determinant of an inertia over the cube of its trace below which it has no inverse: all mass on a line.
const LINE: f64 = 1e-6;

/// ω of an inertia I and an angular momentum L, I given by xx, yy, zz and xy, yz, zx; nothing for mass on a line.
#[inline(always)]
pub fn spin<R: Real>(diagonal: Vec3<R>, off: Vec3<R>, momentum: Vec3<R>) -> Vec3<R> {
    let inertia = Mat3::new(
        Vec3::new(diagonal.x, off.x, off.z),
        Vec3::new(off.x, diagonal.y, off.y),
        Vec3::new(off.z, off.y, diagonal.z),
    );
    let cofactors = inertia.cofactors();
    let determinant = inertia.x.dot(cofactors.x);
    let trace = diagonal.x + diagonal.y + diagonal.z;
    if determinant > R::of(LINE) * trace * trace * trace {
        // The inverse of a symmetric matrix is its cofactors over its determinant.
        cofactors.apply(momentum) / determinant
    } else {
        Vec3::ZERO
    }
}

/// The inertia of a mass at r, as (xx, yy, zz), (xy, yz, zx).
#[inline(always)]
pub fn inertia<R: Real>(mass: R, r: Vec3<R>) -> (Vec3<R>, Vec3<R>) {
    let square = r.dot(r);
    let diagonal = Vec3::new(square - r.x * r.x, square - r.y * r.y, square - r.z * r.z) * mass;
    (diagonal, Vec3::new(r.x * r.y, r.y * r.z, r.z * r.x) * -mass)
}

/// r (r·v)/r²: what of v points along r; nothing at the centre.
#[inline(always)]
pub fn radial<R: Real>(r: Vec3<R>, v: Vec3<R>) -> Vec3<R> {
    let square = r.dot(r);
    if square > R::ZERO { r * (r.dot(v) / square) } else { Vec3::ZERO }
}
