//! A step taken apart: pass by pass, timed, and iteration by iteration.

use super::{Simulation, SimulationError, vectors};
use crate::compute::{Access, ColumnId, Kernel, Run};
use crate::solver::Stage;
use glam::DVec3;
use std::ops::Range;

/// The bindings through which constraints see the way that particles go in a substep.
const OFFSETS: [&str; 2] = ["offsets", "offsets_next"];

impl Simulation {
    /// Runs one pass of the solver's list. The caller runs all passes of a step in order and then calls
    /// [`Simulation::count_step`]; nothing else makes sense of the state in between.
    pub fn run_pass(&mut self, pass: usize) -> Result<(), SimulationError> {
        self.run_passes(pass..pass + 1)
    }

    fn run_passes(&mut self, passes: Range<usize>) -> Result<(), SimulationError> {
        Ok(self.executor.execute(&[Run { passes, times: 1 }])?)
    }

    /// Ends a step whose passes were run one by one.
    pub fn count_step(&mut self) -> Result<(), SimulationError> {
        let status = self.status()?;
        self.epoch.solver.buffers.check_room(&status)?;
        self.steps += 1;
        self.look(&status)
    }

    /// Takes a step by running its passes in some way, again if a list was too short.
    fn step_by<T>(
        &mut self,
        run: impl FnMut(&mut Self) -> Result<T, SimulationError>,
    ) -> Result<T, SimulationError> {
        let (value, status) = self.transact(run)?;
        self.steps += 1;
        self.look(&status)?;
        Ok(value)
    }

    /// Where particles are after a pass of a substep, in the model's numbering [m]: their positions and, once they have
    /// been predicted, the way they go in it.
    pub fn positions_after(&mut self, pass: usize) -> Result<Vec<DVec3>, SimulationError> {
        let mut x = self.model_positions()?;
        if pass < self.epoch.solver.section(Stage::Finish).start
            && let Some(offsets) = (0..=pass).rev().find_map(|index| self.offsets_of(index))
        {
            let offsets = vectors(&self.executor.read(offsets)?);
            x.iter_mut().zip(offsets).for_each(|(x, offset)| *x += offset);
        }
        Ok(x)
    }

    /// The buffer in which a pass leaves offsets, if it does.
    fn offsets_of(&self, pass: usize) -> Option<ColumnId> {
        let pass = &self.epoch.solver.passes.list[pass];
        let written = |name: &str| {
            let bindings = pass.kernel.bindings.iter();
            let place = bindings
                .zip(&pass.buffers)
                .find(|(binding, _)| binding.name == name && binding.access == Access::Write);
            place.map(|(_, id)| *id)
        };
        written(OFFSETS[1]).or_else(|| written(OFFSETS[0]))
    }

    /// Advances by one step and returns the time of each kernel in it [ms], in the order of their first pass.
    pub fn profile_step(&mut self) -> Result<Vec<(&'static str, f64)>, SimulationError> {
        self.step_by(Self::profile_passes)
    }

    fn profile_passes(&mut self) -> Result<Vec<(&'static str, f64)>, SimulationError> {
        let mut times: Vec<(&'static str, f64)> = Vec::new();
        let runs = self.epoch.solver.step.clone();
        for range in runs.into_iter().flat_map(|run| (0..run.times).map(move |_| run.passes.clone())) {
            let measured = self.executor.profile(range.clone())?;
            for (pass, time) in self.epoch.solver.passes.list[range].iter().zip(measured) {
                let (name, milliseconds) = (pass.kernel.name, 1e3 * time.as_secs_f64());
                match times.iter_mut().find(|(other, _)| *other == name) {
                    Some((_, sum)) => *sum += milliseconds,
                    None => times.push((name, milliseconds)),
                }
            }
        }
        Ok(times)
    }

    /// Advances by one step and shows the way that particles go in its last substep, in the model's numbering [m]: as it is
    /// predicted, and after each iteration. If a list was too short, shows all of them again.
    pub fn visit_iterates(&mut self, mut visit: impl FnMut(Vec<DVec3>)) -> Result<(), SimulationError> {
        self.step_by(|simulation| simulation.visit_passes(&mut visit))
    }

    fn visit_passes(&mut self, visit: &mut impl FnMut(Vec<DVec3>)) -> Result<(), SimulationError> {
        let substep = self.run_all_but_last_substep()?;
        let predicted = self.epoch.solver.section(Stage::Predict).end;
        let ends: Vec<usize> = [predicted].into_iter().chain(self.epoch.solver.iteration_ends()).collect();
        let mut done = substep.start;
        for end in ends {
            self.run_passes(done..end)?;
            done = end;
            visit(self.offsets_before(end)?);
        }
        self.run_passes(done..substep.end)?;
        self.run_passes(self.epoch.solver.end_of_step())
    }

    /// Runs the substeps of a step before its last one, and returns the passes of that.
    fn run_all_but_last_substep(&mut self) -> Result<Range<usize>, SimulationError> {
        let substep = self.epoch.solver.substep();
        for _ in 1..self.epoch.solver.substeps() {
            self.run_passes(substep.clone())?;
        }
        Ok(substep)
    }

    /// The displacements of a substep as they are before a pass [m]; empty before they are predicted.
    fn offsets_before(&mut self, pass: usize) -> Result<Vec<DVec3>, SimulationError> {
        match (0..pass).rev().find_map(|index| self.offsets_of(index)) {
            Some(offsets) => Ok(vectors(&self.executor.read(offsets)?)),
            None => Ok(Vec::new()),
        }
    }

    /// Advances by one step and keeps what its last iteration did: [`Simulation::constraint_errors`] and, if they are
    /// wanted, [`Simulation::contacts`], which cost a few copies of the state from the device.
    pub fn watched_step(&mut self, contacts: bool) -> Result<(), SimulationError> {
        self.step_by(|simulation| simulation.watched_passes(contacts))
    }

    fn watched_passes(&mut self, contacts: bool) -> Result<(), SimulationError> {
        let substep = self.run_all_but_last_substep()?;
        let mut ends = self.epoch.solver.iteration_ends().rev();
        let (last, before_last) = (ends.next(), ends.next());
        let predicted = self.epoch.solver.section(Stage::Predict).end;
        let start = before_last.unwrap_or(predicted);
        let last = last.unwrap_or(predicted);
        drop(ends);
        self.run_passes(substep.start..start)?;
        let before = self.keep_offsets(start, 0)?;
        let mut pushes = vec![DVec3::ZERO; self.epoch.model.particle_count()];
        let mut done = start;
        for pass in (start..last).filter(|_| contacts) {
            let kernel: &Kernel = self.epoch.solver.passes.list[pass].kernel;
            if !kernel.path.starts_with("contact/") || self.offsets_of(pass).is_none() {
                continue;
            }
            self.run_passes(done..pass)?;
            let free = self.offsets_before(pass)?;
            self.run_passes(pass..pass + 1)?;
            done = pass + 1;
            let pushed = self.offsets_before(done)?;
            pushes.iter_mut().zip(pushed).zip(free).for_each(|((push, a), b)| *push += a - b);
        }
        self.run_passes(done..last)?;
        let after = self.keep_offsets(last, 1)?;
        self.inspected.errors = before.iter().zip(&after).map(|(a, b)| a.distance(*b)).collect();
        self.inspected.contacts = (0..).zip(pushes).filter(|(_, push)| *push != DVec3::ZERO).collect();
        self.run_passes(last..substep.end)?;
        self.run_passes(self.epoch.solver.end_of_step())
    }

    /// Keeps the displacements of a substep as they are before a pass: on the device if the state lives there, otherwise it is
    /// returned.
    fn keep_offsets(&mut self, pass: usize, place: usize) -> Result<Vec<DVec3>, SimulationError> {
        let offsets = (0..pass).rev().find_map(|index| self.offsets_of(index));
        if let (Some(offsets), Some(gpu)) = (offsets, self.executor.gpu_mut()) {
            gpu.copy(offsets, &mut self.inspected.offsets[place]);
            return Ok(Vec::new());
        }
        self.offsets_before(pass)
    }

    /// How far the last iteration of the last [`Simulation::watched_step`] still moved each particle, in the model's
    /// numbering [m]; zeros before there was one.
    pub fn constraint_errors(&mut self) -> Result<Vec<f64>, SimulationError> {
        let mut errors = self.inspected.errors.clone();
        if let (Some(iterates), Some(gpu)) = (self.inspected.iterates(), self.executor.gpu_mut()) {
            let [before, after] = [gpu.read_copy(&iterates[0])?, gpu.read_copy(&iterates[1])?];
            let distance = |(a, b): (&[f32; 4], &[f32; 4])| {
                (0..3).map(|k| f64::from(a[k] - b[k]).powi(2)).sum::<f64>().sqrt()
            };
            errors = before.iter().zip(&after).map(distance).collect();
        }
        errors.resize(self.epoch.model.particle_count(), 0.0);
        Ok(errors)
    }

    /// The particles that touched something in the last iteration of the last [`Simulation::watched_step`], by the model's
    /// numbers, and how far they were pushed out [m].
    pub fn contacts(&self) -> &[(u32, DVec3)] {
        &self.inspected.contacts
    }
}

/// What the last iteration of a watched step did.
#[derive(Default)]
pub(super) struct Inspected {
    errors: Vec<f64>,
    /// What [`DeviceState::iterates`](super::DeviceState::iterates) are.
    offsets: [Option<wgpu::Buffer>; 2],
    contacts: Vec<(u32, DVec3)>,
}

impl Inspected {
    /// Both iterates, if they are on a device.
    pub fn iterates(&self) -> Option<[wgpu::Buffer; 2]> {
        let [before, after] = &self.offsets;
        Some([before.clone()?, after.clone()?])
    }
}
