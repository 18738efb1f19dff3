//! Shape matching: overlapping clusters of particles, each of which pulls its members towards its own shape at rest, moved as
//! they have moved (Müller, Heidelberger, Teschner, Gross 2005).
//!
//! A cluster needs no mesh and no neighbours, and its rest shape can be reached from any state, so bodies recover from whatever
//! was done to them. `cluster_match` finds where every member should be, `cluster_gather` moves particles by the mean of what their
//! clusters ask for.

pub mod cluster_gather;
pub mod cluster_match;
mod fit;
mod regions;
mod setup;

pub use setup::Family;

use crate::compute::Kernel;

/// The kernels of this family.
pub static KERNELS: &[&Kernel] = &[&cluster_gather::KERNEL, &cluster_match::KERNEL];
