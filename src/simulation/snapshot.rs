//! The present state as exporters take it.

use super::rod_fields::RodFields;
use super::solid_fields::SolidFields;
use super::{Simulation, SimulationError};
use crate::export::{BodyRange, Field, Snapshot, Values, linear_from_srgb};
use crate::model::{Body, Model};
use crate::step;

impl Simulation {
    /// Hands the present state to a writer, in the user's numbering.
    pub fn snapshot<T>(&mut self, write: impl FnOnce(&Snapshot) -> T) -> Result<T, SimulationError> {
        let mut positions = self.positions()?;
        let mut velocities = self.velocities()?;
        let skin = self.skin_positions()?;
        let time = self.time();
        let frames = self.frames()?;
        let mut shown = Vec::new();
        for field in self.fields() {
            let name = match field.values {
                step::Values::Table(_) => Some(field.name),
                step::Values::Computed(computed) => computed.in_files,
            };
            if let Some(name) = name {
                let values: Vec<f32> = self.field(field)?.into_iter().map(|x| x as f32).collect();
                shown.push((name, self.epoch.model.order.undo(&values)));
            }
        }
        let model = self.model();
        let order = &model.order;
        let user = |i: u32| order.old_of_new[i as usize];
        let placed = order.apply(&positions);
        let rods = RodFields::new(model, &placed, &frames);
        let solids = SolidFields::new(model, &placed);
        // Detailed surfaces are bodies of their own, after all others.
        velocities.extend(model.skins.velocities(&order.apply(&velocities), &frames));
        positions.extend(&skin);
        let as_f32 = |v: &[glam::DVec3]| v.iter().map(|x| x.as_vec3().to_array()).collect::<Vec<_>>();
        let (positions, velocities) = (as_f32(&positions), as_f32(&velocities));
        let mut triangles: Vec<_> = model.triangles.iter().map(|t| t.map(user)).collect();
        let segments: Vec<_> = model.segments.iter().map(|s| s.map(user)).collect();
        let tetrahedra: Vec<_> = model.tetrahedra.iter().map(|t| t.map(user)).collect();
        let range = |r: &std::ops::Range<u32>| r.start as usize..r.end as usize;
        let colour = |body: &Body| body.colour.map(|c| linear_from_srgb(c as f32));
        let particle_count = model.particle_count();
        let skin_names: Vec<String> = model
            .skins
            .parts
            .iter()
            .map(|skin| format!("{} surface", model.bodies[skin.body as usize].name))
            .collect();
        let skins = model.skins.parts.iter().zip(&skin_names).map(|(skin, name)| {
            let first = triangles.len();
            let drawn = |v: u32| particle_count as u32 + v;
            triangles.extend(skin.triangles.iter().map(|t| t.map(drawn)));
            BodyRange {
                name,
                particles: range(&(drawn(skin.vertices.start)..drawn(skin.vertices.end))),
                triangles: first..triangles.len(),
                colour: colour(&model.bodies[skin.body as usize]),
                ..BodyRange::default()
            }
        });
        let skins: Vec<BodyRange> = skins.collect();
        let bodies: Vec<BodyRange> = model
            .bodies
            .iter()
            .enumerate()
            .map(|(index, body)| BodyRange {
                name: &body.name,
                is_guide: model.skins.parts.iter().any(|skin| skin.body as usize == index),
                particles: range(&body.particles),
                triangles: range(&body.triangles),
                segments: range(&body.segments),
                tetrahedra: range(&body.tetrahedra),
                colour: colour(body),
                radius: body.radius as f32,
            })
            .chain(skins)
            .collect();
        let mut fields: Vec<Field> =
            (shown.iter()).map(|(name, values)| Field { name, values: Values::Scalars(values) }).collect();
        fields.extend(rods.points());
        let continued: Vec<(&str, Continued)> =
            fields.iter().map(|field| (field.name, Continued::new(model, field.values))).collect();
        let fields: Vec<Field> =
            continued.iter().map(|(name, values)| Field { name, values: values.values() }).collect();
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

/// The values of particles, in the user's numbering, and then of the vertices of detailed surfaces.
enum Continued {
    Scalars(Vec<f32>),
    Vectors(Vec<[f32; 3]>),
}

impl Continued {
    fn new(model: &Model, values: Values) -> Self {
        match values {
            Values::Scalars(values) => {
                let skin = model.skins.values(&model.order.apply(values));
                Self::Scalars(values.iter().copied().chain(skin).collect())
            }
            // Only rods have vectors, and they have no skin.
            Values::Vectors(values) => {
                let skin = std::iter::repeat_n([0.0; 3], model.skins.len());
                Self::Vectors(values.iter().copied().chain(skin).collect())
            }
        }
    }

    fn values(&self) -> Values<'_> {
        match self {
            Self::Scalars(values) => Values::Scalars(values),
            Self::Vectors(values) => Values::Vectors(values),
        }
    }
}
