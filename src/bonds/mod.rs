//! Bonded cells: boxes that move and turn by themselves, joined at their faces by elastic bonds. Wood is made of them, with the cells
//! along the grain.
//!
//!   t = K δ        K = diag(E, 2 G, 2 G)/L        at four points of every face
//!
//! The rigid-body-spring network of Kawai 1978, with a stiffness for each axis of the grain. δ is how far the two cells' copies of a point have
//! parted, along the axes halfway between theirs, so that turning a body costs nothing. The shear modulus counts twice, because cells turn
//! by themselves and the faces along and across a plane of shear share it like springs one after the other; where a body has a single row of
//! cells, it counts 5/6 instead, Timoshenko's factor. The four points are where two-point Gauss integration has them, so
//! that bending and twist of a face have their true stiffness. Poisson's ratio is 0.
//!
//! Bonds are far too stiff for any local solver, which carries news by one cell an iteration, so a substep solves for all cells at once,
//!
//!   (M + dt² K) Δv = dt f(x + o) − M (v − v̂)        o ← o + dt Δv
//!
//! with v̂ as inertia and weight lead: a step of Newton's method for backward Euler. Bonds break and yield ([`bond_force`]); such a solution and what breaks after it
//! are a round, and rounds go on until nothing more breaks ([`bond_decide`]). Unknowns are velocities and angular velocities; the
//! preconditioner of the conjugate gradients is multigrid whose coarse unknowns are rigid motions too ([`crate::integrate::assembled`]). The order
//! is [`cell_pose`], [`bond_force`], [`cell_touch`], [`bond_decide`], [`bond_system`] and [`cell_system`], [`cell_begin`], and [`cell_move`] after the solution.

pub mod bond_decide;
pub mod bond_force;
pub mod bond_system;
pub mod cell_begin;
pub mod cell_move;
pub mod cell_pose;
pub mod cell_show;
pub mod cell_system;
pub mod cell_touch;
mod measure;
mod pattern;
mod setup;

pub use measure::{Breakage, elastic_energy, spin_energy};
pub use setup::{Family, laws};

use crate::compute::Kernel;

/// The kernels of this family.
pub static KERNELS: &[&Kernel] = &[
    &bond_decide::KERNEL,
    &bond_force::KERNEL,
    &bond_system::KERNEL,
    &cell_begin::KERNEL,
    &cell_move::KERNEL,
    &cell_pose::KERNEL,
    &cell_show::KERNEL,
    &cell_system::KERNEL,
    &cell_touch::KERNEL,
];
