//! Particles: prediction, pins and the end of a substep.

pub mod finish;
pub mod pin;
pub mod predict;
pub mod track;
mod world;

pub use world::World;

use crate::compute::Kernel;

/// The kernels of this family.
pub static KERNELS: &[&Kernel] = &[&finish::KERNEL, &pin::KERNEL, &predict::KERNEL];
