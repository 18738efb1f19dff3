//! A simulation and what its user holds of it.

use crate::constraints::grab::Hold;
use crate::render::Stripes;
use crate::scene::Scene;
use crate::viewer::pick::{self, Picked, Ray};
use crate::{Place, Simulation, SimulationError};
use glam::DVec3;

/// Radius of what a hand takes hold of, over the size of the body.
const HAND: f64 = 0.035;
/// Most particles in a hand.
const HAND_PARTICLES: usize = 64;
/// Distance, over the size of the body, at which a hand pulls with ten times the body's weight.
const HAND_REACH: f64 = 0.25;

/// What a hand holds: where each particle is relative to the point that the cursor took.
pub struct Grip {
    pub particles: Vec<(u32, DVec3)>,
    pub target: DVec3,
    pub compliance: f64,
}

/// A scene that runs.
pub struct Running {
    pub simulation: Simulation,
    pub scene: Scene,
    pub place: Place,
    pub stripes: Stripes,
    pub start: crate::checkpoint::State,
    pub grip: Option<Grip>,
    pub pins: Vec<Hold>,
    /// The next pass to run alone; `None` at the beginning of a step.
    pub pass: Option<(u32, usize)>,
    pub aspect: f32,
}

impl Running {
    pub fn pick(&mut self, ray: &Ray) -> Result<Option<Picked>, SimulationError> {
        let x = self.simulation.model_positions()?;
        let v = self.simulation.model_velocities()?;
        let model = self.simulation.model();
        Ok(pick::hit(model, &x, ray).and_then(|hit| pick::describe(model, &x, &v, hit)))
    }

    /// Takes hold of what is near a point.
    pub fn grab(&mut self, picked: &Picked) -> Result<(), SimulationError> {
        let x = self.simulation.model_positions()?;
        let model = self.simulation.model();
        let body = &model.bodies[picked.body_index];
        let numbers = || body.particles.clone().map(|user| model.order.new_of_old[user as usize]);
        let (low, high) = numbers().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), i| {
            (low.min(x[i as usize]), high.max(x[i as usize]))
        });
        let size = (high - low).length().max(f64::MIN_POSITIVE);
        let mut near: Vec<(u32, DVec3)> = numbers()
            .map(|i| (i, x[i as usize] - picked.point))
            .filter(|(i, away)| *i == picked.particle || away.length() < HAND * size)
            .collect();
        near.sort_by(|a, b| a.1.length().total_cmp(&b.1.length()));
        near.truncate(HAND_PARTICLES);
        let mass: f64 = numbers().map(|i| model.particles.masses[i as usize]).sum();
        let stiffness = 10.0 * mass * 9.81 / (HAND_REACH * size);
        let compliance = near.len() as f64 / stiffness;
        self.grip = Some(Grip { particles: near, target: picked.point, compliance });
        self.hold()
    }

    pub fn toggle_pin(&mut self, picked: &Picked) -> Result<(), SimulationError> {
        let pins = self.pins.len();
        self.pins.retain(|pin| pin.particle != picked.particle);
        if self.pins.len() == pins {
            self.pins.push(Hold { particle: picked.particle, target: picked.position, compliance: 0.0 });
        }
        self.hold()
    }

    /// Tells the solver what the user holds: pins first, they stay where they are.
    pub fn hold(&mut self) -> Result<(), SimulationError> {
        let mut holds = self.pins.clone();
        if let Some(grip) = &self.grip {
            holds.extend(grip.particles.iter().map(|&(particle, away)| Hold {
                particle,
                target: grip.target + away,
                compliance: grip.compliance,
            }));
        }
        self.simulation.hold(&holds)
    }

    pub fn residuals(&mut self) -> Result<Vec<f64>, SimulationError> {
        self.pass = None;
        self.simulation.iteration_residuals()
    }
}

/// Pins in the numbering of another simulation of the same bodies.
pub fn renumbered(pins: &[Hold], from: &Simulation, to: &Simulation) -> Vec<Hold> {
    let (from, to) = (&from.model().order, &to.model().order);
    let number = |particle: u32| to.new_of_old[from.old_of_new[particle as usize] as usize];
    pins.iter().map(|pin| Hold { particle: number(pin.particle), ..*pin }).collect()
}

