//! The solvers of constraints between particles: Gauss–Seidel over colours, or Jacobi.

use super::iterate::{JACOBI, KEEP};
use super::laws::{self, LAMBDAS, OFFSETS};
use super::projections::{Projection, Projections};
use super::{KERNELS, distance_jacobi, gather};
use crate::compute::{ComputeError, Kernel, Launch, Role};
use crate::model::Model;
use crate::scene::SolverKind;
use crate::step::{self, FamilyReport, Member, Stage, StageList, Step};

/// Constraints between particles, of whatever family.
pub struct Family;

impl step::Family for Family {
    fn name(&self) -> &'static str {
        "constraints"
    }

    fn kernels(&self) -> &'static [&'static Kernel] {
        KERNELS
    }

    fn add<'m>(&self, model: &'m Model, step: &mut Step<'m>) -> Result<(), ComputeError> {
        laws::add(model, step)
    }

    fn complete<'m>(&self, model: &'m Model, step: &mut Step<'m>) -> Result<(), ComputeError> {
        let Projections { kinds, corners } = step.take_contributions();
        if model.settings.solver == SolverKind::Jacobi {
            add_gather(model, step, &corners)?;
        }
        step.buffers.real4s("corrections", Role::Scratch, vec![[0.0; 4]; corners.len()])?;
        step.join(Constraints {
            kinds,
            solver: model.settings.solver,
            chebyshev: model.settings.chebyshev,
            particle_count: model.particle_count() as u32,
            gathers: !corners.is_empty(),
        });
        Ok(())
    }
}

/// The slots of `corrections` that each particle sums, in the order of kinds and elements.
fn add_gather(model: &Model, step: &mut Step<'_>, corners: &[(u32, u32)]) -> Result<(), ComputeError> {
    let count = model.particle_count();
    let mut starts = vec![0u32; count + 1];
    for (particle, _) in corners {
        starts[*particle as usize + 1] += 1;
    }
    for i in 0..count {
        starts[i + 1] += starts[i];
    }
    let mut next = starts.clone();
    let mut slots = vec![0u32; corners.len()];
    for &(particle, slot) in corners {
        slots[next[particle as usize] as usize] = slot;
        next[particle as usize] += 1;
    }
    step.buffers.uints("gather_starts", Role::Model, starts)?;
    step.buffers.uints("gather_slots", Role::Model, slots)?;
    step.buffers.real4s(OFFSETS[1], Role::Scratch, vec![[0.0; 4]; count]).map(drop)
}

/// The constraints of a model, ready to append their passes.
struct Constraints {
    kinds: Vec<Projection>,
    solver: SolverKind,
    chebyshev: f64,
    particle_count: u32,
    /// Whether Jacobi has corrections to gather besides those of links.
    gathers: bool,
}

impl Member for Constraints {
    fn append(&self, stage: Stage, list: &mut StageList<'_>) -> Result<(), ComputeError> {
        let Stage::Project { iteration, last } = stage else { return Ok(()) };
        let keep = if last { 0 } else { KEEP };
        match self.solver {
            SolverKind::Coloured => self.sweep_colours(list, iteration, keep),
            SolverKind::Jacobi => self.jacobi(list, iteration, keep),
        }
    }

    fn report(&self) -> Vec<FamilyReport> {
        let report = |kind: &Projection| FamilyReport {
            name: kind.name,
            count: kind.ranges.iter().map(|range| range.end - range.start).sum(),
            colours: kind.statistics,
        };
        self.kinds.iter().map(report).collect()
    }
}

impl Constraints {
    fn sweep_colours(&self, list: &mut StageList<'_>, index: u32, flags: u32) -> Result<(), ComputeError> {
        for kind in &self.kinds {
            for range in &kind.ranges {
                let launch = Launch { index, flags, weight: 1.0, ..Launch::range(range) };
                list.run(kind.kernel, launch)?;
            }
        }
        Ok(())
    }

    fn jacobi(&self, list: &mut StageList<'_>, index: u32, keep: u32) -> Result<(), ComputeError> {
        let weight = chebyshev_weight(self.chebyshev, index);
        let (from, to) = (index as usize % 2, (index as usize + 1) % 2);
        let (current, next) = (OFFSETS[from], OFFSETS[to]);
        for kind in self.kinds.iter().filter(|kind| kind.is_gathered) {
            let range = &kind.ranges[0];
            let launch =
                Launch { index, flags: keep | JACOBI, base: kind.base, weight, ..Launch::range(range) };
            list.passes.run_as(list.buffers, kind.kernel, launch, &[("offsets", current)])?;
        }
        let launch = Launch { index, flags: keep, weight, ..Launch::over(self.particle_count) };
        let renamed = [
            ("offsets", current),
            ("offsets_next", next),
            ("distance_lambdas", LAMBDAS[from]),
            ("distance_lambdas_next", LAMBDAS[to]),
        ];
        list.passes.run_as(list.buffers, &distance_jacobi::KERNEL, launch, &renamed)?;
        if self.gathers {
            list.passes.run_as(list.buffers, &gather::KERNEL, launch, &[("offsets_next", next)])?;
        }
        *list.offsets = next;
        Ok(())
    }
}

/// ω of Chebyshev acceleration for an estimated spectral radius ρ: 1, 2/(2 − ρ²), then 4/(4 − ρ² ω).
fn chebyshev_weight(rho: f64, iteration: u32) -> f64 {
    if rho == 0.0 {
        return 1.0;
    }
    (1..=iteration).fold(1.0, |before, k| match k {
        1 => 2.0 / (2.0 - rho * rho),
        _ => 4.0 / (4.0 - rho * rho * before),
    })
}
