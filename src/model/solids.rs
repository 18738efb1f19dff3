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

impl SolidLaw {
    /// Whether an inverted tetrahedron goes by a reflection, which sees nothing wrong with it.
    pub fn ignores_inversion(&self) -> bool {
        self.inversion == Inversion::Ignore
    }
}
