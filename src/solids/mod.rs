//! Soft solids: tetrahedral finite elements.
//!
//! Linear, co-rotational, neo-Hookean and spring tetrahedra are forces that [`crate::integrate`] makes motion of. In every
//! substep `tet_turn` finds the rotations, `tet_force` the forces, and conjugate gradients ask `tet_change` what a change of
//! velocity would do to them. `tet_position` and `tet_strain` are constraints of [`crate::constraints`]. What has tangled itself
//! is found by [`rings`] and loosened.

pub mod damping;
pub mod elasticity;
pub mod law;
pub mod laws;
pub mod load;
pub mod load_energy;
pub mod measure;
pub(crate) mod prepare;
pub mod ring_winding;
pub mod rings;
pub mod rotation;
pub mod setup;
pub mod skin;
pub mod springs;
pub mod tet_change;
pub mod tet_energy;
pub mod tet_force;
pub mod tet_loosen;
pub mod tet_position;
pub mod tet_strain;
pub mod tet_turn;

pub use setup::Family;

use crate::compute::Kernel;
use law::TetLaw;

/// The laws of tetrahedra. Those that are constraints are projected in this order.
pub static LAWS: &[&TetLaw] = &[
    &elasticity::LINEAR,
    &elasticity::COROTATIONAL,
    &elasticity::NEO_HOOKEAN,
    &springs::LAW,
    &tet_position::LAW,
    &tet_strain::LAW,
];

/// The kernels of this family.
pub static KERNELS: &[&Kernel] = &[
    &load::KERNEL,
    &load_energy::KERNEL,
    &ring_winding::KERNEL,
    &tet_change::KERNEL,
    &tet_energy::KERNEL,
    &tet_force::KERNEL,
    &tet_loosen::KERNEL,
    &tet_position::KERNEL,
    &tet_strain::KERNEL,
    &tet_turn::KERNEL,
];
