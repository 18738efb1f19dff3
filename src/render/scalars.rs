//! Values per particle that colours show, with their legend.

use super::Colouring;
use crate::scene::ColourBy;
use crate::step::Field;
use crate::{Simulation, SimulationError};

/// What the values at particles mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Legend {
    pub title: &'static str,
    pub unit: &'static str,
    /// Values at the two ends of the colour map.
    pub range: [f64; 2],
}

impl Legend {
    /// What a colouring means; nothing if it shows the body. The range is that of the values, which has zero in it,
    /// unless one is asked for.
    pub fn new(
        simulation: &Simulation,
        colour: ColourBy,
        found: [f64; 2],
        asked: Option<[f64; 2]>,
    ) -> Option<Self> {
        let (title, unit) = match colour {
            ColourBy::Body => return None,
            ColourBy::Error => ("constraint error", "m"),
            ColourBy::Field(name) => {
                known_field(simulation, name).map_or((name, ""), |field| (field.title, field.unit))
            }
        };
        let scale = if unit == "%" { 100.0 } else { 1.0 };
        let [low, high] = asked.map_or(found, |range| range.map(|x| scale * x));
        let high = if high > low { high } else { low + 1.0 };
        Some(Self { title, unit, range: [low, high] })
    }

    /// How the renderer is to colour.
    pub fn colouring(&self) -> Colouring {
        Colouring::Scalar { low: self.range[0] as f32, high: self.range[1] as f32 }
    }
}

/// What a colouring shows of the present state at each particle, in the model's numbering and the legend's unit.
/// Computed on the host.
pub fn values(simulation: &mut Simulation, colour: ColourBy) -> Result<Vec<f64>, SimulationError> {
    match colour {
        ColourBy::Body => Ok(Vec::new()),
        ColourBy::Error => simulation.constraint_errors(),
        ColourBy::Field(name) => match known_field(simulation, name) {
            // Particles without a value are drawn as if it were zero.
            Some(field) => {
                let shown = |x: f64| if x.is_nan() { 0.0 } else { field.legend_scale() * x };
                Ok(simulation.field(field)?.into_iter().map(shown).collect())
            }
            None => Ok(vec![0.0; simulation.model().particle_count()]),
        },
    }
}

/// The field of a name, if the scene has it.
fn known_field(simulation: &Simulation, name: &str) -> Option<&'static Field> {
    simulation.fields().into_iter().find(|field| field.name == name)
}

/// The lowest and the highest value and zero. Strains of one mode have signs.
pub fn range_of(values: &[f64]) -> [f64; 2] {
    [values.iter().copied().fold(0.0, f64::min), values.iter().copied().fold(0.0, f64::max)]
}
