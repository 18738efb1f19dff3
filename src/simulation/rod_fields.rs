//! What files say about rods: energies per length on their segments, material axes at their particles.

use crate::export::{CellField, Field, Values};
use crate::model::Model;
use crate::rods::measure::{FrameState, RodEnergies, frame_energies};
use glam::DVec3;

/// The fields of one moment; empty without rods.
#[derive(Default)]
pub(super) struct RodFields {
    /// Name and one value per segment [J/m].
    energies: Vec<(&'static str, Vec<f32>)>,
    /// The first and third material axis at each particle, in the user's numbering.
    axes: Vec<(&'static str, Vec<[f32; 3]>)>,
}

impl RodFields {
    /// Positions are in the model's numbering.
    pub fn new(model: &Model, positions: &[DVec3], state: &FrameState) -> Self {
        if model.rods.is_empty() {
            return Self::default();
        }
        let energies = frame_energies(model, positions, &state.orientations);
        let density = |name, pick: fn(&RodEnergies) -> f64| {
            let mut at_particle = vec![f32::NAN; positions.len()];
            for (frame, energy) in model.rods.frames.iter().zip(&energies).filter(|(f, _)| !f.is_wall()) {
                at_particle[frame.particles[0] as usize] = (pick(energy) / frame.rest_length) as f32;
            }
            // A rod's segment is known by its first particle; those of a net come in its order.
            let mut values: Vec<f32> = model.segments.iter().map(|&[i, _]| at_particle[i as usize]).collect();
            for net in &model.nets.nets {
                let first = model.bodies[net.body as usize].segments.start as usize;
                for (value, k) in values[first..].iter_mut().zip(net.segments()) {
                    let k = k as usize;
                    *value = (pick(&energies[k]) / model.rods.frames[k].rest_length) as f32;
                }
            }
            (name, values)
        };
        let axis = |name, axis: DVec3| {
            let mut sums = vec![DVec3::ZERO; positions.len()];
            // Walls and knots have axes of their own.
            let segments =
                model.rods.frames.iter().zip(&state.orientations).filter(|(frame, _)| !frame.is_wall());
            for (frame, &q) in segments {
                frame.particles.iter().for_each(|&p| sums[p as usize] += q * axis);
            }
            let axes = model.order.undo(&sums);
            (name, axes.iter().map(|v| v.normalize_or_zero().as_vec3().to_array()).collect())
        };
        Self {
            energies: vec![
                density("stretch_energy", |e| e.stretch + e.shear),
                density("bend_energy", |e| e.bend),
                density("twist_energy", |e| e.twist),
            ],
            axes: vec![axis("axis_1", DVec3::X), axis("axis_3", DVec3::Z)],
        }
    }

    pub fn points(&self) -> impl Iterator<Item = Field<'_>> {
        self.axes.iter().map(|(name, values)| Field { name, values: Values::Vectors(values) })
    }

    pub fn cells(&self) -> Vec<CellField<'_>> {
        self.energies
            .iter()
            .map(|(name, values)| CellField { name, segments: values, ..CellField::default() })
            .collect()
    }
}
