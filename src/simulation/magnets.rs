//! The magnetic field of a running scene.

use super::{Simulation, SimulationError};
use crate::magnets::measure::Placed;
use crate::magnets::sources::{self, Records};
use glam::DVec3;

/// The field of all magnets, coils and wires of a scene at a moment.
pub struct Magnetism {
    magnets: Placed,
    fields: Vec<Records>,
}

impl Magnetism {
    /// B at a point [T]. Of magnets that are balls or boxes it is that of the uniformly magnetised body, also within it; of others that of their
    /// cells.
    pub fn field(&self, x: DVec3) -> DVec3 {
        self.magnets.field(x) + sources::field(&self.fields, x)
    }

    /// Whether a point is within a magnet.
    pub fn is_inside(&self, x: DVec3) -> bool {
        self.magnets.is_inside(x) || sources::is_inside(&self.fields, x)
    }

    /// A box around all magnets and what makes fields [m].
    pub fn bounds(&self) -> Option<[DVec3; 2]> {
        let boxes = self.magnets.boxes().chain(self.fields.iter().filter_map(sources::bounds));
        boxes.reduce(|[low, high], [l, h]| [low.min(l), high.max(h)])
    }
}

impl Simulation {
    /// The magnetic field of the scene as it is now.
    pub fn magnetism(&mut self) -> Result<Magnetism, SimulationError> {
        let (positions, frames) = (self.model_positions()?, self.frames()?);
        let model = &self.epoch.model;
        let fields = sources::at(model, self.time());
        Ok(Magnetism { magnets: Placed::new(model, &positions, &frames, &fields), fields })
    }
}
