//! What a model is made of: a scene, and what was cut of it since.

use super::{Model, ModelError};
use crate::scene::{Checked, Cut};
use std::sync::Arc;

/// The scene of a model, before and after its cuts.
#[derive(Clone, Debug)]
pub struct Source {
    whole: Arc<Checked>,
    now: Arc<Checked>,
    journal: Vec<Cut>,
}

impl Source {
    pub fn new(scene: Checked) -> Self {
        let whole = Arc::new(scene);
        Self { now: whole.clone(), whole, journal: Vec::new() }
    }

    /// With more cuts, each by the numbers that those before it leave.
    pub fn cut(&self, cuts: &[Cut]) -> Result<Self, ModelError> {
        let mut source = self.clone();
        for cut in cuts {
            source.now = Arc::new(source.now.cut(cut)?);
            source.journal.push(cut.clone());
        }
        Ok(source)
    }

    /// As it was before anything was cut.
    pub fn whole(&self) -> Self {
        Self { now: self.whole.clone(), whole: self.whole.clone(), journal: Vec::new() }
    }

    /// The scene with the geometry that the cuts leave.
    pub fn scene(&self) -> &Checked {
        &self.now
    }
}

impl Model {
    /// All cuts since the beginning, in their order.
    pub fn journal(&self) -> &[Cut] {
        &self.source.journal
    }

    /// For each particle the one of an earlier model that its state comes from: itself, or what it is a copy of. Nothing if
    /// the journal of this model does not go on from that one's, or bodies have other particles.
    pub fn particles_from(&self, old: &Self) -> Option<Vec<Option<u32>>> {
        let later = self.journal().strip_prefix(old.journal())?;
        if self.bodies.len() != old.bodies.len() {
            return None;
        }
        let mut rows = vec![None; self.particle_count()];
        for (place, (body, was)) in self.bodies.iter().zip(&old.bodies).enumerate() {
            let mut origins: Vec<u32> = was.particles.clone().collect();
            for copy in later.iter().filter(|cut| cut.body as usize == place).flat_map(|cut| &cut.copies) {
                origins.push(*origins.get(copy.of as usize)?);
            }
            if origins.len() != body.particles.len() {
                return None;
            }
            for (user, origin) in body.particles.clone().zip(origins) {
                let now = self.order.new_of_old[user as usize] as usize;
                rows[now] = Some(old.order.new_of_old[origin as usize]);
            }
        }
        Some(rows)
    }
}
