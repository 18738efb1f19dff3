//! What files say about solids: energy, stress and volume of every tetrahedron.

use crate::export::CellField;
use crate::model::Model;
use crate::solids::measure::states;
use glam::DVec3;

/// The fields of one moment; empty without solids.
#[derive(Default)]
pub(super) struct SolidFields {
    /// Name and one value per tetrahedron of the scene, NaN where it belongs to no solid.
    fields: Vec<(&'static str, Vec<f32>)>,
}

impl SolidFields {
    /// Positions are in the model's numbering.
    pub fn new(model: &Model, positions: &[DVec3]) -> Self {
        if model.solid_materials.is_empty() {
            return Self::default();
        }
        let mut fields = ["energy_density", "von_mises", "volume_ratio"]
            .map(|name| (name, vec![f32::NAN; model.tetrahedra.len()]));
        for (k, body) in model.bodies.iter().enumerate() {
            for (tet, state) in states(model, k, positions) {
                let place = (body.tetrahedra.start + tet.number) as usize;
                let values = [state.energy / tet.rest_volume, state.von_mises, state.volume_ratio];
                for ((_, field), value) in fields.iter_mut().zip(values) {
                    field[place] = value as f32;
                }
            }
        }
        Self { fields: fields.into() }
    }

    pub fn cells(&self) -> impl Iterator<Item = CellField<'_>> {
        self.fields.iter().map(|(name, values)| CellField {
            name,
            tetrahedra: values,
            ..CellField::default()
        })
    }
}
