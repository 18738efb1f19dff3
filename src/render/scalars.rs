//! Values per particle that colours show, with their legend.

use super::Colouring;
use crate::model::measure::particle_strains;
use crate::scene::ColourBy;
use crate::{Simulation, SimulationError};

/// A value per particle, in the model's numbering, and what it means.
#[derive(Clone, Debug, PartialEq)]
pub struct Scalars {
    pub title: &'static str,
    pub unit: &'static str,
    /// Values at the two ends of the colour map.
    pub range: [f64; 2],
    pub values: Vec<f32>,
}

impl Scalars {
    /// What a colouring shows of the present state; nothing if it shows the body. The range is that of the state
    /// unless one is given.
    pub fn of(
        simulation: &mut Simulation,
        colour: ColourBy,
        range: Option<[f64; 2]>,
    ) -> Result<Option<Self>, SimulationError> {
        let (title, unit, values) = match colour {
            ColourBy::Body => return Ok(None),
            ColourBy::Velocity => {
                let v = simulation.model_velocities()?;
                ("speed", "m/s", v.iter().map(|v| v.length()).collect::<Vec<_>>())
            }
            ColourBy::Strain => {
                let x = simulation.model_positions()?;
                let strains = particle_strains(simulation.model(), &x);
                ("strain", "%", strains.into_iter().map(|s| 100.0 * s).collect())
            }
        };
        let scale = if colour == ColourBy::Strain { 100.0 } else { 1.0 };
        let [low, high] = range.map_or_else(
            || [0.0, values.iter().copied().fold(0.0, f64::max)],
            |range| range.map(|x| scale * x),
        );
        let high = if high > low { high } else { low + 1.0 };
        let values = values.into_iter().map(|x| x as f32).collect();
        Ok(Some(Self { title, unit, range: [low, high], values }))
    }

    /// How the renderer is to colour with these values.
    pub fn colouring(&self) -> Colouring {
        Colouring::Scalar { low: self.range[0] as f32, high: self.range[1] as f32 }
    }
}
