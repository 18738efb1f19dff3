//! The law of a contact: a spring that keeps two surfaces their thickness apart, with dry friction.
//!
//!   C = g + n · Σ aₖ oₖ           Δλ = −(C + α̃ λ) / (w + α̃)        λ ≥ 0        w = Σ aₖ² Wₖ        α̃ = w/κ
//!   u = (1 − n nᵀ) Σ aₖ oₖ        Δτ = −u / w                        |τ| ≤ μₛ λ, else |τ| = μₖ λ
//!
//! n, a and g are those of the nearest points at the start of the substep: the side on which they are is known there, and the guard
//! keeps the pair there. W is the inverse of the share of a particle's mass that a contact is given, |a| / Σ |a| over those that take part at it, so that
//! all act at once and momentum is kept (after Macklin, Müller, Chentanez, Kim 2014).
//!
//! The stiffness is finite so that the gap remembers the force: a substep begins with λ₀ = −g/α̃, which is what the spring already carries. A stack
//! at rest then has nothing left to iterate, and sinks by 4 N g dt²/κ in its lowest layer of N, as a stack of springs does, however
//! few the iterations. (From λ₀ = 0 every substep begins in free fall, and ten layers of cloth sink by half their thickness.)
//! Friction begins with what it held in the last substep, so that what sticks does not creep. Iterations are needed for what changes; a column of layers stays calm up to κ ≈ 8 for each of them.
//!
//! Surfaces with a `compression` E are as soft as that makes them, α̃ = d/(E A dt²), where that is softer: under a pressure p a gap gives way by d p/E.
//!
//! A surface that is too deep for its load comes out with no more than [`RECOVERY`] thicknesses a second.

use crate::math::{Real, Vec3};

/// κ for each iteration of a substep: how stiff contacts are made.
pub const STIFFNESS: f64 = 5.0;
/// How fast a depth that carries no load is taken back, in thicknesses a second [1/s].
pub const RECOVERY: f64 = 30.0;
/// Contacts begin to share the mass of their particles where the gap, now or as predicted, is this share of the thickness.
pub const MARGIN: f64 = 0.1;
/// The share of the distance at the start that two parts of one body keep, if they are nearer than their thickness.
pub const START_SHARE: f64 = 0.9;

/// The impulse of a contact so far: normal and tangential, times dt [kg m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impulse<R> {
    pub normal: R,
    pub tangential: Vec3<R>,
}

/// The impulse that a contact begins a substep with: what its spring carries, and what friction held before as far as it still can.
#[inline(always)]
pub fn begin<R: Real>(n: Vec3<R>, gap: R, tilde: R, held: Vec3<R>, static_mu: R) -> Impulse<R> {
    let normal = R::ZERO.max(-gap / tilde);
    let mut tangential = held - n * n.dot(held);
    let (size, most) = (tangential.length(), static_mu * normal);
    if size > most {
        tangential = tangential * (most / size);
    }
    Impulse { normal, tangential }
}

/// The impulse after one more iteration.
#[inline(always)]
pub fn project<R: Real>(
    before: Impulse<R>,
    (n, gap): (Vec3<R>, R),  // g [m]
    moved: Vec3<R>,          // Σ aₖ oₖ [m]
    [weight, tilde]: [R; 2], // w, α̃ [1/kg]
    way_out: R,              // how far the surfaces may part to take back depth [m]
    [static_mu, kinetic_mu]: [R; 2],
) -> Impulse<R> {
    let along = n.dot(moved);
    let spring = -(gap + along + tilde * before.normal) / (weight + tilde);
    // The nearer of resting on the spring and parting by no more than is allowed.
    let change = least(spring, (way_out - along) / weight);
    let normal = (before.normal + change).max(R::ZERO);
    let mut tangential = before.tangential - (moved - n * along) / weight;
    let size = tangential.length();
    if size > static_mu * normal {
        tangential = tangential * (kinetic_mu * normal / size);
    }
    Impulse { normal, tangential }
}

#[inline(always)]
fn least<R: Real>(a: R, b: R) -> R {
    R::select(b < a, b, a)
}

/// How far a contact takes part in a substep, from 0 for one that stays open to 1 for one that is closed or will be. In between it
/// grows with nearness, so that the shares of the others, and with them their forces, do not jump.
#[inline(always)]
pub fn part<R: Real>(gap: R, along: R, thickness: R) -> R {
    let nearest = gap + least(along, R::ZERO);
    (R::ONE - nearest / (R::of(MARGIN) * thickness)).clamp(R::ZERO, R::ONE)
}
