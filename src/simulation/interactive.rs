//! A simulation that somebody watches: pulled by hand, and changed without starting again.

use super::{Place, Simulation, SimulationError, WORLD_START};
use crate::compute::Data;
use crate::constraints::grab::Hold;
use crate::contact::ball_push::Sphere;
use crate::model::Model;
use crate::particles::setup::world;
use crate::particles::watch;
use crate::scene::Scene;
use crate::solver::Solver;
use glam::DVec3;

impl Simulation {
    /// As [`Simulation::new`], with a hand to pull particles with.
    pub fn interactive(scene: &Scene, place: &Place) -> Result<Self, SimulationError> {
        let model = Model::new(scene)?;
        let solver = Solver::interactive(&model, place.cores())?;
        let (executor, precision) = (place.executor(&solver)?, place.precision());
        let expect = scene.expect.clone();
        let mut simulation = Self {
            model,
            solver,
            executor,
            precision,
            steps: 0,
            last: None,
            expect,
            worst_violation: None,
            fallback: None,
            inspected: Default::default(),
        };
        simulation.begin(scene)?;
        Ok(simulation)
    }

    /// Pulls these particles from the next substep on and lets go of all others. Does nothing without a hand.
    pub fn hold(&mut self, holds: &[Hold]) -> Result<(), SimulationError> {
        match self.solver.hand {
            Some(hand) => Ok(hand.hold(self.executor.as_mut(), holds)?),
            None => Ok(()),
        }
    }

    /// Puts the ball somewhere from the next substep on, or takes it away. Does nothing without one.
    pub fn place_ball(&mut self, sphere: Option<Sphere>) -> Result<(), SimulationError> {
        match self.solver.ball {
            Some(ball) => Ok(ball.place(self.executor.as_mut(), sphere)?),
            None => Ok(()),
        }
    }

    /// Takes gravity, wind, damping and relaxation from a scene without touching the state. Returns whether that was
    /// possible: a scene without wind has no passes for it.
    pub fn set_surroundings(&mut self, scene: &Scene) -> Result<bool, SimulationError> {
        let settings = &mut self.model.settings;
        if settings.wind.is_some() != scene.wind.is_some() {
            return Ok(false);
        }
        settings.gravity = scene.gravity;
        settings.wind = scene.wind.clone();
        settings.damping = scene.damping;
        settings.relaxation = scene.relaxation;
        let start = self.executor.read(self.solver.world)?.reals()[WORLD_START];
        let values = world(&self.model.settings, start).values();
        self.executor.write(self.solver.world, &Data::Reals(values))?;
        Ok(true)
    }

    /// Continues from the state of another simulation with the same bodies, whose settings or materials may differ.
    ///
    /// Positions and velocities are taken in the user's numbering, and the frames of rods; multipliers start anew. The time
    /// is rounded to a whole number of steps. Returns false, and changes nothing, if the bodies have other particles or the
    /// rods other frames.
    pub fn take_over(&mut self, other: &mut Simulation) -> Result<bool, SimulationError> {
        let (ours, theirs) = (&self.model.bodies, &other.model.bodies);
        if !ours.iter().map(|body| &body.particles).eq(theirs.iter().map(|body| &body.particles)) {
            return Ok(false);
        }
        let frames = |model: &Model| -> Vec<_> {
            model.rods.rods.iter().map(|rod| (rod.body, rod.frames.clone())).collect()
        };
        if frames(&self.model) != frames(&other.model) {
            return Ok(false);
        }
        let (x, v) = (other.positions()?, other.velocities()?);
        if !x.iter().chain(&v).all(|v| v.is_finite()) {
            return Ok(false);
        }
        self.steps = (other.time() / self.model.settings.time_step).round() as u64;
        let (x, v) = (self.model.order.apply(&x), self.model.order.apply(&v));
        // Positions are what f32 holds; the rest is rounding that the residuals need not know of.
        let x: Vec<DVec3> = x.iter().map(|x| x.as_vec3().as_dvec3()).collect();
        self.overwrite("positions", &x)?;
        self.overwrite("velocities", &v)?;
        self.overwrite("residuals", &vec![DVec3::ZERO; x.len()])?;
        for name in ["frames", "spins"] {
            if let (Some(to), Some(from)) = (self.solver.buffers.find(name), other.solver.buffers.find(name))
            {
                let data = other.executor.read(from)?;
                self.executor.write(to, &data)?;
            }
        }
        self.executor.write(self.solver.clock, &Data::Uints(vec![0]))?;
        let start = self.time();
        let values = world(&self.model.settings, start).values();
        self.executor.write(self.solver.world, &Data::Reals(values))?;
        self.executor.write(self.solver.watch, &Data::Uints(watch::CLEAR.to_vec()))?;
        Ok(true)
    }

    /// Replaces xyz of a buffer of 4-vectors and keeps w.
    fn overwrite(&mut self, name: &str, values: &[DVec3]) -> Result<(), SimulationError> {
        let id = self.solver.buffers.find(name).expect("every solver has the buffers of its particles");
        let mut data = self.executor.read(id)?;
        if let Data::Reals(reals) = &mut data {
            for (place, value) in reals.chunks_exact_mut(4).zip(values) {
                place[..3].copy_from_slice(&value.to_array());
            }
        }
        Ok(self.executor.write(id, &data)?)
    }
}
