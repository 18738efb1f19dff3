//! sinew: a compute solver for things that bend, stretch, drape, knot, break and attract.
//!
//! A [`scene::Scene`] is what the user wrote. A model is the scene prepared, a state is everything that
//! changes while it runs, and a solver is the list of passes that advances a state, on the GPU or on the CPU.

pub mod checkpoint;
pub mod cloth;
pub mod compute;
pub mod constraints;
pub mod contact;
pub mod export;
pub mod integrate;
pub mod math;
pub mod meshing;
pub mod model;
pub mod nets;
pub mod particles;
pub mod primitives;
pub mod render;
pub mod rods;
pub mod scene;
pub mod scenes;
mod simulation;
pub mod solids;
pub mod solver;
#[cfg(feature = "viewer")]
pub mod viewer;

pub use simulation::{Backend, DeviceState, Options, Place, Precision, Simulation, SimulationError};

/// Every kernel of the library, family by family.
pub fn kernels() -> impl Iterator<Item = &'static compute::Kernel> {
    let families = [
        particles::KERNELS,
        cloth::KERNELS,
        integrate::KERNELS,
        constraints::KERNELS,
        rods::KERNELS,
        solids::KERNELS,
        nets::KERNELS,
        meshing::KERNELS,
        contact::KERNELS,
        primitives::KERNELS,
    ];
    families.into_iter().flatten().copied()
}
