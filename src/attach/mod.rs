//! What joins bodies: attachments and seams, solved after everything else of an iteration and on their own.

pub mod anchor;
mod setup;
pub mod tie;

pub use setup::Family;

use crate::compute::Kernel;

/// The kernels of this family.
pub static KERNELS: &[&Kernel] = &[&anchor::KERNEL, &tie::KERNEL];
