//! Constraints between particles, projected by extended position-based dynamics.

pub mod area;
pub mod attachment;
pub mod attachments;
pub mod dihedral;
pub mod distance;
pub mod distance_jacobi;
pub mod gather;
pub mod grab;
pub mod isometric;
pub mod iterate;
mod jacobi_links;
mod laws;
pub mod projections;
pub mod setup;
mod slices;
pub mod volume;

pub use setup::Family;

use crate::compute::Kernel;

/// The kernels of this family.
pub static KERNELS: &[&Kernel] = &[
    &area::KERNEL,
    &dihedral::KERNEL,
    &distance::KERNEL,
    &distance_jacobi::KERNEL,
    &gather::KERNEL,
    &isometric::KERNEL,
    &volume::KERNEL,
];
