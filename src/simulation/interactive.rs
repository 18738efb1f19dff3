//! A simulation that somebody watches: pulled by hand, and changed without starting again.

use super::{Place, Simulation, SimulationError, WORLD_START};
use crate::compute::{Carry, Data, Role};
use crate::constraints::grab::Hold;
use crate::contact::ball_push::Sphere;
use crate::model::{Model, ModelError};
use crate::particles::setup::world;
use crate::scene::{Scene, ToChecked};
use crate::solver::{Families, Solver};

impl Simulation {
    /// As [`Simulation::new`], with a hand to pull particles with.
    pub fn interactive(scene: &impl ToChecked, place: &Place) -> Result<Self, SimulationError> {
        let scene = scene.to_checked().map_err(ModelError::from)?;
        let model = Model::new(&*scene)?;
        let families = Families::standard();
        let solver = Solver::interactive(&model, &families, place.cores())?;
        let (executor, precision) = (place.executor(&solver)?, place.precision());
        let expect = scene.expect.clone();
        let mut simulation = Self {
            model,
            solver,
            executor,
            families,
            precision,
            steps: 0,
            last: None,
            expect,
            worst_violation: None,
            fallback: None,
            inspected: Default::default(),
        };
        simulation.begin(&scene)?;
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
    /// All state is carried over, row by row, but for what the model says otherwise now, such as masses. If time steps and
    /// substeps are the same, so is the clock; otherwise the time is rounded to a whole number of steps. Returns false, and
    /// changes nothing, if the bodies have other particles or the rods other frames.
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
        let (x, v) = (other.model_positions()?, other.model_velocities()?);
        if !x.iter().chain(&v).all(|v| v.is_finite()) {
            return Ok(false);
        }
        let [old, new] = [&other.solver.buffers, &self.solver.buffers];
        let user = self.model.order.old_of_new.iter();
        let particles = user.map(|&user| Some(other.model.order.new_of_old[user as usize]));
        let carry = Carry::new(old, new, [("particles", particles.collect())]);
        for id in new.state().filter(|&id| id != self.solver.clock) {
            let Some(was) = old.find(new.name(id)).filter(|&was| old.role(was) == Role::State) else {
                continue;
            };
            let contents = other.executor.read(was)?;
            if let Some(data) = carry.column([old, new], [was, id], &contents) {
                self.executor.write(id, &data)?;
            }
        }
        self.take_over_time(other)?;
        self.clear_alarms()?;
        Ok(true)
    }

    fn take_over_time(&mut self, other: &mut Simulation) -> Result<(), SimulationError> {
        let settings = &self.model.settings;
        let [ours, theirs] = [settings, &other.model.settings].map(|s| (s.time_step, s.substeps));
        let (clock, start) = if ours == theirs {
            self.steps = other.steps;
            let start = other.executor.read(other.solver.world)?.reals()[WORLD_START];
            (other.executor.read(other.solver.clock)?, start)
        } else {
            self.steps = (other.time() / settings.time_step).round() as u64;
            (Data::Uints(vec![0]), self.time())
        };
        self.executor.write(self.solver.clock, &clock)?;
        let values = world(&self.model.settings, start).values();
        Ok(self.executor.write(self.solver.world, &Data::Reals(values))?)
    }
}
