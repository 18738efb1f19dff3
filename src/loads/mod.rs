//! Loads over time: forces and tractions on particles, the pressure of air and gas on surfaces, and cables that pull.

pub mod act;
mod setup;
pub mod strengthen;
pub mod tension;
pub mod volumes;

pub use setup::Family;

use crate::compute::Kernel;

/// The kernels of this family.
pub static KERNELS: &[&Kernel] = &[&act::KERNEL, &strengthen::KERNEL, &tension::KERNEL, &volumes::KERNEL];
