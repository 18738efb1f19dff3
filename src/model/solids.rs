//! What solids are made of.

use crate::scene::{Inversion, SolidMaterial, SolidModel, SpringPenalty};

/// What the tetrahedra of a solid are made of and how they behave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolidLaw {
    pub material: SolidMaterial,
    pub model: SolidModel,
    pub inversion: Inversion,
    /// Penalties of [`SolidModel::Springs`].
    pub penalty: SpringPenalty,
    /// Rayleigh damping of mass and stiffness [1/s, s].
    pub rayleigh: [f64; 2],
}
