//! The state of a simulation, read, put back and kept in files.

use super::epoch::Epoch;
use super::{Simulation, SimulationError, WORLD_START};
use crate::checkpoint::{CheckpointError, Fingerprint, State};
#[cfg(doc)]
use crate::compute::ComputeError;
use crate::compute::Executor;
use crate::scene::Cut;
use std::path::Path;

/// An epoch, and where it runs.
type Begun = (Epoch, Box<dyn Executor>);

impl Simulation {
    /// Reads the present state from the backend and keeps it as [`Simulation::last_state`].
    ///
    /// Costs a copy of the state in host memory, about 100 bytes a particle. A state that blew up is refused.
    pub fn state(&mut self) -> Result<&State, SimulationError> {
        let status = self.status()?;
        self.check_alarms(&status)?;
        let world = self.executor.read(self.epoch.solver.world)?;
        let (buffers, executor) = (&self.epoch.solver.buffers, &mut self.executor);
        let contents = buffers.state().map(|id| buffers.read_live(executor.as_mut(), id));
        let contents = contents.collect::<Result<_, _>>()?;
        let state = State {
            fingerprint: self.fingerprint(),
            journal: self.epoch.model.journal().to_vec(),
            led: self.led.clone(),
            steps: self.steps,
            start: world.reals()[WORLD_START],
            contents,
        };
        Ok(self.last.insert(state))
    }

    /// The state last read by [`Simulation::state`], [`Simulation::save`] or [`Simulation::resume`].
    ///
    /// When a device is lost, what was on it is gone and every call ends in [`ComputeError::DeviceLost`]. This state
    /// survives: make a new simulation of the scene, on the same or another backend, and [`Simulation::restore`] it. It is
    /// as old as the last call, so call one of them as often as work may be lost.
    pub fn last_state(&self) -> Option<&State> {
        self.last.as_ref()
    }

    /// Puts a state back, which must be of the same scene and precision, with whatever had been cut by then.
    pub fn restore(&mut self, state: &State) -> Result<(), SimulationError> {
        let given = "the state given";
        let epoch = self.epoch_of(&state.journal, given)?;
        let fingerprint =
            epoch.as_ref().map_or_else(|| self.fingerprint(), |(epoch, _)| self.fingerprint_of(epoch));
        fingerprint.check(&state.fingerprint, given)?;
        self.put_back(epoch, state)
    }

    /// The epoch of a state with another journal than the present one, as it would start.
    fn epoch_of(&self, journal: &[Cut], origin: &str) -> Result<Option<Begun>, CheckpointError> {
        if journal == self.epoch.model.journal() {
            return Ok(None);
        }
        let other = |error: String| {
            let (origin, differences) = (origin.into(), vec![error]);
            CheckpointError::OtherScene { origin, differences }
        };
        let model = self.epoch.model.with_journal(journal).map_err(|error| other(error.to_string()))?;
        let begun = self.setup.begin(self.epoch.number + 1, model);
        begun.map(Some).map_err(|error| other(error.to_string()))
    }

    fn put_back(&mut self, epoch: Option<Begun>, state: &State) -> Result<(), SimulationError> {
        if let Some((epoch, executor)) = epoch {
            (self.epoch, self.executor) = (epoch, executor);
            (self.inspected, self.handled) = Default::default();
        }
        self.set_start(state.start)?;
        self.put(&state.contents)?;
        self.lead_again(state.led.clone())?;
        self.steps = state.steps;
        Ok(())
    }

    /// Writes the present state as a checkpoint; see [`crate::checkpoint`].
    ///
    /// An older file of that name stays until the new one is complete, also if the state blew up or the device is lost.
    pub fn save(&mut self, path: impl AsRef<Path>) -> Result<(), SimulationError> {
        Ok(self.state()?.save(path)?)
    }

    /// Continues from a checkpoint of this scene. If the file is refused, the present state stays.
    pub fn resume(&mut self, path: impl AsRef<Path>) -> Result<(), SimulationError> {
        let origin = path.as_ref().display().to_string();
        let mut epoch = None;
        let state = State::load_cut(path, |journal| {
            epoch = self.epoch_of(journal, &origin)?;
            Ok(epoch.as_ref().map_or_else(|| self.fingerprint(), |(epoch, _)| self.fingerprint_of(epoch)))
        })?;
        self.put_back(epoch, &state)?;
        self.last = Some(state);
        Ok(())
    }

    /// What a state must be of to belong to this simulation, as it is cut now.
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprint_of(&self.epoch)
    }

    fn fingerprint_of(&self, epoch: &Epoch) -> Fingerprint {
        Fingerprint::new(&epoch.model, &epoch.solver.buffers, self.setup.place.precision())
    }
}
