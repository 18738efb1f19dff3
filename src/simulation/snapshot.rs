//! The present state as exporters take it.

use super::rod_fields::RodFields;
use super::solid_fields::SolidFields;
use super::{Simulation, SimulationError};
use crate::export::{BodyRange, Field, Snapshot, Values, linear_from_srgb};
use crate::model::measure::particle_strains;
use crate::model::sheets::mode_strains;

impl Simulation {
    /// Hands the present state to a writer, in the user's numbering.
    pub fn snapshot<T>(&mut self, write: impl FnOnce(&Snapshot) -> T) -> Result<T, SimulationError> {
        let positions = self.positions()?;
        let velocities = self.velocities()?;
        let time = self.time();
        let frames = self.frames()?;
        let model = self.model();
        let order = &model.order;
        let user = |i: u32| order.old_of_new[i as usize];
        let placed = order.apply(&positions);
        let rods = RodFields::new(model, &placed, &frames);
        let solids = SolidFields::new(model, &placed);
        let strains = order.undo(&particle_strains(model, &placed));
        let strains: Vec<f32> = strains.into_iter().map(|s| s as f32).collect();
        let as_f32 = |v: &[glam::DVec3]| v.iter().map(|x| x.as_vec3().to_array()).collect::<Vec<_>>();
        let (positions, velocities) = (as_f32(&positions), as_f32(&velocities));
        let triangles: Vec<_> = model.triangles.iter().map(|t| t.map(user)).collect();
        let segments: Vec<_> = model.segments.iter().map(|s| s.map(user)).collect();
        let tetrahedra: Vec<_> = model.tetrahedra.iter().map(|t| t.map(user)).collect();
        let range = |r: &std::ops::Range<u32>| r.start as usize..r.end as usize;
        let bodies: Vec<BodyRange> = model
            .bodies
            .iter()
            .map(|body| BodyRange {
                name: &body.name,
                particles: range(&body.particles),
                triangles: range(&body.triangles),
                segments: range(&body.segments),
                tetrahedra: range(&body.tetrahedra),
                colour: body.colour.map(|c| linear_from_srgb(c as f32)),
                radius: body.radius as f32,
            })
            .collect();
        let modes = model.elements.iter().any(|elements| !elements.membranes.is_empty()).then(|| {
            let modes = order.undo(&mode_strains(model, &placed));
            [0, 1, 2].map(|mode| modes.iter().map(|s| s[mode] as f32).collect::<Vec<_>>())
        });
        let mut fields = vec![Field { name: "strain", values: Values::Scalars(&strains) }];
        if let Some([weft, warp, shear]) = &modes {
            for (name, values) in [("strain_weft", weft), ("strain_warp", warp), ("strain_shear", shear)] {
                fields.push(Field { name, values: Values::Scalars(values) });
            }
        }
        fields.extend(rods.points());
        Ok(write(&Snapshot {
            time,
            positions: &positions,
            velocities: &velocities,
            triangles: &triangles,
            segments: &segments,
            tetrahedra: &tetrahedra,
            point_fields: &fields,
            cell_fields: &rods.cells().into_iter().chain(solids.cells()).collect::<Vec<_>>(),
            bodies: &bodies,
        }))
    }
}
