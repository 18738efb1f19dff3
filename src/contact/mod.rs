//! Contact: what touches what, and the shapes that bodies may not enter.

pub mod ball_push;
pub mod carry;
pub mod collide;
pub mod colliders;
pub mod distance_field;
pub(crate) mod triangle_tree;

use crate::compute::Kernel;

/// The kernels of this family.
pub static KERNELS: &[&Kernel] = &[&ball_push::KERNEL, &carry::KERNEL, &collide::KERNEL];
