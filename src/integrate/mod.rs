//! Forces of finite elements become motion.
//!
//! Families of elements (membranes, folds, tetrahedra) leave the forces on their corners in slots, and every particle
//! gathers its own, always in the same order. This comes after `predict` and `pin`, which have given every particle an
//! offset: the way it goes in this substep if nothing else acts, and that of its pin if it has one. The forces change the
//! offsets of free particles by what they do to the velocity. Constraints and contacts follow and work on the same offsets,
//! so that all kinds of bodies and colliders live in one scene.
//!
//! The implicit integrators solve, for the change Δv of the velocity v = (o − r)/dt that the offsets stand for,
//!
//!   (M + τ² K + τ D) Δv = dt (f(x, v) − τ K v)        o ← o + τ Δv
//!
//! with τ = dt (backward Euler) or dt/2 (midpoint). This is the semi-implicit scheme of Thomaszewski 2010 (2.51) in
//! corrected form: gravity, wind and damping have already changed v, and because forces are linear in v, evaluating
//! them there is the same as having these on the right side. Pinned particles have their pin's velocity and no Δv.
//!
//! Statics asks for the positions where forces and weight balance instead. Each substep is one step of Newton's method,
//!
//!   (κ M + dt² K) Δv = dt (f(x) + m g − dt K v)        o ← o + dt Δv        v ← 0
//!
//! with so little mass κ that it only decides where nothing else does (a body that nothing holds).
//!
//! `bdf2`, and the others if they are asked for more than one step of Newton's method, minimise the incremental potential
//!
//!   Φ(o) = ½ |o − ô|²_M + τ² U(x + o)        τ = dt, of bdf2 ⅔ dt
//!
//! instead, with ô where inertia alone leads. The first step is the one above. Later ones take forces and stiffness where the last one has
//! ended. A search along each step halves it while Φ is higher than where the step begins, at most five times: [`newton`].
//!
//! Conjugate gradients run a fixed number of passes which return at once when the solution is good enough.

pub mod assembled;
pub mod cg_block;
pub mod cg_direction;
pub mod cg_finish;
pub mod cg_product;
pub mod cg_start;
pub mod cg_step;
pub mod drift;
pub mod drift_parts;
pub mod easy;
pub mod factors;
pub mod galerkin;
pub mod galerkin_rigid;
pub mod grid_arms;
pub mod grid_invert;
pub mod grid_prolong;
pub mod grid_restrict;
pub mod grid_scale;
pub mod grid_smooth;
pub mod hierarchy;
pub mod inertia;
pub mod kick;
pub mod late_kick;
pub mod matrix;
pub mod matrix_product;
pub mod midpoint_finish;
pub mod newton;
pub mod newton_start;
pub mod pcg_assemble;
pub mod pcg_decide;
pub mod pcg_direction;
pub mod pcg_dot;
pub mod pcg_prepare;
pub mod pcg_start;
pub mod pcg_step;
pub mod pcg_sum;
pub mod postpone;
pub mod report;
pub mod rest;
pub mod rows;
pub mod search_decide;
pub mod search_merit;
pub mod search_sum;
pub mod search_trial;
pub mod setup;
pub mod tail_invert;
pub mod tail_solve;
pub mod two_step;
pub mod two_step_finish;

pub use report::MatrixReport;
pub use setup::Integrators;

use crate::compute::{Kernel, Launch, Shared};
use crate::math::{Real, Vec3, Vec4};

/// The kernels that are the same for all families.
pub static KERNELS: &[&Kernel] = &[
    &cg_block::KERNEL,
    &cg_direction::KERNEL,
    &cg_finish::KERNEL,
    &cg_product::KERNEL,
    &cg_start::KERNEL,
    &cg_step::KERNEL,
    &drift::KERNEL,
    &drift_parts::KERNEL,
    &galerkin::KERNEL,
    &galerkin_rigid::KERNEL,
    &grid_arms::KERNEL,
    &grid_invert::KERNEL,
    &grid_prolong::KERNEL,
    &grid_restrict::KERNEL,
    &grid_scale::KERNEL,
    &grid_smooth::KERNEL,
    &inertia::KERNEL,
    &kick::KERNEL,
    &late_kick::KERNEL,
    &matrix_product::KERNEL,
    &midpoint_finish::KERNEL,
    &newton_start::KERNEL,
    &pcg_assemble::KERNEL,
    &pcg_decide::KERNEL,
    &pcg_direction::KERNEL,
    &pcg_dot::KERNEL,
    &pcg_prepare::KERNEL,
    &pcg_start::KERNEL,
    &pcg_step::KERNEL,
    &pcg_sum::KERNEL,
    &postpone::KERNEL,
    &rest::KERNEL,
    &search_decide::KERNEL,
    &search_merit::KERNEL,
    &search_sum::KERNEL,
    &search_trial::KERNEL,
    &tail_invert::KERNEL,
    &tail_solve::KERNEL,
    &two_step::KERNEL,
    &two_step_finish::KERNEL,
];

/// The flag of the implicit integrators.
pub const IMPLICIT: u32 = 1;
/// The flag of a stiffness with the whole stress, also where it makes the stiffness indefinite: midpoint, which keeps energy
/// only with the true one.
pub const WHOLE: u32 = 2;

/// The flag of a stiffness that knows how rotations turn with the motion, made positive: statics, whose steps are so large that a frozen
/// rotation leads astray.
pub const TURNING: u32 = 64;

/// The flag of a pass that wants the change of forces and not the forces.
pub const CHANGE: u32 = 4;

/// The flag of a pass that leaves the factors of the matrix, from place `launch.index` on, and not the corners' own blocks.
pub const ASSEMBLED: u32 = 8;

/// The flag of `bdf2`, whose forces count at the end of the substep although τ is two thirds of it.
pub const TWO_STEP: u32 = 16;

/// The flag of a step of Newton's method after the first: `residuals` are the displacements that it has come to, and no change on a way
/// is added.
pub const AGAIN: u32 = 32;

/// The time over which forces of the start change on the way that the offsets stand for, for the implicit integrators [s].
#[inline(always)]
pub fn reach<R: Real>(launch: &Launch<R>) -> R {
    if launch.flags & AGAIN != 0 {
        return R::ZERO;
    }
    R::select(launch.flags & TWO_STEP != 0, launch.dt, launch.weight * launch.dt)
}

/// What τ D of the matrix is multiplied with. `bdf2` takes the velocity of viscous forces from the way of the substep, dt v = o − r.
#[inline(always)]
pub fn damping_share<R: Real>(launch: &Launch<R>) -> R {
    R::select(launch.flags & TWO_STEP != 0, launch.weight, R::ONE)
}

/// Leaves a corner's own 3×3 block (xx, yy, zz), (xy, yz, zx) for the preconditioner.
#[inline(always)]
pub fn store_block<R: Real>(blocks: Shared<'_, Vec4<R>>, corner: u32, [diagonal, off]: [Vec3<R>; 2]) {
    blocks.set(2 * corner, diagonal.with_w(R::ZERO));
    blocks.set(2 * corner + 1, off.with_w(R::ZERO));
}
