//! Constraints between particles, projected by extended position-based dynamics.

pub mod distance;
pub mod distance_jacobi;

use crate::compute::Kernel;

/// The kernels of this family.
pub static KERNELS: &[&Kernel] = &[&distance::KERNEL, &distance_jacobi::KERNEL];
