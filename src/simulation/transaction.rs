//! Steps as transactions: see [`crate::compute::Transaction`].

use super::{Simulation, SimulationError};
use crate::compute::{ComputeError, Data, Transaction};
use crate::particles::watch;

impl Simulation {
    /// Advances by one step.
    pub fn step(&mut self) -> Result<(), SimulationError> {
        self.advance(1)
    }

    /// Advances by a number of steps, then checks that nothing blew up. Looks at the steps between only where a list may
    /// be too short, or something may break.
    ///
    /// A list that turns out to be too short on the way is made longer and what it spoilt is done again. What broke is cut at the
    /// end of its step, which begins another [`Simulation::epoch`].
    pub fn advance(&mut self, steps: u32) -> Result<(), SimulationError> {
        let mut left = steps;
        while left > 0 {
            let stretch = self.stretch(left);
            let runs = self.epoch.solver.steps(stretch);
            let status = self.transact(|simulation| Ok(simulation.executor.execute(&runs)?))?.1;
            self.steps += u64::from(stretch);
            left -= stretch;
            self.look(&status)?;
        }
        Ok(())
    }

    /// As [`Simulation::advance`], for whoever must not block: on the web the browser drives the device, and elsewhere
    /// [`Gpu::check`](crate::compute::Gpu::check) does. The results are the same, to the bit. Blocks where something is cut.
    pub async fn advance_unblocked(&mut self, steps: u32) -> Result<(), SimulationError> {
        let mut left = steps;
        while left > 0 {
            let stretch = self.stretch(left);
            let runs = self.epoch.solver.steps(stretch);
            let mut transaction = Transaction::begin(self.executor.as_mut(), &self.epoch.solver.buffers)?;
            let status = loop {
                self.executor.submit(&runs)?;
                let status = self.executor.fetch(self.epoch.solver.status).await?;
                let (executor, tables) = (self.executor.as_mut(), &mut self.epoch.solver.buffers);
                let judged = transaction.judge(status, executor, tables);
                if let Some(status) = judged.map_err(|error| self.with_step(error))? {
                    break status;
                }
            };
            self.steps += u64::from(stretch);
            left -= stretch;
            self.look(&status)?;
        }
        Ok(())
    }

    /// Steps that can be done before anybody looks: what a list that is too short has spoilt must not go on to spoil more, what
    /// broke is cut at once, and what goes through what shows from one step to the next only.
    fn stretch(&self, left: u32) -> u32 {
        let solver = &self.epoch.solver;
        let one_by_one = solver.buffers.can_be_short() || !solver.events.is_empty() || self.watcher.is_some();
        if one_by_one { 1 } else { left }
    }

    /// Runs passes until there is room for all that they make, and returns what they returned last, and the status.
    pub(super) fn transact<T>(
        &mut self,
        mut run: impl FnMut(&mut Self) -> Result<T, SimulationError>,
    ) -> Result<(T, Data), SimulationError> {
        let mut transaction = Transaction::begin(self.executor.as_mut(), &self.epoch.solver.buffers)?;
        loop {
            let value = run(self)?;
            let (executor, buffers) = (self.executor.as_mut(), &mut self.epoch.solver.buffers);
            match transaction.end(executor, buffers).map_err(|error| self.with_step(error))? {
                Some(status) => return Ok((value, status)),
                None => continue,
            }
        }
    }

    /// Says in which step a list could not be made.
    fn with_step(&self, error: ComputeError) -> SimulationError {
        match error {
            ComputeError::TooMany { .. } | ComputeError::Restless { .. } => {
                SimulationError::Short { step: self.steps, time: self.time(), source: error }
            }
            other => other.into(),
        }
    }

    /// Ends in an error if the watch has found anything.
    pub(super) fn check_alarms(&self, status: &Data) -> Result<(), SimulationError> {
        let Some(report) = watch::Report::read(status, self.epoch.solver.alarms) else { return Ok(()) };
        let (particle, what) = match (report.lost, report.runaway) {
            (Some(lost), _) => (lost, "became non-finite"),
            (None, runaway) => (runaway.unwrap_or_default(), "ran away"),
        };
        let user = self.epoch.model.order.old_of_new.get(particle as usize).copied().unwrap_or_default();
        let body = self.epoch.model.body_of(particle);
        Err(SimulationError::BlewUp {
            step: self.steps,
            time: self.time(),
            body: body.map_or(String::new(), |body| body.name.clone()),
            particle: user - body.map_or(0, |body| body.particles.start),
            what,
        })
    }

    /// The status as it is now.
    pub(super) fn status(&mut self) -> Result<Data, SimulationError> {
        Ok(self.executor.read(self.epoch.solver.status)?)
    }

    /// Forgets what the watch has found.
    pub(super) fn clear_alarms(&mut self) -> Result<(), SimulationError> {
        let mut status = self.status()?;
        watch::clear(&mut status, self.epoch.solver.alarms);
        Ok(self.executor.write(self.epoch.solver.status, &status)?)
    }
}
