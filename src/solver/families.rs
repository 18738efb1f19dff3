//! The families of physics, in the order in which they act within a stage.

use crate::compute::Kernel;
use crate::constraints::{attachments, grab};
use crate::frames::load_frames;
use crate::solids::{damping, skin};
use crate::step::Family;
use crate::{
    attach, bonds, cloth, clusters, compute, constraints, contact, frames, integrate, joints, loads, magnets,
    nets, particles, primitives, rigid, rods, solids,
};

/// All families of the library, and the only list of them.
///
/// Particles come first, so that whatever predicts or ends a substep finds it predicted or ended for them; what others
/// contribute to is completed after all have added what they have.
pub static FAMILIES: &[&dyn Family] = &[
    &particles::Family,
    &loads::Family,
    &frames::Family,
    &cloth::coarse::Family,
    &constraints::Family,
    &rods::Family,
    &nets::Family,
    &joints::Family,
    &rigid::Family,
    &bonds::Family,
    &magnets::Family,
    &load_frames::Family,
    &cloth::Family,
    &solids::Family,
    &clusters::Family,
    &attachments::Family,
    &integrate::Integrators,
    &damping::setup::Family,
    &attach::Family,
    &grab::Family,
    &contact::Family,
    &skin::Family,
];

/// The families that a simulation is made of.
#[derive(Clone)]
pub struct Families(Vec<&'static dyn Family>);

impl Families {
    /// Those of the library.
    pub fn standard() -> Self {
        Self(FAMILIES.to_vec())
    }

    /// One more, which acts after all others.
    #[must_use]
    pub fn with(mut self, family: &'static dyn Family) -> Self {
        self.0.push(family);
        self
    }

    pub fn list(&self) -> &[&'static dyn Family] {
        &self.0
    }
}

impl Default for Families {
    fn default() -> Self {
        Self::standard()
    }
}

impl std::fmt::Debug for Families {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.0.iter().map(|family| family.name())).finish()
    }
}

/// Every kernel of the library, family by family.
pub fn kernels() -> impl Iterator<Item = &'static Kernel> {
    let families =
        FAMILIES.iter().map(|family| family.kernels()).chain([primitives::KERNELS, compute::KERNELS]);
    families.flatten().copied()
}
