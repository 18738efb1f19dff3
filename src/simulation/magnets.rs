//! The magnetic field of a running scene.

use super::{Simulation, SimulationError};
use crate::magnets::measure::Placed;
use crate::magnets::sources;
use glam::DVec3;

impl Simulation {
    /// B at points as the scene is now, of all its fields and magnets [T]. Within a magnet that is a ball or a box it is that of the uniformly
    /// magnetised body, elsewhere of its cells.
    pub fn magnetic_field(&mut self, points: &[DVec3]) -> Result<Vec<DVec3>, SimulationError> {
        let (positions, frames) = (self.model_positions()?, self.frames()?);
        let model = &self.epoch.model;
        let placed = Placed::new(model, &positions, &frames);
        let fields = sources::at(model, self.time());
        Ok(points.iter().map(|&x| placed.field(x) + sources::field(&fields, x)).collect())
    }
}
