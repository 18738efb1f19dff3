//! Whether statics has found the balance of forces.
//!
//! The forces of the present state are evaluated once more on the host, in f64, in a step so short that nothing moves. What is left of them and of
//! weight on any free particle is compared with the most that pulls at one.

use super::reactions::take_state;
use super::{Simulation, SimulationError};
use crate::compute::{CpuExecutor, Executor, Order, Run};
use crate::model::Model;
use crate::scene::{Integrator, SolidModel};
use crate::solver::{Cores, Solver, Stage};
use glam::DVec3;

/// A step in which velocities and weight move nothing [s].
const MOMENT: f64 = 1e-9;
/// Strain that counts as none: f32 does not know less [1].
const NO_STRAIN: f64 = 1e-6;
/// The most that may be left of the largest pull.
const BALANCED: f64 = 1e-2;

/// What is left of the forces on free particles.
#[derive(Clone, Debug, PartialEq)]
pub struct Imbalance {
    /// The body of the particle that has most.
    pub body: String,
    /// On that particle [N].
    pub force: f64,
    /// The largest sum of the pulls at any particle, without their directions [N].
    pub pull: f64,
}

impl Imbalance {
    /// The part of the pulls that nothing balances.
    pub fn share(&self) -> f64 {
        if self.pull > 0.0 { self.force / self.pull } else { 0.0 }
    }

    /// Whether the rest is small.
    pub fn is_balanced(&self) -> bool {
        self.share() <= BALANCED
    }
}

impl Simulation {
    /// What is left of the forces on free particles of a scene with `integrator = "static"`; nothing for other scenes, and where
    /// wind, colliders or contact push too.
    pub fn imbalance(&mut self) -> Result<Option<Imbalance>, SimulationError> {
        if !is_told_by_forces(&self.epoch.model) {
            return Ok(None);
        }
        let mut model = self.epoch.model.clone();
        let settings = &mut model.settings;
        settings.integrator = Integrator::Symplectic;
        (settings.time_step, settings.substeps) = (MOMENT, 1);
        let mut solver = Solver::with_families(&model, &self.setup.families, Cores::Few)?;
        let mut host = CpuExecutor::<f64>::new(&solver.buffers, &solver.passes).with_order(Order::Forward);
        take_state(&mut solver, &mut host, self)?;
        let passes = 0..solver.section(Stage::Integrate).end;
        host.execute(&[Run { passes, times: 1 }])?;
        let find = |name: &str| solver.buffers.find(name);
        let (Some(starts), Some(slots), Some(forces)) =
            (find("corner_starts"), find("corner_slots"), find("corner_forces"))
        else {
            return Ok(None);
        };
        let (starts, slots, forces) = (host.read(starts)?, host.read(slots)?, host.read(forces)?);
        let (starts, slots) = (starts.uints(), slots.uints());
        let positions = host.read(solver.positions)?;
        let mut free = vec![DVec3::ONE; model.particle_count()];
        for pin in &model.pins {
            free[pin.particle as usize] *= DVec3::ONE - pin.held_axes();
        }
        let mut pull = smallest_pull(&model);
        let (mut most, mut where_most) = (0.0, None);
        for (i, place) in positions.reals().chunks_exact(4).enumerate() {
            let range = &slots[starts[i] as usize..starts[i + 1] as usize];
            if range.is_empty() {
                continue;
            }
            let pulls = || range.iter().map(|&slot| DVec3::from_slice(&forces.reals()[4 * slot as usize..]));
            pull = pull.max(pulls().map(DVec3::length).sum());
            // What is held may be pulled, and along the axes that hold it what is on rails.
            if place[3] > 0.0 {
                let left = pulls().sum::<DVec3>() + model.settings.gravity / place[3];
                let left = (left * free[i]).length();
                if left > most || left.is_nan() {
                    (most, where_most) = (left, Some(i as u32));
                }
            }
        }
        let body = where_most.and_then(|i| model.body_of(i)).map_or(String::new(), |body| body.name.clone());
        Ok(Some(Imbalance { body, force: most, pull }))
    }
}

/// Whether forces of elements and weight are all that there is: constraints, contact, wind, magnets, loads over time and pins that give
/// way act otherwise.
fn is_told_by_forces(model: &Model) -> bool {
    let settings = &model.settings;
    let is_touched = settings.contact.is_some() || !model.colliders.is_empty();
    let is_held = model.pins.iter().any(|pin| pin.compliance > 0.0) || !model.joins.joins.is_empty();
    let is_pushed = settings.wind.is_some() || !model.loadings.is_empty() || !model.field_sources.is_empty();
    let has_frames = !model.rods.frames.is_empty() || !model.rigid.is_empty();
    settings.integrator == Integrator::Static
        && model.constraint_count() == 0
        && !(is_touched || is_held || is_pushed || has_frames)
}

/// What the stiffest tetrahedron pulls with at a strain that counts as none [N].
fn smallest_pull(model: &Model) -> f64 {
    let tets = (0..model.elements.len()).flat_map(|body| model.tets_of(body, SolidModel::has_forces));
    let pulls = tets.map(|tet| {
        let young = model.solid_materials[tet.material as usize].material.youngs_modulus;
        let steepest = tet.gradients.iter().map(|g| g.length()).fold(0.0, f64::max);
        NO_STRAIN * young * tet.rest_volume * steepest
    });
    pulls.fold(0.0, f64::max)
}
