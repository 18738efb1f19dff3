//! From families of elements to the passes that integrate their forces.

use super::assembled::Assembled;
use super::cg_direction::{DONE, ITERATIONS, MOST, TOTAL, UNFINISHED};
use super::factors::Kind;
use super::matrix::Stiff;
use super::newton::{Newton, searches};
use super::{
    AGAIN, ASSEMBLED, CHANGE, IMPLICIT, KERNELS, TURNING, WHOLE, cg_block, cg_direction, cg_finish,
    cg_product, cg_start, cg_step, easy, inertia, kick, late_kick, midpoint_finish, postpone, rest, two_step,
    two_step_finish,
};
use crate::compute::{ColumnId, ComputeError, Data, Kernel, Launch, Passes, Role, Tables};
use crate::model::Model;
use crate::primitives::reduce;
use crate::scene::{ConjugateGradients, Integrator, Preconditioner};
use crate::step::{self, Member, Stage, StageList, Step};

/// Share of the mass in statics.
const STATIC_MASS: f64 = 1e-5;
/// The buffer of the solver's counts.
pub(super) const COUNTS: &str = "cg_counts";

/// How many iterations a solver on the device has taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Iterations {
    /// Of the last substep.
    pub last: u32,
    /// Of all substeps.
    pub total: u32,
    /// Most of any substep.
    pub most: u32,
    /// Substeps that ran out of iterations before their result was good enough.
    pub unfinished: u32,
}

impl Iterations {
    /// Of conjugate gradients: the buffer to read, if the scene is integrated implicitly.
    pub fn of_gradients(buffers: &Tables) -> Option<ColumnId> {
        buffers.find(COUNTS)
    }

    pub fn read(counts: &Data) -> Self {
        let count = |place: usize| counts.uints().get(place).copied().unwrap_or_default();
        // The last substep is counted when the next one begins.
        let ran_out = count(DONE) == 0 && count(ITERATIONS) > 0;
        let unfinished = count(UNFINISHED) + u32::from(ran_out);
        Self { last: count(ITERATIONS), total: count(TOTAL), most: count(MOST), unfinished }
    }
}

/// The kernels of elements of one kind.
#[derive(Clone, Copy)]
pub struct Law {
    /// Leaves forces, and for the implicit integrators blocks, at the corners.
    pub force: &'static Kernel,
    /// Leaves (τ² K + τ D) p at the corners.
    pub change: &'static Kernel,
    /// Leaves the difference of energies between the start of a search and its trial at the corners.
    pub energy: Option<&'static Kernel>,
    /// What forces want to be known of the elements' shape: run before them where a step of Newton's method begins, and by the family at
    /// the start of a substep.
    pub shape: Option<&'static Kernel>,
}

/// Elements of one kind, all with the same number of corners.
struct Family {
    law: Law,
    count: u32,
    /// The first of its corners.
    base: u32,
    /// How its factors make the matrix; nothing for forces that do not change with the motion.
    stiff: Option<Stiff>,
}

/// The integrators of forces, of whatever family.
pub struct Integrators;

impl step::Family for Integrators {
    fn name(&self) -> &'static str {
        "integrate"
    }

    fn kernels(&self) -> &'static [&'static Kernel] {
        KERNELS
    }

    fn add<'m>(&self, _: &'m Model, _: &mut Step<'m>) -> Result<(), ComputeError> {
        Ok(())
    }

    fn complete<'m>(&self, model: &'m Model, step: &mut Step<'m>) -> Result<(), ComputeError> {
        let mut forces = Forces {
            integrator: model.settings.integrator,
            gradients: model.settings.conjugate_gradients,
            preconditioner: model.settings.preconditioner,
            newton_steps: model.settings.newton,
            particle_count: model.particle_count() as u32,
            ..step.take_contributions()
        };
        if !forces.is_empty() {
            forces.add_buffers(model, &mut step.buffers)?;
            step.join(forces);
        }
        Ok(())
    }
}

impl Member for Forces {
    fn append(&self, stage: Stage, list: &mut StageList<'_>) -> Result<(), ComputeError> {
        match stage {
            Stage::Integrate => self.integrate(list.passes, list.buffers),
            Stage::Finish => self.finish(list.passes, list.buffers),
            _ => Ok(()),
        }
    }
}

/// All elements whose forces are integrated: families contribute them.
#[derive(Default)]
pub struct Forces {
    integrator: Integrator,
    gradients: ConjugateGradients,
    preconditioner: Preconditioner,
    particle_count: u32,
    families: Vec<Family>,
    /// The particle of each corner, family by family.
    corners: Vec<u32>,
    newton_steps: u32,
    /// Bodies that need no coarser levels.
    easy: Vec<usize>,
    /// The matrix, its levels and how they are used, once all families are here.
    newton: Option<Newton>,
}

impl Forces {
    /// Adds a family by the particles of its elements' corners and by what the factors of each are; none of a force that does not
    /// change with the motion.
    pub fn add<const K: usize>(
        &mut self,
        law: Law,
        elements: impl IntoIterator<Item = [u32; K]>,
        kinds: Vec<Kind>,
    ) {
        let base = self.corners.len() as u32;
        self.corners.extend(elements.into_iter().flatten());
        let corners = &self.corners[base as usize..];
        let count = corners.len() as u32 / K as u32;
        let before = self.families.iter().rev().find_map(|family| family.stiff.as_ref());
        let stiff = kinds.iter().map(|kind| kind.length()).max().map(|stride| Stiff {
            corners: corners.to_vec(),
            corners_each: K as u32,
            stride,
            base: before.map_or(0, |stiff| stiff.base + stiff.stride * stiff.kinds.len() as u32),
            is_mesh: !kinds.contains(&Kind::Fold),
            kinds,
        });
        self.families.push(Family { law, count, base, stiff });
    }

    /// Notes the longest substep at which symplectic integration of a body at rest would be stable [s], for whether it is worth coarser
    /// levels; `stable` is not asked where that does not matter.
    pub fn note_stable_substep(&mut self, model: &Model, body: usize, stable: impl FnOnce() -> Option<f64>) {
        let settings = &model.settings;
        let is_small = model.bodies[body].particles.len() <= easy::MOST_PARTICLES;
        if is_small
            && settings.integrator.solves()
            && settings.preconditioner == Preconditioner::Auto
            && stable().is_some_and(|stable| easy::iterations(settings, stable) <= easy::MOST_ITERATIONS)
        {
            self.easy.push(body);
        }
    }

    /// Adds the buffers, when all families have been added.
    fn add_buffers(&mut self, model: &Model, buffers: &mut Tables) -> Result<(), ComputeError> {
        let implicit = self.integrator.solves();
        let searches = implicit && searches(self.integrator, self.newton_steps);
        if searches {
            self.add_inertia(buffers)?;
        }
        self.add_gather(buffers)?;
        buffers.real4s("corner_forces", Role::Scratch, vec![[0.0; 4]; self.corners.len()])?;
        let mut blocks = if implicit { 2 * self.corners.len() } else { 1 };
        if implicit {
            self.add_gradients(buffers)?;
            if searches || self.preconditioner != Preconditioner::Jacobi {
                let stiff: Vec<Stiff> =
                    self.families.iter().filter_map(|family| family.stiff.clone()).collect();
                let last = stiff.last();
                blocks = last.map_or(1, |last| (last.base + last.stride * last.kinds.len() as u32) as usize);
                let newton = Newton::new(
                    Assembled::new(model, &stiff, &self.easy)?,
                    self.integrator,
                    self.newton_steps,
                );
                newton.add_buffers(buffers, self.particle_count, self.corners.len() as u32)?;
                self.newton = Some(newton);
            }
        }
        buffers.real4s("corner_blocks", Role::Scratch, vec![[0.0; 4]; blocks]).map(drop)
    }

    pub fn particle_count(&self) -> u32 {
        self.particle_count
    }

    /// Inertia as a force on every particle of the elements, which Newton's method wants from its second step on.
    fn add_inertia(&mut self, buffers: &mut Tables) -> Result<(), ComputeError> {
        let mut rows = self.corners.clone();
        rows.sort_unstable();
        rows.dedup();
        buffers.uints("inertial_rows", Role::Model, rows.clone())?;
        let law = Law { force: &inertia::KERNEL, change: &inertia::KERNEL, energy: None, shape: None };
        self.add(law, rows.into_iter().map(|row| [row]), Vec::new());
        Ok(())
    }

    fn is_empty(&self) -> bool {
        self.corners.is_empty()
    }

    /// The corners of each particle, from the particle of each corner.
    fn add_gather(&self, buffers: &mut Tables) -> Result<(), ComputeError> {
        let mut starts = vec![0u32; self.particle_count as usize + 1];
        for &particle in &self.corners {
            starts[particle as usize + 1] += 1;
        }
        for i in 0..self.particle_count as usize {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut slots = vec![0u32; self.corners.len()];
        for (slot, &particle) in self.corners.iter().enumerate() {
            slots[next[particle as usize] as usize] = slot as u32;
            next[particle as usize] += 1;
        }
        buffers.uints("corner_starts", Role::Model, starts)?;
        buffers.uints("corner_slots", Role::Model, slots).map(drop)
    }

    fn add_gradients(&self, buffers: &mut Tables) -> Result<(), ComputeError> {
        let vectors = |count: u32| vec![[0.0; 4]; count as usize];
        for name in ["cg_changes", "cg_directions", "cg_products", "cg_residuals", "cg_preconditioned"] {
            buffers.real4s(name, Role::Scratch, vectors(self.particle_count))?;
        }
        buffers.real4s("cg_blocks", Role::Scratch, vectors(2 * self.particle_count))?;
        buffers.uints(COUNTS, Role::State, vec![0; 5]).map(drop)
    }

    /// Appends what changes the offsets by the forces, after `predict` and `pin`.
    fn integrate(&self, passes: &mut Passes, buffers: &mut Tables) -> Result<(), ComputeError> {
        match self.integrator {
            Integrator::Symplectic => {
                self.evaluate(passes, buffers, 0, 0.0)?;
                passes.run(buffers, &kick::KERNEL, Launch::over(self.particle_count))
            }
            Integrator::Explicit => {
                self.postpone(passes, buffers, 1.0)?;
                self.evaluate(passes, buffers, 0, 0.0)
            }
            Integrator::Implicit | Integrator::Static => self.solve(passes, buffers, 1.0),
            Integrator::Bdf2 => self.solve(passes, buffers, two_step::SHARE),
            Integrator::Midpoint => {
                self.postpone(passes, buffers, 0.5)?;
                self.solve(passes, buffers, 0.5)
            }
        }
    }

    /// Appends what follows the end of a substep.
    fn finish(&self, passes: &mut Passes, buffers: &Tables) -> Result<(), ComputeError> {
        let kernel = match self.integrator {
            Integrator::Explicit => &late_kick::KERNEL,
            Integrator::Midpoint => &midpoint_finish::KERNEL,
            Integrator::Static => &rest::KERNEL,
            Integrator::Bdf2 => &two_step_finish::KERNEL,
            Integrator::Symplectic | Integrator::Implicit => return Ok(()),
        };
        passes.run(buffers, kernel, Launch::over(self.particle_count))
    }

    /// Appends what keeps a share of gravity for after the substep.
    fn postpone(&self, passes: &mut Passes, buffers: &Tables, share: f64) -> Result<(), ComputeError> {
        let launch = Launch { weight: share, ..Launch::over(self.particle_count) };
        passes.run(buffers, &postpone::KERNEL, launch)
    }

    /// Appends the solution of (M + τ² K + τ D) Δv = dt (f − τ K v), τ = `share` dt.
    fn solve(&self, passes: &mut Passes, buffers: &mut Tables, share: f64) -> Result<(), ComputeError> {
        let particles = Launch::over(self.particle_count);
        let flags = match self.integrator {
            Integrator::Midpoint => WHOLE,
            Integrator::Static => TURNING,
            _ => 0,
        };
        if let Some(newton) = &self.newton {
            return newton.append(self, passes, buffers, share, flags);
        }
        let mass = mass_share(self.integrator);
        let weight = if self.integrator == Integrator::Static { 1.0 } else { 0.0 };
        self.evaluate(passes, buffers, IMPLICIT | flags, share)?;
        passes.run(buffers, &cg_block::KERNEL, Launch { weight: mass, ..particles })?;
        passes.run(buffers, &cg_start::KERNEL, Launch { weight, ..particles })?;
        let remains = ["cg_residuals", "cg_preconditioned"];
        reduce::dot(passes, buffers, remains, self.particle_count, "cg_first")?;
        let mut old = "cg_first";
        for index in 0..self.gradients.iterations {
            let new = ["cg_even", "cg_odd"][index as usize % 2];
            for family in &self.families {
                let flags = flags | CHANGE;
                let launch = Launch { flags, weight: share, base: family.base, ..Launch::over(family.count) };
                passes.run(buffers, family.law.change, launch)?;
            }
            passes.run(buffers, &cg_product::KERNEL, Launch { weight: mass, ..particles })?;
            let curvature = ["cg_directions", "cg_products"];
            reduce::dot(passes, buffers, curvature, self.particle_count, "cg_curvature")?;
            let renamed = [("cg_old", old)];
            passes.run_as(buffers, &cg_step::KERNEL, Launch { index, ..particles }, &renamed)?;
            reduce::dot(passes, buffers, remains, self.particle_count, new)?;
            let weight = self.gradients.tolerance * self.gradients.tolerance;
            let renamed = [("cg_old", old), ("cg_new", new)];
            passes.run_as(buffers, &cg_direction::KERNEL, Launch { weight, ..particles }, &renamed)?;
            old = new;
        }
        passes.run(buffers, &cg_finish::KERNEL, Launch { weight: share, ..particles })
    }

    /// Appends the differences of all elements' energies between the start of a search and its trial.
    pub fn energies(&self, passes: &mut Passes, buffers: &Tables) -> Result<(), ComputeError> {
        for family in &self.families {
            if let Some(energy) = family.law.energy {
                let launch = Launch { base: family.base, ..Launch::over(family.count) };
                passes.run(buffers, energy, launch)?;
            }
        }
        Ok(())
    }

    /// Appends the forces of all elements, and what the flags ask for besides.
    pub fn evaluate(
        &self,
        passes: &mut Passes,
        buffers: &Tables,
        flags: u32,
        weight: f64,
    ) -> Result<(), ComputeError> {
        for family in &self.families {
            let mut launch = Launch { flags, weight, base: family.base, ..Launch::over(family.count) };
            if let Some(stiff) = family.stiff.as_ref().filter(|_| flags & ASSEMBLED != 0) {
                (launch.index, launch.first) = (stiff.base, stiff.stride);
            }
            // Later steps of Newton's method begin elsewhere than the substep does.
            let renamed = |kernel: &Kernel| {
                let mut again = vec![("residuals", "newton_starts"), ("offsets", "newton_ends")];
                let has = |name: &str| kernel.bindings.iter().any(|binding| binding.name == name);
                again.retain(|(name, _)| flags & AGAIN != 0 && has(name));
                again
            };
            if let Some(shape) = family.law.shape.filter(|_| flags & AGAIN != 0) {
                passes.run_as(buffers, shape, Launch::over(family.count), &renamed(shape))?;
            }
            passes.run_as(buffers, family.law.force, launch, &renamed(family.law.force))?;
        }
        Ok(())
    }
}

/// The share of the mass in the matrix.
pub fn mass_share(integrator: Integrator) -> f64 {
    if integrator == Integrator::Static { STATIC_MASS } else { 1.0 }
}
