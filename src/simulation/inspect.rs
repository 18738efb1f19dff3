//! A step taken apart: pass by pass, timed, and iteration by iteration.

use super::{Simulation, SimulationError, vectors};
use crate::compute::{Access, BufferId, Kernel, Run};
use crate::constraints::grab;
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
        self.steps += 1;
        self.check_watch()
    }

    /// Where particles are after a pass of a substep, in the model's numbering [m]: their positions and, once they have
    /// been predicted, the way they go in it.
    pub fn positions_after(&mut self, pass: usize) -> Result<Vec<DVec3>, SimulationError> {
        let mut x = self.model_positions()?;
        let list = &self.solver.passes.list;
        let is_finish = |index: usize| std::ptr::eq(list[index].kernel, &crate::particles::finish::KERNEL);
        if self.solver.substep.contains(&pass)
            && !(0..=pass).any(is_finish)
            && let Some(offsets) = (0..=pass).rev().find_map(|index| self.offsets_of(index))
        {
            let offsets = vectors(&self.executor.read(offsets)?);
            x.iter_mut().zip(offsets).for_each(|(x, offset)| *x += offset);
        }
        Ok(x)
    }

    /// The buffer in which a pass leaves offsets, if it does.
    fn offsets_of(&self, pass: usize) -> Option<BufferId> {
        let pass = &self.solver.passes.list[pass];
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
        let mut times: Vec<(&'static str, f64)> = Vec::new();
        let (substep, finish) = (self.solver.substep.clone(), self.solver.finish.clone());
        for range in (0..self.solver.substeps).map(|_| substep.clone()).chain([finish]) {
            let measured = self.executor.profile(range.clone())?;
            for (pass, time) in self.solver.passes.list[range].iter().zip(measured) {
                let (name, milliseconds) = (pass.kernel.name, 1e3 * time.as_secs_f64());
                match times.iter_mut().find(|(other, _)| *other == name) {
                    Some((_, sum)) => *sum += milliseconds,
                    None => times.push((name, milliseconds)),
                }
            }
        }
        self.count_step()?;
        Ok(times)
    }

    /// Advances by one step and returns by how much each iteration of its last substep moved the particles: the root
    /// mean square over all of them [m]. Only an interactive simulation knows where its iterations end.
    pub fn iteration_residuals(&mut self) -> Result<Vec<f64>, SimulationError> {
        let (substep, finish) = (self.solver.substep.clone(), self.solver.finish.clone());
        for _ in 1..self.solver.substeps {
            self.run_passes(substep.clone())?;
        }
        let list = &self.solver.passes.list;
        let is = |index: &usize, kernel: &Kernel| std::ptr::eq(list[*index].kernel, kernel);
        let predicted = substep.clone().find(|index| is(index, &crate::particles::predict::KERNEL));
        let ends: Vec<usize> = substep.clone().filter(|index| is(index, &grab::KERNEL)).collect();
        let mut residuals = Vec::with_capacity(ends.len());
        let mut done = substep.start;
        let mut before: Option<Vec<DVec3>> = None;
        for end in predicted.into_iter().chain(ends) {
            self.run_passes(done..end + 1)?;
            done = end + 1;
            let offsets = self.offsets_of(end).expect("both kernels write offsets");
            let now = vectors(&self.executor.read(offsets)?);
            if let Some(before) = &before {
                let sum: f64 = now.iter().zip(before).map(|(a, b)| a.distance_squared(*b)).sum();
                residuals.push((sum / now.len().max(1) as f64).sqrt());
            }
            before = Some(now);
        }
        self.run_passes(done..substep.end)?;
        self.run_passes(finish)?;
        self.count_step()?;
        Ok(residuals)
    }
}
