//! What bonded cells add to the measures of a state.

use super::{Simulation, SimulationError};
use crate::bonds;
use crate::measure::Measures;
use crate::rods::measure::FrameState;
use glam::DVec3;

impl Simulation {
    /// Adds the spins of cells and what their bonds store, for positions in the model's order [m].
    pub(super) fn add_cells(
        &mut self,
        measures: &mut Measures,
        positions: &[DVec3],
        frames: &FrameState,
    ) -> Result<(), SimulationError> {
        let model = &self.epoch.model;
        if model.composites.is_empty() {
            return Ok(());
        }
        let states = match self.epoch.solver.buffers.find("bond_states") {
            Some(states) => self.executor.read(states)?.reals().to_vec(),
            None => Vec::new(),
        };
        measures.add_spins(bonds::spin_energy(model, frames));
        measures.elastic_energy += bonds::elastic_energy(model, positions, frames, &states);
        Ok(())
    }
}
