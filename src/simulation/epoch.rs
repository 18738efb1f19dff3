//! Epochs: a model and its solver stay as they are until something breaks or the scene is changed.
//!
//! Kernels mark what is broken, and a marked element stops acting at once. At the end of the step the family says how the
//! model is to be cut; a new model and a new solver take the place of the old ones, and the state goes over row by row.

use super::fields::Read;
use super::{Place, Simulation, SimulationError, WORLD_START};
use crate::compute::{Carry, ComputeError, Data, Executor, Run};
use crate::constraints::grab::Hold;
use crate::contact::ball_push::Sphere;
use crate::contact::verify::Shapes;
use crate::model::Model;
use crate::particles::setup::world;
use crate::solver::{Families, Solver, Stage};
use std::collections::HashMap;

/// A model and its solver, between two changes.
pub(super) struct Epoch {
    pub number: u64,
    pub model: Model,
    pub solver: Solver,
}

/// What epochs are made with.
pub(super) struct Setup {
    pub place: Place,
    pub families: Families,
    /// Whether there is a hand to pull particles with, and a ball.
    pub is_interactive: bool,
}

impl Setup {
    /// Puts a model on the backend, as it starts. Blocks until its pipelines are there.
    pub fn begin(&self, number: u64, model: Model) -> Result<(Epoch, Box<dyn Executor>), ComputeError> {
        pollster::block_on(self.prepare(number, model))
    }

    /// As [`Setup::begin`], for whoever must not block.
    pub async fn prepare(
        &self,
        number: u64,
        model: Model,
    ) -> Result<(Epoch, Box<dyn Executor>), ComputeError> {
        let (families, cores) = (&self.families, self.place.cores());
        let solver = match self.is_interactive {
            true => Solver::interactive(&model, families, cores)?,
            false => Solver::with_families(&model, families, cores)?,
        };
        let executor = self.place.executor(&solver).await?;
        Ok((Epoch { number, model, solver }, executor))
    }
}

/// What somebody who watches holds and pushes, by the numbers of the present model.
#[derive(Default)]
pub(super) struct Handled {
    pub holds: Vec<Hold>,
    pub ball: Option<Sphere>,
}

impl Simulation {
    /// The number of the present epoch. It changes with the model, the solver and the buffers of the state: whoever keeps
    /// anything that was made from those makes it again.
    pub fn epoch(&self) -> u64 {
        self.epoch.number
    }

    /// Asks the families that have marked anything as broken how to cut the model, and goes on with what the cuts leave.
    pub(super) fn cut(&mut self, status: &Data) -> Result<(), SimulationError> {
        let mut events = self.epoch.solver.events.clone();
        events.retain(|event| status.uints()[event.entry as usize] > 0);
        for event in &events {
            let family = self.setup.families.list()[event.family];
            let (tables, executor) = (&self.epoch.solver.buffers, self.executor.as_mut());
            let cuts = family.cut(&self.epoch.model, &mut Read { tables, executor })?;
            if !cuts.is_empty() {
                let model = self.epoch.model.cut(&cuts).map_err(|source| SimulationError::Cut {
                    step: self.steps,
                    time: self.time(),
                    source,
                })?;
                self.go_on_with(model)?;
            }
        }
        if events.is_empty() {
            return Ok(());
        }
        let mut status = self.status()?;
        if let Data::Uints(words) = &mut status {
            self.epoch.solver.events.iter().for_each(|event| words[event.entry as usize] = 0);
        }
        Ok(self.executor.write(self.epoch.solver.status, &status)?)
    }

    /// Begins an epoch with a model that was cut, from the present state.
    fn go_on_with(&mut self, model: Model) -> Result<(), SimulationError> {
        let particles = model.particles_from(&self.epoch.model).expect("cuts keep count of particles");
        let (epoch, executor) = self.setup.begin(self.epoch.number + 1, model)?;
        let old = std::mem::replace(&mut self.epoch, epoch);
        let mut old_executor = std::mem::replace(&mut self.executor, executor);
        self.carry(&old, old_executor.as_mut(), particles.clone())?;
        self.lead_again(self.led.clone())?;
        let start = old_executor.read(old.solver.world)?.reals()[WORLD_START];
        self.set_start(start)?;
        self.inspected = Default::default();
        if let Some(watcher) = &mut self.watcher {
            watcher.follow(Shapes::whole(&self.epoch.model));
        }
        let number = |old: u32| particles.iter().position(|&from| from == Some(old)).map(|row| row as u32);
        let holds = std::mem::take(&mut self.handled.holds);
        let holds: Vec<Hold> = (holds.into_iter())
            .filter_map(|hold| Some(Hold { particle: number(hold.particle)?, ..hold }))
            .collect();
        self.hold(&holds)?;
        self.place_ball(self.handled.ball)
    }

    /// Puts the state of another epoch in the place of the present one. `particles` has the old row of each particle.
    pub(super) fn carry(
        &mut self,
        old: &Epoch,
        executor: &mut dyn Executor,
        particles: Vec<Option<u32>>,
    ) -> Result<(), SimulationError> {
        let tables = &old.solver.buffers;
        let contents = tables.state().map(|id| Ok((id, tables.read_live(executor, id)?)));
        let contents = contents.collect::<Result<HashMap<_, _>, ComputeError>>()?;
        let both = [tables, &self.epoch.solver.buffers];
        let mut carry = Carry::new(tables, both[1], [("particles", particles)]);
        let state = carry.state(both, &contents)?;
        self.put(&state)
    }

    /// Puts a state in place, from what [`crate::compute::Tables::read_live`] gave of each of its columns.
    pub(super) fn put(&mut self, state: &[Data]) -> Result<(), SimulationError> {
        self.epoch.solver.buffers.write_live(self.executor.as_mut(), state)?;
        self.clear_alarms()?;
        Ok(self.executor.execute(&[Run { passes: self.epoch.solver.section(Stage::Draw), times: 1 }])?)
    }

    /// Says what time it was at clock 0 [s].
    pub(super) fn set_start(&mut self, start: f64) -> Result<(), SimulationError> {
        let values = world(&self.epoch.model.settings, start).values();
        Ok(self.executor.write(self.epoch.solver.world, &Data::Reals(values))?)
    }
}
