//! How an angular impulse changes the spin of a rigid body within a substep. Twin of `shaders/common/gyration.wgsl`.
//!
//!   T(ξ) = I ξ + (h/2) ξ × I ξ + (h²/4) (ξ·I ξ) ξ        T(ξ + δ) = T*(ξ) + p
//!
//! T is the angular momentum, about the axes that the body has at the start of the substep, of the rotation with the Gibbs vector h ξ/2
//! ([`super::predict_bodies`]). From one substep to the next T* is T with −h: the same momentum about the axes at the end. Within a
//! substep T* is T itself. The unknown is the change δ, so that a slow change keeps its digits; two Newton steps from δ = 0
//! leave an error of order (h ξ)⁷ of free rotation.

use crate::frames::turn;
use crate::math::{Mat3, Real, Vec3};
use glam::DVec3;

/// Newton steps from one substep to the next, and for impulses within a substep, which may be large.
const STEPS: [u32; 2] = [2, 4];

/// ξ after ξ₋ of the substep before, for inverse principal moments [1/(kg m²)] and an impulse [N m s].
#[inline(always)]
pub fn next_spin<R: Real>(before: Vec3<R>, inverse: Vec3<R>, impulse: Vec3<R>, h: R) -> Vec3<R> {
    changed(before, inverse, impulse, [h, R::ONE], STEPS[0])
}

/// ξ whose angular momentum at the end of its substep is that of a spin ω about the same axes: I ω = T*(ξ). A body that is given ω
/// precesses as one that turns at ω, also where it turns far in a substep.
pub fn spin_of(rate: DVec3, moments: DVec3, h: f64) -> DVec3 {
    let momentum = moments * rate;
    let missing = 0.5 * h * rate.cross(momentum) - 0.25 * h * h * rate.dot(momentum) * rate;
    let [rate, inverse, missing] = [rate, moments.recip(), missing].map(|v| Vec3::of(v.to_array()));
    let spin = changed(rate, inverse, missing, [-h, -1.0], STEPS[1]);
    DVec3::new(spin.x, spin.y, spin.z)
}

/// The rotation g of a substep after an impulse about the axes at its start [N m s]; `residual` is the part of g that rounding had kept
/// from the orientation before.
#[inline(always)]
pub fn push_turn<R: Real>(
    g: Vec3<R>,
    residual: Vec3<R>,
    inverse: Vec3<R>,
    impulse: Vec3<R>,
    h: R,
) -> Vec3<R> {
    let rate = R::of(2.0) / h;
    let spin = changed(turn::compose(-residual, g) * rate, inverse, impulse, [h, -R::ONE], STEPS[1]);
    turn::compose(residual, spin / rate)
}

/// The spin with T(ξ) = T*(before) + impulse; `side` is 1 if T* has −h, and −1 if it is T.
#[inline(always)]
fn changed<R: Real>(
    before: Vec3<R>,
    inverse: Vec3<R>,
    impulse: Vec3<R>,
    [h, side]: [R; 2],
    steps: u32,
) -> Vec3<R> {
    // Moments over the largest one: those of a grain of sand are far below what f32 can multiply.
    let least = inverse.x.min(inverse.y).min(inverse.z);
    let i = Vec3::new(least / inverse.x, least / inverse.y, least / inverse.z);
    let (half, quarter) = (R::of(0.5) * h, R::of(0.25) * h * h);
    let momentum = i.scaled(before);
    let (gyration, energy) = (before.cross(momentum) * side, before.dot(momentum));
    let impulse = impulse * least;
    let mut change = Vec3::ZERO;
    for _ in 0..steps {
        let spin = before + change;
        let turned = i.scaled(spin);
        let twice = spin.dot(turned);
        let residual = i.scaled(change)
            + (gyration + spin.cross(turned)) * half
            + (spin * twice - before * energy) * quarter
            - impulse;
        // d/dξ of ξ × Iξ is [ξ]× I − [Iξ]×, of (ξ·Iξ) ξ it is (ξ·Iξ) 1 + 2 ξ (Iξ)ᵀ.
        let gyroscopic = (Mat3::cross(spin).scale_columns(i) - Mat3::cross(turned)).scale(half);
        let diagonal = Mat3::diagonal(i + Vec3::new(twice, twice, twice) * quarter);
        let outer = Mat3::new(spin * turned.x, spin * turned.y, spin * turned.z).scale(quarter + quarter);
        let jacobian = diagonal + gyroscopic + outer;
        let cofactors = jacobian.cofactors();
        change -= cofactors.apply_transposed(residual) / jacobian.x.dot(cofactors.x);
    }
    before + change
}
