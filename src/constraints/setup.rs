//! From a model's elements to the passes of the constraint solvers.

use super::families::{Builder, Family, LAMBDAS, OFFSETS, POSITIONS};
use super::iterate::{JACOBI, KEEP};
use super::walked::WalkedLinks;
use super::{distance, distance_jacobi, gather, step_jacobi, walk_links, whole};
use crate::compute::{Buffers, ComputeError, Launch, Pass, Passes, Role, Run};
use crate::model::Model;
use crate::model::colouring::ColouringStatistics;
use crate::scene::SolverKind;
use crate::solver::Cores;
use std::ops::Range;

/// What `sinew check` prints of a family.
#[derive(Clone, Debug, PartialEq)]
pub struct FamilyReport {
    pub name: &'static str,
    pub count: u32,
    /// Of the colouring, for the coloured solver.
    pub colours: Option<ColouringStatistics>,
}

/// The constraints of a model, ready to append their passes.
pub struct Constraints {
    families: Vec<Family>,
    /// Links that are not among the families.
    walked: Option<WalkedLinks>,
    solver: SolverKind,
    iterations: u32,
    chebyshev: f64,
    particle_count: u32,
    /// Whether Jacobi has corrections to gather besides those of links.
    gathers: bool,
    /// How many constraints share a particle's mass: all of its own for Jacobi, 1 otherwise.
    pub multiplicities: Vec<f64>,
}

impl Constraints {
    /// Adds the buffers of all families.
    pub fn new(model: &Model, cores: Cores, buffers: &mut Buffers) -> Result<Self, ComputeError> {
        let walks = cores == Cores::Emulated && model.settings.solver == SolverKind::Coloured;
        let walked = if walks { WalkedLinks::new(model, buffers)? } else { None };
        let mut builder = Builder {
            model,
            buffers,
            movable: model.movable(),
            families: Vec::new(),
            corners: Vec::new(),
            multiplicities: vec![0.0; model.particle_count()],
        };
        builder.distance(walked.as_ref())?;
        builder.dihedral()?;
        builder.isometric()?;
        builder.area()?;
        builder.volume()?;
        builder.position_tets()?;
        builder.strain_tets()?;
        builder.attachment()?;
        let gathers = !builder.corners.is_empty();
        let jacobi = model.settings.solver == SolverKind::Jacobi;
        if jacobi {
            builder.gather()?;
        }
        let particle_count = model.particle_count() as u32;
        builder.buffers.real4s("corrections", Role::Scratch, vec![[0.0; 4]; builder.corners.len()])?;
        let multiplicities = match model.settings.solver {
            SolverKind::Jacobi => builder.multiplicities.iter().map(|n| n.max(1.0)).collect(),
            SolverKind::Coloured => vec![1.0; model.particle_count()],
        };
        Ok(Self {
            families: builder.families,
            walked,
            solver: model.settings.solver,
            iterations: model.settings.iterations,
            chebyshev: model.settings.chebyshev,
            particle_count,
            gathers,
            multiplicities,
        })
    }

    /// Appends the iterations of one substep; `after_each` appends what follows every iteration, given its number and the
    /// buffer of the offsets. Returns the buffer that holds the result.
    pub fn iterate(
        &self,
        passes: &mut Passes,
        buffers: &Buffers,
        mut after_each: impl FnMut(&mut Passes, u32, &'static str) -> Result<(), ComputeError>,
    ) -> Result<&'static str, ComputeError> {
        let mut weight = 1.0;
        let mut current = OFFSETS[0];
        for iteration in 0..self.iterations {
            let keep = if iteration + 1 < self.iterations { KEEP } else { 0 };
            weight = chebyshev_weight(self.chebyshev, iteration, weight);
            match self.solver {
                SolverKind::Coloured => self.sweep_colours(passes, buffers, iteration, keep)?,
                SolverKind::Jacobi => {
                    self.jacobi(passes, buffers, iteration, keep, weight)?;
                    current = OFFSETS[(iteration as usize + 1) % 2];
                }
            }
            after_each(passes, iteration, current)?;
        }
        Ok(current)
    }

    fn sweep_colours(
        &self,
        passes: &mut Passes,
        buffers: &Buffers,
        index: u32,
        flags: u32,
    ) -> Result<(), ComputeError> {
        if let Some(walked) = &self.walked {
            walked.sweep(passes, buffers, index, flags)?;
        }
        for family in &self.families {
            for range in &family.ranges {
                let launch = Launch { index, flags, weight: 1.0, ..Launch::range(range) };
                passes.run(buffers, family.kernel, launch)?;
            }
        }
        Ok(())
    }

    fn jacobi(
        &self,
        passes: &mut Passes,
        buffers: &Buffers,
        index: u32,
        keep: u32,
        weight: f64,
    ) -> Result<(), ComputeError> {
        let (from, to) = (index as usize % 2, (index as usize + 1) % 2);
        let (current, next) = (OFFSETS[from], OFFSETS[to]);
        for family in self.families.iter().filter(|family| !std::ptr::eq(family.kernel, &distance::KERNEL)) {
            let range = &family.ranges[0];
            let launch =
                Launch { index, flags: keep | JACOBI, base: family.base, weight, ..Launch::range(range) };
            passes.run_as(buffers, family.kernel, launch, &[("offsets", current)])?;
        }
        let launch = Launch { index, flags: keep, weight, ..Launch::over(self.particle_count) };
        let renamed = [
            ("offsets", current),
            ("offsets_next", next),
            ("distance_lambdas", LAMBDAS[from]),
            ("distance_lambdas_next", LAMBDAS[to]),
        ];
        passes.run_as(buffers, &distance_jacobi::KERNEL, launch, &renamed)?;
        match self.gathers {
            true => passes.run_as(buffers, &gather::KERNEL, launch, &[("offsets_next", next)]),
            false => Ok(()),
        }
    }

    /// Appends passes that do all substeps of a step at once, if there can be any, given those of one substep.
    pub fn append_whole(
        &self,
        passes: &mut Passes,
        buffers: &Buffers,
        substep: &Range<usize>,
        substeps: u32,
    ) -> Result<Option<Run>, ComputeError> {
        if substeps < 2 || self.iterations != 1 {
            return Ok(None);
        }
        match &self.walked {
            Some(walked) if walked.is_closed() => {
                whole::append(passes, substep, &walk_links::KERNEL, |passes, _| {
                    walked.append_substeps(passes, buffers, substeps)
                })
            }
            None if self.solver == SolverKind::Jacobi => {
                whole::append(passes, substep, &distance_jacobi::KERNEL, |passes, ends| {
                    self.append_substeps(passes, buffers, ends, substeps)
                })
            }
            _ => Ok(None),
        }
    }

    /// Appends the substeps of a step of Jacobi.
    fn append_substeps(
        &self,
        passes: &mut Passes,
        buffers: &Buffers,
        [begin, end]: &[Pass; 2],
        substeps: u32,
    ) -> Result<(), ComputeError> {
        let launch = Launch { weight: 1.0, ..Launch::over(self.particle_count) };
        let mut left = substeps;
        while left > 0 {
            // An odd number: with the last one's `finish`, positions end where they have begun.
            let count = if left.is_multiple_of(2) { 1 } else { left };
            passes.list.push(begin.clone());
            for k in 0..count as usize {
                let [now, next] = [k % 2, (k + 1) % 2];
                let offsets = [("offsets", OFFSETS[now]), ("offsets_next", OFFSETS[next])];
                if k + 1 == count as usize {
                    passes.run_as(buffers, &distance_jacobi::KERNEL, launch, &offsets)?;
                } else {
                    let positions = [("positions", POSITIONS[now]), ("positions_next", POSITIONS[next])];
                    let renamed = [offsets, positions].concat();
                    passes.run_as(buffers, &step_jacobi::KERNEL, launch, &renamed)?;
                }
            }
            let finish = Launch { index: count - 1, ..end.launch };
            passes.run_as(buffers, end.kernel, finish, &[("offsets", OFFSETS[1])])?;
            left -= count;
        }
        Ok(())
    }

    /// Counts and colours of each family.
    pub fn report(&self) -> Vec<FamilyReport> {
        let walked = self.walked.iter().map(|walked| FamilyReport {
            name: "distance",
            count: walked.count,
            colours: None,
        });
        let families = self.families.iter().map(|family| FamilyReport {
            name: family.name,
            count: family.ranges.iter().map(|range| range.end - range.start).sum(),
            colours: family.statistics,
        });
        walked.chain(families).collect()
    }
}

/// ω of Chebyshev acceleration for an estimated spectral radius ρ: 1, 2/(2 − ρ²), then 4/(4 − ρ² ω).
fn chebyshev_weight(rho: f64, iteration: u32, before: f64) -> f64 {
    match iteration {
        _ if rho == 0.0 => 1.0,
        0 => 1.0,
        1 => 2.0 / (2.0 - rho * rho),
        _ => 4.0 / (4.0 - rho * rho * before),
    }
}
