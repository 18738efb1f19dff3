//! Sheets as finite elements: membrane and bending forces and their integration.
//!
//! Forces come after `predict` and `pin`, which have given every particle an offset: the way it goes in this substep
//! if nothing else acts, and that of its pin if it has one. The sheets change the offsets of their free particles by
//! what their forces do to the velocity. Constraints and contacts follow and work on the same offsets, so that all
//! kinds of bodies and colliders live in one scene.
//!
//! The implicit integrators solve, for the change Δv of the velocity v = (o − r)/dt that the offsets stand for,
//!
//!   (M + τ² K + τ D) Δv = dt (f(x, v) − τ K v)        o ← o + τ Δv
//!
//! with τ = dt (backward Euler) or dt/2 (midpoint). This is the semi-implicit scheme of Thomaszewski 2010 (2.51) in
//! corrected form: gravity, wind and damping have already changed v, and because forces are linear in v, evaluating
//! them there is the same as having these on the right side. Pinned particles have their pin's velocity and no Δv.
//! Strain limits come last in a substep and bring triangles that have gone too far back. Contacts then find in the next
//! substep what limits have pushed into them, not the other way round: a limit holds in every frame.
//!
//! Conjugate gradients run a fixed number of passes which return at once when the solution is good enough.

pub mod cg_block;
pub mod cg_direction;
pub mod cg_finish;
pub mod cg_product;
pub mod cg_start;
pub mod cg_step;
pub mod cloth_kick;
pub mod edge_limit;
pub mod fit;
pub mod fold;
pub mod fold_change;
pub mod green;
pub mod limit_apply;
pub mod limit_count;
pub mod limit_gather;
pub mod limit_impulse;
pub mod limit_mark;
pub mod limit_share;
pub mod limit_split;
pub mod limit_spread;
pub mod limit_stress;
pub mod limit_visit;
pub mod limits;
pub mod membrane;
pub mod membrane_change;
pub mod midpoint_finish;
pub mod midpoint_start;
pub mod setup;
pub mod sheet_law;
pub mod strain_limit;
pub mod strain_rate;
pub mod stretch;

use crate::compute::Kernel;

/// The kernels of this family.
pub static KERNELS: &[&Kernel] = &[
    &cg_block::KERNEL,
    &cg_direction::KERNEL,
    &cg_finish::KERNEL,
    &cg_product::KERNEL,
    &cg_start::KERNEL,
    &cg_step::KERNEL,
    &cloth_kick::KERNEL,
    &edge_limit::KERNEL,
    &fold::KERNEL,
    &fold_change::KERNEL,
    &limit_apply::KERNEL,
    &limit_count::KERNEL,
    &limit_gather::KERNEL,
    &limit_impulse::KERNEL,
    &limit_mark::KERNEL,
    &limit_share::KERNEL,
    &limit_split::KERNEL,
    &limit_spread::KERNEL,
    &limit_stress::KERNEL,
    &limit_visit::KERNEL,
    &membrane::KERNEL,
    &membrane_change::KERNEL,
    &midpoint_finish::KERNEL,
    &midpoint_start::KERNEL,
    &strain_limit::KERNEL,
    &strain_rate::KERNEL,
];
