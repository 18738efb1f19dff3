//! From families of elements to the passes that integrate their forces.

use super::cg_direction::{DONE, ITERATIONS, MOST, TOTAL, UNFINISHED};
use super::{
    CHANGE, IMPLICIT, WHOLE, cg_block, cg_direction, cg_finish, cg_product, cg_start, cg_step,
    forward_finish, kick, late_gravity, midpoint_finish, rest,
};
use crate::compute::{BufferId, Buffers, ComputeError, Data, Kernel, Launch, Passes, Role};
use crate::model::Model;
use crate::primitives::reduce;
use crate::scene::{ConjugateGradients, Integrator};

/// Share of the mass in statics.
const STATIC_MASS: f64 = 1e-5;
/// The buffer of the solver's counts.
const COUNTS: &str = "cg_counts";

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
    pub fn of_gradients(buffers: &Buffers) -> Option<BufferId> {
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

/// Elements of one kind, all with the same number of corners.
struct Family {
    /// Leaves forces, and for the implicit integrators blocks, at the corners.
    force: &'static Kernel,
    /// Leaves (τ² K + τ D) p at the corners.
    change: &'static Kernel,
    count: u32,
    /// The first of its corners.
    base: u32,
}

/// All elements whose forces are integrated, ready to append their passes.
pub struct Forces {
    integrator: Integrator,
    gradients: ConjugateGradients,
    particle_count: u32,
    families: Vec<Family>,
    /// The particle of each corner, family by family.
    corners: Vec<u32>,
}

impl Forces {
    pub fn new(model: &Model) -> Self {
        Self {
            integrator: model.settings.integrator,
            gradients: model.settings.conjugate_gradients,
            particle_count: model.particle_count() as u32,
            families: Vec::new(),
            corners: Vec::new(),
        }
    }

    /// Adds a family by the particles of its elements' corners.
    pub fn add<const K: usize>(
        &mut self,
        force: &'static Kernel,
        change: &'static Kernel,
        elements: impl IntoIterator<Item = [u32; K]>,
    ) {
        let base = self.corners.len() as u32;
        self.corners.extend(elements.into_iter().flatten());
        let count = (self.corners.len() as u32 - base) / K as u32;
        self.families.push(Family { force, change, count, base });
    }

    /// Adds the buffers, when all families have been added; none if there are no elements.
    pub fn add_buffers(&self, buffers: &mut Buffers) -> Result<(), ComputeError> {
        if self.is_empty() {
            return Ok(());
        }
        self.add_gather(buffers)?;
        buffers.real4s("corner_forces", Role::Scratch, vec![[0.0; 4]; self.corners.len()])?;
        let implicit = !self.integrator.is_explicit();
        let blocks = if implicit { 2 * self.corners.len() } else { 1 };
        buffers.real4s("corner_blocks", Role::Scratch, vec![[0.0; 4]; blocks])?;
        if implicit {
            self.add_gradients(buffers)?;
        }
        Ok(())
    }

    pub fn is_empty(&self) -> bool {
        self.corners.is_empty()
    }

    /// The corners of each particle, from the particle of each corner.
    fn add_gather(&self, buffers: &mut Buffers) -> Result<(), ComputeError> {
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

    fn add_gradients(&self, buffers: &mut Buffers) -> Result<(), ComputeError> {
        let vectors = |count: u32| vec![[0.0; 4]; count as usize];
        for name in ["cg_changes", "cg_directions", "cg_products", "cg_residuals", "cg_preconditioned"] {
            buffers.real4s(name, Role::Scratch, vectors(self.particle_count))?;
        }
        buffers.real4s("cg_blocks", Role::Scratch, vectors(2 * self.particle_count))?;
        buffers.uints(COUNTS, Role::State, vec![0; 5]).map(drop)
    }

    /// Appends what changes the offsets by the forces, after `predict` and `pin`.
    pub fn append(&self, passes: &mut Passes, buffers: &mut Buffers) -> Result<(), ComputeError> {
        if self.is_empty() {
            return Ok(());
        }
        match self.integrator {
            Integrator::Symplectic => {
                self.forces(passes, buffers, 0, 0.0)?;
                passes.run(buffers, &kick::KERNEL, Launch::over(self.particle_count))
            }
            Integrator::Forward => {
                self.withhold_gravity(passes, buffers, 1.0)?;
                self.forces(passes, buffers, 0, 0.0)
            }
            Integrator::Implicit | Integrator::Static => self.solve(passes, buffers, 1.0),
            Integrator::Midpoint => {
                self.withhold_gravity(passes, buffers, 0.5)?;
                self.solve(passes, buffers, 0.5)
            }
        }
    }

    /// Appends what leaves a share of gravity to [`Forces::append_after`].
    fn withhold_gravity(
        &self,
        passes: &mut Passes,
        buffers: &Buffers,
        weight: f64,
    ) -> Result<(), ComputeError> {
        passes.run(buffers, &late_gravity::KERNEL, Launch { weight, ..Launch::over(self.particle_count) })
    }

    /// Appends what follows `finish`.
    pub fn append_after(&self, passes: &mut Passes, buffers: &Buffers) -> Result<(), ComputeError> {
        let kernel = match self.integrator {
            Integrator::Forward => &forward_finish::KERNEL,
            Integrator::Midpoint => &midpoint_finish::KERNEL,
            Integrator::Static => &rest::KERNEL,
            Integrator::Symplectic | Integrator::Implicit => return Ok(()),
        };
        if self.is_empty() {
            return Ok(());
        }
        passes.run(buffers, kernel, Launch::over(self.particle_count))
    }

    /// Appends the solution of (M + τ² K + τ D) Δv = dt (f − τ K v), τ = `share` dt.
    fn solve(&self, passes: &mut Passes, buffers: &mut Buffers, share: f64) -> Result<(), ComputeError> {
        let particles = Launch::over(self.particle_count);
        let flags = if self.integrator == Integrator::Midpoint { WHOLE } else { 0 };
        self.forces(passes, buffers, IMPLICIT | flags, share)?;
        let (mass, weight) =
            if self.integrator == Integrator::Static { (STATIC_MASS, 1.0) } else { (1.0, 0.0) };
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
                passes.run(buffers, family.change, launch)?;
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

    fn forces(
        &self,
        passes: &mut Passes,
        buffers: &Buffers,
        flags: u32,
        weight: f64,
    ) -> Result<(), ComputeError> {
        for family in &self.families {
            let launch = Launch { flags, weight, base: family.base, ..Launch::over(family.count) };
            passes.run(buffers, family.force, launch)?;
        }
        Ok(())
    }
}
