//! Sheets as finite elements: membrane and bending forces and their integration.
//!
//! [`crate::integrate`] makes motion of the forces.
//! Strain limits follow the forces and bring triangles that have gone too far back before constraints and contacts act.

pub mod fit;
pub mod fold;
pub mod fold_change;
pub mod green;
pub mod limit_count;
pub mod limit_gather;
pub mod limit_mark;
pub mod limit_share;
pub mod limits;
pub mod membrane;
pub mod membrane_change;
pub mod setup;
pub mod strain_limit;
pub mod stretch;

use crate::compute::Kernel;

/// The kernels of this family.
pub static KERNELS: &[&Kernel] = &[
    &fold::KERNEL,
    &fold_change::KERNEL,
    &limit_count::KERNEL,
    &limit_gather::KERNEL,
    &limit_mark::KERNEL,
    &limit_share::KERNEL,
    &membrane::KERNEL,
    &membrane_change::KERNEL,
    &strain_limit::KERNEL,
];
