//! Constraints between particles, projected by extended position-based dynamics.

pub mod area;
pub mod attachment;
pub mod dihedral;
pub mod distance;
pub mod distance_jacobi;
pub mod gather;
pub mod grab;
pub mod isometric;
pub mod iterate;
pub mod setup;
mod slices;
pub mod volume;

use crate::compute::Kernel;

/// The kernels of this family.
pub static KERNELS: &[&Kernel] = &[
    &area::KERNEL,
    &attachment::KERNEL,
    &dihedral::KERNEL,
    &distance::KERNEL,
    &distance_jacobi::KERNEL,
    &gather::KERNEL,
    &grab::KERNEL,
    &isometric::KERNEL,
    &volume::KERNEL,
];
