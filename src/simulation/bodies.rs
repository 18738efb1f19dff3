//! One body of a running scene, by its name.

use super::{Simulation, SimulationError};
use crate::compute::Data;
use glam::DVec3;
use std::ops::Range;

/// A body of a simulation. Its particles are numbered as the scene has them.
///
/// ```
/// use sinew::glam::DVec3;
/// use sinew::{Checked, Kinds, Options, Precision, Simulation};
///
/// let text = r#"
///     format = 1
///     gravity = [0, 0, 0]
///     points = [
///         { name = "left", points = [[-1, 0, 0]], mass = 1 },
///         { name = "right", points = [[1, 0, 0]], mass = 1 },
///     ]
/// "#;
/// let scene = Checked::parse(text, "two.toml", "", &Kinds::standard())?;
/// let mut simulation = Simulation::new(&scene, &Options::cpu(Precision::F64))?;
/// simulation.body("right")?.set_velocities(&[DVec3::X])?;
/// for _ in 0..60 {
///     simulation.step()?;
/// }
/// assert!((simulation.body("right")?.positions()?[0].x - 2.0).abs() < 1e-9);
/// assert_eq!(simulation.body("left")?.positions()?, [DVec3::NEG_X]);
/// assert!(simulation.body("middle").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct RunningBody<'a> {
    simulation: &'a mut Simulation,
    /// By the scene's numbers.
    particles: Range<u32>,
}

impl Simulation {
    /// The body of a name.
    pub fn body(&mut self, name: &str) -> Result<RunningBody<'_>, SimulationError> {
        let found = self.epoch.model.bodies.iter().find(|body| body.name == name);
        match found.map(|body| body.particles.clone()) {
            Some(particles) => Ok(RunningBody { simulation: self, particles }),
            None => {
                let known: Vec<_> =
                    self.epoch.model.bodies.iter().map(|body| format!("`{}`", body.name)).collect();
                Err(SimulationError::NoBody { name: name.into(), known: known.join(", ") })
            }
        }
    }
}

impl RunningBody<'_> {
    fn own(&self, all: &[DVec3]) -> Vec<DVec3> {
        all[self.particles.start as usize..self.particles.end as usize].to_vec()
    }

    /// [m].
    pub fn positions(&mut self) -> Result<Vec<DVec3>, SimulationError> {
        let all = self.simulation.positions()?;
        Ok(self.own(&all))
    }

    /// [m/s].
    pub fn velocities(&mut self) -> Result<Vec<DVec3>, SimulationError> {
        let all = self.simulation.velocities()?;
        Ok(self.own(&all))
    }

    /// Gives each particle a velocity [m/s]; pinned ones keep theirs.
    pub fn set_velocities(&mut self, velocities: &[DVec3]) -> Result<(), SimulationError> {
        let count = self.particles.len();
        if velocities.len() != count || velocities.iter().any(|v| !v.is_finite()) {
            return Err(SimulationError::Velocities { count, given: velocities.len() });
        }
        let simulation = &mut *self.simulation;
        let id = simulation.epoch.solver.velocities;
        let Data::Reals(mut all) = simulation.executor.read(id)? else { return Ok(()) };
        for (old, v) in self.particles.clone().zip(velocities) {
            let new = simulation.epoch.model.order.new_of_old[old as usize] as usize;
            if simulation.epoch.model.particles.inverse_masses[new] > 0.0 {
                all[4 * new..4 * new + 3].copy_from_slice(&v.to_array());
            }
        }
        Ok(simulation.executor.write(id, &Data::Reals(all))?)
    }
}
