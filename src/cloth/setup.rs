//! From a model's sheets to their tables and passes.

use super::KERNELS;
use super::limits::Limits;
use super::{fold, fold_change, fold_energy, membrane, membrane_change, membrane_energy};
use crate::compute::{ComputeError, Kernel, Role};
use crate::integrate::factors::Kind;
use crate::integrate::setup::{Forces, Law};
use crate::model::Model;
use crate::model::elements::Fold;
use crate::step::{self, Member, Stage, StageList, Step};

/// Finite-element sheets: their forces, and limits of their strain.
pub struct Family;

impl step::Family for Family {
    fn name(&self) -> &'static str {
        "cloth"
    }

    fn kernels(&self) -> &'static [&'static Kernel] {
        KERNELS
    }

    fn fields(&self) -> &'static [step::Field] {
        super::sheets::FIELDS
    }

    /// Adds the tables and forces of all sheets; none if there are none. Membranes come first of all forces.
    fn add<'m>(&self, model: &'m Model, step: &mut Step<'m>) -> Result<(), ComputeError> {
        let (membranes, limits) = Limits::sort(model)?;
        if membranes.is_empty() {
            return Ok(());
        }
        let buffers = &mut step.buffers;
        let folds: Vec<Fold> = model.elements.iter().flat_map(|e| e.folds.iter().copied()).collect();
        let corners = membranes.iter().map(|m| {
            let [a, b, c] = m.particles;
            [a, b, c, m.fabric]
        });
        buffers.uint4s("membrane_corners", Role::Model, corners.collect())?;
        let rest = membranes.iter().flat_map(|m| [m.rest(), [0.0; 4]]);
        let role = if limits.is_some() { Role::State } else { Role::Model };
        buffers.real4s("membrane_rest", role, rest.collect())?;
        let fabrics = model.fabrics.iter().flat_map(|fabric| {
            let [corotational, wrinkles] =
                [fabric.corotational, fabric.tension_only].map(|is| f64::from(u8::from(is)));
            let law = [corotational, wrinkles, 0.0, 0.0];
            [fabric.moduli(), fabric.viscosities(), law]
        });
        buffers.real4s("fabrics", Role::Model, fabrics.collect())?;
        buffers.uint4s("fold_corners", Role::Model, folds.iter().map(|f| f.particles).collect())?;
        let rest = folds.iter().map(|f| [f.stiffness, (0.5 * f.rest_angle).sin(), f.damping, 0.0]);
        buffers.real4s("fold_rest", Role::Model, rest.collect())?;
        buffers.gather("membranes", membranes.len() as u32, &["membrane_corners", "membrane_rest"])?;
        buffers.refer("membrane_corners", 3, "particles")?;
        buffers.renew("membrane_rest", 0)?;
        buffers.gather("folds", folds.len() as u32, &["fold_corners", "fold_rest"])?;
        buffers.refer("fold_corners", 4, "particles")?;
        if let Some(limits) = &limits {
            limits.add_buffers(model, &membranes, buffers)?;
        }
        let forces = step.contributions::<Forces>();
        let (triangles, hinges) = (membranes.iter().map(|m| m.particles), folds.iter().map(|f| f.particles));
        let kinds = vec![Kind::Triangle; membranes.len()];
        let membrane = Law {
            force: &membrane::KERNEL,
            change: &membrane_change::KERNEL,
            energy: Some(&membrane_energy::KERNEL),
            shape: None,
        };
        forces.add(membrane, triangles, kinds);
        let fold = Law {
            force: &fold::KERNEL,
            change: &fold_change::KERNEL,
            energy: Some(&fold_energy::KERNEL),
            shape: None,
        };
        forces.add(fold, hinges, vec![Kind::Fold; folds.len()]);
        for body in 0..model.bodies.len() {
            forces.note_stable_substep(model, body, || super::sheets::stable_substep(model, body));
        }
        if let Some(limits) = limits {
            step.join(limits);
        }
        Ok(())
    }
}

impl Member for Limits {
    fn append(&self, stage: Stage, list: &mut StageList<'_>) -> Result<(), ComputeError> {
        match stage {
            // Before what may touch is looked for among the displacements.
            Stage::Detect if self.is_before_contacts() => {
                self.append_limits(list.passes, list.buffers, list.offsets)
            }
            Stage::Limit if !self.is_before_contacts() => {
                self.append_limits(list.passes, list.buffers, list.offsets)
            }
            Stage::After => self.append_rate(list.passes, list.buffers),
            _ => Ok(()),
        }
    }
}
