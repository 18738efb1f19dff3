//! Values per particle that colours show, with their legend.

use super::Colouring;
use crate::model::Model;
use crate::model::fields::{energy_densities, frame_turns, stresses};
use crate::model::measure::particle_strains;
use crate::model::rod_measure::{RodEnergies, particle_energies, particle_stretch_energies};
use crate::model::sheets::mode_strains;
use crate::scene::ColourBy;
use crate::{Simulation, SimulationError};
use glam::{DQuat, DVec3};

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
            ColourBy::Weft => ("weft", "%", mode(simulation, 0)?),
            ColourBy::Warp => ("warp", "%", mode(simulation, 1)?),
            ColourBy::Shear => ("shear", "%", mode(simulation, 2)?),
            ColourBy::Stretch => ("stretch", "J/m", field(simulation, particle_stretch_energies)?),
            ColourBy::Bend => ("bending", "J/m", rod_energies(simulation, |e| e.bend)?),
            ColourBy::Twist => ("twist", "J/m", rod_energies(simulation, |e| e.twist)?),
            ColourBy::Stress => ("stress", "Pa", field(simulation, stresses)?),
            ColourBy::Energy => ("elastic energy", "J/kg", field(simulation, energy_densities)?),
            ColourBy::Error => ("constraint error", "m", simulation.constraint_errors()),
            ColourBy::Frame => ("turn of frames", "°", field(simulation, |m, _, q| frame_turns(m, q))?),
        };
        let scale = if unit == "%" { 100.0 } else { 1.0 };
        let [low, high] = range.map_or_else(
            // Strains of one mode have signs.
            || [values.iter().copied().fold(0.0, f64::min), values.iter().copied().fold(0.0, f64::max)],
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

/// A value of the present state at each particle.
fn field(
    simulation: &mut Simulation,
    of: impl Fn(&Model, &[DVec3], &[DQuat]) -> Vec<f64>,
) -> Result<Vec<f64>, SimulationError> {
    let (x, frames) = (simulation.model_positions()?, simulation.frames()?);
    Ok(of(simulation.model(), &x, &frames.orientations))
}

/// Energy per length of rods at each particle [J/m].
fn rod_energies(
    simulation: &mut Simulation,
    pick: fn(&RodEnergies) -> f64,
) -> Result<Vec<f64>, SimulationError> {
    let (x, frames) = (simulation.model_positions()?, simulation.frames()?);
    Ok(particle_energies(simulation.model(), &x, &frames.orientations, pick))
}

/// Strains of sheets in one mode at each particle [%].
fn mode(simulation: &mut Simulation, mode: usize) -> Result<Vec<f64>, SimulationError> {
    let x = simulation.model_positions()?;
    let strains = mode_strains(simulation.model(), &x);
    Ok(strains.into_iter().map(|s| 100.0 * s[mode]).collect())
}
