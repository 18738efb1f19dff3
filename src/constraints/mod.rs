//! Constraints between particles, projected by extended position-based dynamics.

pub mod area;
pub mod attachment;
pub mod dihedral;
pub mod distance;
pub mod distance_jacobi;
mod families;
pub mod gather;
pub mod grab;
pub mod isometric;
pub mod iterate;
mod jacobi_links;
mod link_walks;
mod link_window;
pub mod setup;
mod slices;
pub mod step_jacobi;
pub mod step_links;
pub mod volume;
pub mod walk_links;
mod walked;
mod whole;

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
    &step_jacobi::KERNEL,
    &step_links::KERNEL,
    &volume::KERNEL,
    &walk_links::KERNEL,
];
