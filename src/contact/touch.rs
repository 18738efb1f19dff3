//! The law of a contact: a constraint that keeps two surfaces their thickness apart, with dry friction.
//!
//!   C = g + n · Σ aₖ oₖ ≥ 0        Δλ = −(C + α̃ λ) / (Σ aₖ² Wₖ + α̃)        λ ≥ 0        α̃ = α / dt²
//!   u = (1 − n nᵀ) Σ aₖ oₖ         Δτ = −u / Σ aₖ² Wₖ                        |τ| ≤ μₛ λ, else |τ| = μₖ λ
//!
//! n, a and g are those of the nearest points at the start of the substep: the side on which they are is known there, and the guard
//! keeps the pair there. λ and τ are kept over the iterations of one substep. W is the inverse mass of a particle times the number of contacts
//! that are closed at it: each is given its share of the mass, so that all act at once and momentum is kept (Macklin, Müller,
//! Chentanez, Kim 2014). A surface that is deeper than [`RECOVERY`] of the thickness comes out by that much a substep, not with the speed
//! of all its depth.
//!
//! Of an elastic contact E = C²/(2α) is the energy where C < 0, and λ/dt² = −C/α its force.

use crate::math::{Real, Vec3};

/// The depth that is taken back in one substep at most, as a share of the thickness.
pub const RECOVERY: f64 = 0.2;
/// The share of the distance at the start that two parts of one body keep, if they are nearer than their thickness.
pub const START_SHARE: f64 = 0.9;

/// The impulse of a contact so far: normal and tangential, times dt [kg m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impulse<R> {
    pub normal: R,
    pub tangential: Vec3<R>,
}

/// E of a contact that is C apart [J].
#[inline(always)]
pub fn energy<R: Real>(gap: R, compliance: R) -> R {
    let depth = R::ZERO.max(-gap);
    depth * depth / (R::of(2.0) * compliance)
}

/// The impulse after one more iteration.
#[inline(always)]
pub fn project<R: Real>(
    before: Impulse<R>,
    n: Vec3<R>,
    gap: R,         // g [m]
    moved: Vec3<R>, // Σ aₖ oₖ [m]
    weight: R,      // Σ aₖ² Wₖ [1/kg]
    tilde: R,       // α̃ [1/kg]
    [static_mu, kinetic_mu]: [R; 2],
) -> Impulse<R> {
    let along = n.dot(moved);
    let change = -(gap + along + tilde * before.normal) / (weight + tilde);
    let normal = (before.normal + change).max(R::ZERO);
    let mut tangential = before.tangential - (moved - n * along) / weight;
    let size = tangential.length();
    if size > static_mu * normal {
        tangential = tangential * (kinetic_mu * normal / size);
    }
    Impulse { normal, tangential }
}

/// Whether a contact acts: it is closed, or has an impulse to give back.
#[inline(always)]
pub fn acts<R: Real>(normal_impulse: R, gap: R, along: R) -> bool {
    normal_impulse > R::ZERO || gap + along < R::ZERO
}
