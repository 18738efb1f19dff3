//! The tables and passes of magnets.

use super::{load_magnets, pair_magnets};
use crate::compute::{ComputeError, Kernel, Launch, Role};
use crate::model::Model;
use crate::step::{self, FamilyReport, Member, Stage, StageList, Step};

/// Bodies that attract, repel and turn each other.
pub struct Family;

/// The kernels of this family.
static KERNELS: &[&Kernel] = &[&load_magnets::KERNEL, &pair_magnets::KERNEL];

impl step::Family for Family {
    fn name(&self) -> &'static str {
        "magnets"
    }

    fn kernels(&self) -> &'static [&'static Kernel] {
        KERNELS
    }

    fn add<'m>(&self, model: &'m Model, step: &mut Step<'m>) -> Result<(), ComputeError> {
        let count = model.magnets().count() as u32;
        if count == 0 {
            return Ok(());
        }
        let buffers = &mut step.buffers;
        let places = model.magnets().map(|body| [body.particle, body.frame]);
        buffers.uint2s("magnets", Role::Model, places.collect())?;
        let first = model.rigid[0].frame;
        buffers.uints(
            "magnet_bodies",
            Role::Model,
            model.magnets().map(|body| body.frame - first).collect(),
        )?;
        let moments = model.magnets().map(|body| body.moment.extend(body.magnet_radius));
        let field = model.settings.magnetic_field.unwrap_or_default();
        let g = field.gradient();
        let field = [field.uniform, g.x_axis, g.y_axis, g.z_axis].map(|v| v.extend(0.0));
        let moments = moments.chain(field).map(|v| v.to_array());
        buffers.real4s("magnet_moments", Role::Model, moments.collect())?;
        let pairs: Vec<[u32; 2]> = (0..count).flat_map(|a| (a + 1..count).map(move |b| [a, b])).collect();
        let pair_count = pairs.len() as u32;
        // A single magnet has none, and a buffer has a row.
        buffers.real4s("magnet_forces", Role::Scratch, vec![[0.0; 4]; 3 * pairs.len().max(1)])?;
        buffers.uint2s("magnet_pairs", Role::Model, pairs)?;
        step.join(Magnets { count, pair_count });
        Ok(())
    }
}

struct Magnets {
    count: u32,
    pair_count: u32,
}

impl Member for Magnets {
    fn append(&self, stage: Stage, list: &mut StageList<'_>) -> Result<(), ComputeError> {
        match stage {
            Stage::Force => {
                list.run(&pair_magnets::KERNEL, Launch::over(self.pair_count))?;
                list.run(&load_magnets::KERNEL, Launch::over(self.count))
            }
            _ => Ok(()),
        }
    }

    fn report(&self) -> Vec<FamilyReport> {
        vec![FamilyReport { name: "magnet pairs", count: self.pair_count, colours: None }]
    }
}
