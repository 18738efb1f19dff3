//! Sheets as finite elements: membrane and bending forces and their integration.
//!
//! [`crate::integrate`] makes motion of the forces. Strain limits come last in a substep and bring triangles that have gone
//! too far back. Contacts then find in the next substep what limits have pushed into them, not the other way round: a limit
//! holds in every frame.

pub mod coarse;
pub mod edge_limit;
pub mod fit;
pub mod fold;
pub mod fold_change;
pub mod fold_energy;
pub mod green;
pub mod grid_bending;
pub mod hinges;
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
pub(crate) mod links;
pub mod membrane;
pub mod membrane_change;
pub mod membrane_energy;
pub mod setup;
pub mod sheet_law;
pub mod sheets;
pub mod strain_limit;
pub mod strain_rate;
pub mod stretch;
pub mod tethers;

pub use setup::Family;

use crate::compute::Kernel;

/// The kernels of this family.
pub static KERNELS: &[&Kernel] = &[
    &edge_limit::KERNEL,
    &fold::KERNEL,
    &fold_change::KERNEL,
    &fold_energy::KERNEL,
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
    &membrane_energy::KERNEL,
    &strain_limit::KERNEL,
    &strain_rate::KERNEL,
];
