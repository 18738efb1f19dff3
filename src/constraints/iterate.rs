//! What the constraint kernels share: the step of a multiplier, and where its correction goes.
//!
//!   Δλ = −ω (C + α̃ λ) / (Σ Wᵢ |∇ᵢC|² + α̃)        Δxᵢ = wᵢ ∇ᵢC Δλ        α̃ = α / dt²
//!
//! Macklin, Müller, Chentanez 2016, eq. 18, with over-relaxation ω. w is the particle's inverse mass and W the
//! solver's: equal in the coloured solver, n w in Jacobi, where n constraints pull at the particle at once and
//! each is given 1/n of its mass. Corrections use w, so that they conserve momentum whatever W is.
//!
//! λ is kept over the iterations of one substep, with the one before for Chebyshev acceleration:
//!
//!   λ' = υ (λ + Δλ − λ₋) + λ₋        υ = `launch.weight`, 1 in the plain solvers
//!
//! A pass covers the elements `launch.first .. first + count`; `launch.index` is the iteration. An element's
//! number in its pass, counted from 0 at `launch.first`, is what Jacobi counts its slots by. In the coloured
//! solver no two elements of a pass may share a particle.

use crate::compute::{Launch, Shared};
use crate::math::{Real, Vec3, Vec4};

/// The flag of a pass whose multipliers a later one reads.
pub const KEEP: u32 = 1;
/// The flag of a pass that leaves each corner's correction in a slot of its own for `gather`.
pub const JACOBI: u32 = 2;

/// A corner of an element: a particle as the constraints see it during a substep.
#[derive(Clone, Copy, Debug)]
pub struct Corner<R> {
    particle: u32,
    position: Vec4<R>, // xyz [m], w = 1/mass [1/kg]
    offset: Vec4<R>,   // xyz [m], w = the solver's 1/mass
}

impl<R: Real> Corner<R> {
    #[inline(always)]
    pub fn load(positions: &[Vec4<R>], offsets: Shared<'_, Vec4<R>>, particle: u32) -> Self {
        Self { particle, position: positions[particle as usize], offset: offsets.get(particle) }
    }

    /// The way to another corner [m]. Each bracket comes first: both are differences of neighbours.
    #[inline(always)]
    pub fn to(&self, other: &Self) -> Vec3<R> {
        (other.position.xyz() - self.position.xyz()) + (other.offset.xyz() - self.offset.xyz())
    }

    /// The way from a point in space to this corner [m].
    #[inline(always)]
    pub fn relative_to(&self, point: Vec3<R>) -> Vec3<R> {
        (self.position.xyz() - point) + self.offset.xyz()
    }

    /// W, the solver's inverse mass [1/kg].
    #[inline(always)]
    pub fn solver_weight(&self) -> R {
        self.offset.w
    }
}

/// Σ Wᵢ |∇ᵢC|².
#[inline(always)]
pub fn weighted_square<R: Real, const K: usize>(corners: &[Corner<R>; K], gradients: &[Vec3<R>; K]) -> R {
    let mut sum = R::ZERO;
    for (corner, gradient) in corners.iter().zip(gradients) {
        sum += corner.solver_weight() * gradient.dot(*gradient);
    }
    sum
}

/// 1/(Σ Wᵢ |∇ᵢC|² + α̃), or nothing where no corner can move.
#[inline(always)]
pub fn gain<R: Real>(weighted_square: R, tilde: R) -> R {
    R::select(weighted_square > R::ZERO, R::ONE / (weighted_square + tilde), R::ZERO)
}

/// λ of an element and the one before; the first iteration starts from nothing.
#[inline(always)]
pub fn lambdas<R: Real>(launch: &Launch<R>, buffer: Shared<'_, [R; 2]>, k: u32) -> [R; 2] {
    if launch.index > 0 { buffer.get(k) } else { [R::ZERO; 2] }
}

/// As [`lambdas`] for a constraint of three components, whose multipliers are vectors.
#[inline(always)]
pub fn vector_lambdas<R: Real>(launch: &Launch<R>, buffer: Shared<'_, Vec4<R>>, k: u32) -> [Vec3<R>; 2] {
    if launch.index > 0 { [buffer.get(2 * k).xyz(), buffer.get(2 * k + 1).xyz()] } else { [Vec3::ZERO; 2] }
}

/// Stores λ' and λ, if a later pass reads them.
#[inline(always)]
pub fn keep<R: Real>(
    launch: &Launch<R>,
    buffer: Shared<'_, [R; 2]>,
    k: u32,
    [lambda, before]: [R; 2],
    change: R,
) {
    if launch.flags & KEEP != 0 {
        let next = before * (R::ONE - launch.weight) + (lambda + change) * launch.weight;
        buffer.set(k, [next, lambda]);
    }
}

/// As [`keep`] for a constraint of three components.
#[inline(always)]
pub fn keep_vectors<R: Real>(
    launch: &Launch<R>,
    buffer: Shared<'_, Vec4<R>>,
    k: u32,
    [lambda, before]: [Vec3<R>; 2],
    change: Vec3<R>,
) {
    if launch.flags & KEEP != 0 {
        let next = before * (R::ONE - launch.weight) + (lambda + change) * launch.weight;
        buffer.set(2 * k, next.with_w(R::ZERO));
        buffer.set(2 * k + 1, lambda.with_w(R::ZERO));
    }
}

/// Moves the corners of element number `id` of the pass by w ∇C Δλ, or in Jacobi leaves that in their slots.
#[inline(always)]
pub fn apply<R: Real, const K: usize>(
    launch: &Launch<R>,
    id: u32,
    corners: [Corner<R>; K],
    pulls: [Vec3<R>; K], // ∇C Δλ [kg m]
    offsets: Shared<'_, Vec4<R>>,
    corrections: Shared<'_, Vec4<R>>,
) {
    for (c, (corner, pull)) in corners.into_iter().zip(pulls).enumerate() {
        let correction = pull * corner.position.w;
        if launch.flags & JACOBI != 0 {
            corrections.set(launch.base + K as u32 * id + c as u32, correction.with_w(R::ZERO));
        } else {
            offsets.set(corner.particle, (corner.offset.xyz() + correction).with_w(corner.offset.w));
        }
    }
}
