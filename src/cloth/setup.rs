//! From a model's sheets to their buffers and passes.

use super::cg_direction::{DONE, ITERATIONS, MOST, TOTAL, UNFINISHED};
use super::limits::{self, Limits};
use super::membrane::{IMPLICIT, WHOLE};
use super::{
    cg_block, cg_direction, cg_finish, cg_product, cg_start, cg_step, cloth_kick, fold, fold_change,
    membrane, membrane_change, midpoint_finish, midpoint_start,
};
use crate::compute::{BufferId, Buffers, ComputeError, Data, Launch, Passes, Role};
use crate::model::Model;
use crate::model::elements::Fold;
use crate::primitives::reduce;
use crate::scene::{ConjugateGradients, Integrator};

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

    /// Of strain limits: the buffer to read, if the scene has any.
    pub fn of_limits(buffers: &Buffers) -> Option<BufferId> {
        buffers.find(limits::COUNTS)
    }

    pub fn read(counts: &Data) -> Self {
        let count = |place: usize| counts.uints().get(place).copied().unwrap_or_default();
        // The last substep is counted when the next one begins.
        let ran_out = count(DONE) == 0 && count(ITERATIONS) > 0;
        let unfinished = count(UNFINISHED) + u32::from(ran_out);
        Self { last: count(ITERATIONS), total: count(TOTAL), most: count(MOST), unfinished }
    }
}

/// The finite-element sheets of a model, ready to append their passes.
pub struct Sheets {
    integrator: Integrator,
    gradients: ConjugateGradients,
    particle_count: u32,
    membrane_count: u32,
    fold_count: u32,
    limits: Option<Limits>,
}

impl Sheets {
    /// Adds the buffers of all sheets; none if there are none.
    pub fn new(model: &Model, buffers: &mut Buffers) -> Result<Self, ComputeError> {
        let (membranes, limits) = Limits::sort(model)?;
        let folds: Vec<Fold> = model.elements.iter().flat_map(|e| e.folds.iter().copied()).collect();
        let sheets = Self {
            integrator: model.settings.integrator,
            gradients: model.settings.conjugate_gradients,
            particle_count: model.particle_count() as u32,
            membrane_count: membranes.len() as u32,
            fold_count: folds.len() as u32,
            limits,
        };
        if sheets.is_empty() {
            return Ok(sheets);
        }
        let corners = membranes.iter().map(|m| {
            let [a, b, c] = m.particles;
            [a, b, c, m.fabric]
        });
        buffers.uint4s("membrane_corners", Role::Model, corners.collect())?;
        let rest = membranes.iter().flat_map(|m| [m.rest(), [0.0; 4]]);
        let role = if sheets.limits.is_some() { Role::State } else { Role::Model };
        buffers.real4s("membrane_rest", role, rest.collect())?;
        let fabrics = model.fabrics.iter().flat_map(|fabric| {
            let law = [f64::from(u8::from(fabric.corotational)), 0.0, 0.0, 0.0];
            [fabric.moduli(), fabric.viscosities(), law]
        });
        buffers.real4s("fabrics", Role::Model, fabrics.collect())?;
        buffers.uint4s("fold_corners", Role::Model, folds.iter().map(|f| f.particles).collect())?;
        let rest = folds.iter().map(|f| [f.stiffness, (0.5 * f.rest_angle).sin(), f.damping, 0.0]);
        buffers.real4s("fold_rest", Role::Model, rest.collect())?;

        let slots: Vec<u32> = membranes
            .iter()
            .flat_map(|m| m.particles)
            .chain(folds.iter().flat_map(|f| f.particles))
            .collect();
        sheets.add_gather(&slots, buffers)?;
        buffers.real4s("corner_forces", Role::Scratch, vec![[0.0; 4]; slots.len()])?;
        let implicit = sheets.integrator != Integrator::Symplectic;
        let blocks = if implicit { 2 * slots.len() } else { 1 };
        buffers.real4s("corner_blocks", Role::Scratch, vec![[0.0; 4]; blocks])?;
        if implicit {
            sheets.add_gradients(buffers)?;
        }
        if let Some(limits) = &sheets.limits {
            limits.add_buffers(model, &membranes, buffers)?;
        }
        Ok(sheets)
    }

    fn is_empty(&self) -> bool {
        self.membrane_count == 0
    }

    /// The corners of each particle, from the particle of each corner.
    fn add_gather(&self, particles: &[u32], buffers: &mut Buffers) -> Result<(), ComputeError> {
        let mut starts = vec![0u32; self.particle_count as usize + 1];
        for &particle in particles {
            starts[particle as usize + 1] += 1;
        }
        for i in 0..self.particle_count as usize {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut slots = vec![0u32; particles.len()];
        for (slot, &particle) in particles.iter().enumerate() {
            slots[next[particle as usize] as usize] = slot as u32;
            next[particle as usize] += 1;
        }
        buffers.uints("cloth_starts", Role::Model, starts)?;
        buffers.uints("cloth_slots", Role::Model, slots).map(drop)
    }

    /// Appends what changes the offsets by the sheets' forces, after `predict` and `pin`.
    pub fn append(&self, passes: &mut Passes, buffers: &mut Buffers) -> Result<(), ComputeError> {
        if self.is_empty() {
            return Ok(());
        }
        match self.integrator {
            Integrator::Symplectic => {
                self.forces(passes, buffers, 0, 0.0)?;
                passes.run(buffers, &cloth_kick::KERNEL, Launch::over(self.particle_count))
            }
            Integrator::Implicit => self.solve(passes, buffers, 1.0),
            Integrator::Midpoint => {
                passes.run(buffers, &midpoint_start::KERNEL, Launch::over(self.particle_count))?;
                self.solve(passes, buffers, 0.5)
            }
        }
    }

    /// Appends the strain limits, after contacts and constraints have left their result in `offsets`.
    pub fn append_limits(
        &self,
        passes: &mut Passes,
        buffers: &mut Buffers,
        offsets: &str,
    ) -> Result<(), ComputeError> {
        match &self.limits {
            Some(limits) if !self.is_empty() => limits.append(passes, buffers, offsets),
            _ => Ok(()),
        }
    }

    /// Appends what follows `finish`.
    pub fn append_after(&self, passes: &mut Passes, buffers: &Buffers) -> Result<(), ComputeError> {
        if self.is_empty() {
            return Ok(());
        }
        if self.integrator == Integrator::Midpoint {
            passes.run(buffers, &midpoint_finish::KERNEL, Launch::over(self.particle_count))?;
        }
        match &self.limits {
            Some(limits) => limits.append_rate(passes, buffers),
            None => Ok(()),
        }
    }

    fn add_gradients(&self, buffers: &mut Buffers) -> Result<(), ComputeError> {
        let vectors = |count: u32| vec![[0.0; 4]; count as usize];
        for name in ["cg_changes", "cg_directions", "cg_products", "cg_residuals", "cg_preconditioned"] {
            buffers.real4s(name, Role::Scratch, vectors(self.particle_count))?;
        }
        buffers.real4s("cg_blocks", Role::Scratch, vectors(2 * self.particle_count))?;
        buffers.uints(COUNTS, Role::State, vec![0; 5]).map(drop)
    }

    /// Appends the solution of (M + τ² K + τ D) Δv = dt (f − τ K v), τ = `share` dt.
    fn solve(&self, passes: &mut Passes, buffers: &mut Buffers, share: f64) -> Result<(), ComputeError> {
        let particles = Launch::over(self.particle_count);
        let base = 3 * self.membrane_count;
        let flags = if self.integrator == Integrator::Midpoint { WHOLE } else { 0 };
        self.forces(passes, buffers, IMPLICIT | flags, share)?;
        passes.run(buffers, &cg_block::KERNEL, particles)?;
        passes.run(buffers, &cg_start::KERNEL, particles)?;
        let remains = ["cg_residuals", "cg_preconditioned"];
        reduce::dot(passes, buffers, remains, self.particle_count, "cg_first")?;
        let mut old = "cg_first";
        for index in 0..self.gradients.iterations {
            let new = ["cg_even", "cg_odd"][index as usize % 2];
            let launch = Launch { flags, weight: share, ..Launch::over(self.membrane_count) };
            passes.run(buffers, &membrane_change::KERNEL, launch)?;
            let launch = Launch { weight: share, base, ..Launch::over(self.fold_count) };
            passes.run(buffers, &fold_change::KERNEL, launch)?;
            passes.run(buffers, &cg_product::KERNEL, particles)?;
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
        let launch = Launch { flags, weight, ..Launch::over(self.membrane_count) };
        passes.run(buffers, &membrane::KERNEL, launch)?;
        let base = 3 * self.membrane_count;
        passes.run(buffers, &fold::KERNEL, Launch { base, flags, weight, ..Launch::over(self.fold_count) })
    }
}
