//! From a model's sheets to their buffers and passes.

use super::limits::Limits;
use super::{fold, fold_change, membrane, membrane_change};
use crate::compute::{Buffers, ComputeError, Passes, Role};
use crate::integrate::setup::Forces;
use crate::model::Model;
use crate::model::elements::Fold;

/// The finite-element sheets of a model, ready to append what follows their forces.
pub struct Sheets {
    limits: Option<Limits>,
}

impl Sheets {
    /// Adds the buffers and forces of all sheets; none if there are none. Membranes come first of all forces.
    pub fn new(model: &Model, buffers: &mut Buffers, forces: &mut Forces) -> Result<Self, ComputeError> {
        let (membranes, limits) = Limits::sort(model)?;
        if membranes.is_empty() {
            return Ok(Self { limits: None });
        }
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
            let law = [f64::from(u8::from(fabric.corotational)), 0.0, 0.0, 0.0];
            [fabric.moduli(), fabric.viscosities(), law]
        });
        buffers.real4s("fabrics", Role::Model, fabrics.collect())?;
        buffers.uint4s("fold_corners", Role::Model, folds.iter().map(|f| f.particles).collect())?;
        let rest = folds.iter().map(|f| [f.stiffness, (0.5 * f.rest_angle).sin(), f.damping, 0.0]);
        buffers.real4s("fold_rest", Role::Model, rest.collect())?;
        forces.add(&membrane::KERNEL, &membrane_change::KERNEL, membranes.iter().map(|m| m.particles));
        forces.add(&fold::KERNEL, &fold_change::KERNEL, folds.iter().map(|f| f.particles));
        if let Some(limits) = &limits {
            limits.add_buffers(model, &membranes, buffers)?;
        }
        Ok(Self { limits })
    }

    /// Appends the strain limits, after contacts and constraints have left their result in `offsets`.
    pub fn append_limits(
        &self,
        passes: &mut Passes,
        buffers: &mut Buffers,
        offsets: &str,
    ) -> Result<(), ComputeError> {
        match &self.limits {
            Some(limits) => limits.append(passes, buffers, offsets),
            None => Ok(()),
        }
    }

    /// Appends what follows `finish`.
    pub fn append_after(&self, passes: &mut Passes, buffers: &Buffers) -> Result<(), ComputeError> {
        match &self.limits {
            Some(limits) => limits.append_rate(passes, buffers),
            None => Ok(()),
        }
    }
}
