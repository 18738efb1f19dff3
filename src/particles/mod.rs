//! Particles: wind, prediction, pins, the end of a substep and the watch over them.

pub mod finish;
pub mod pin;
pub mod predict;
pub mod push;
pub mod second_finish;
pub mod second_order;
pub mod second_predict;
pub mod setup;
pub mod track;
pub mod watch;
pub mod wind;
pub mod wind_segments;
mod world;

pub use setup::Family;
pub use world::{SMALLEST_KEEP, World};

use crate::compute::Kernel;

/// The kernels of this family.
pub static KERNELS: &[&Kernel] = &[
    &finish::KERNEL,
    &pin::KERNEL,
    &predict::KERNEL,
    &push::KERNEL,
    &second_finish::KERNEL,
    &second_predict::KERNEL,
    &watch::KERNEL,
    &wind::KERNEL,
    &wind_segments::KERNEL,
];
