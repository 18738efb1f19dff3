//! A simulation that somebody watches: pulled by hand, and changed without starting again.

use super::epoch::Setup;
use super::{Place, Simulation, SimulationError, WORLD_START};
use crate::compute::Data;
use crate::constraints::grab::Hold;
use crate::contact::ball_push::Sphere;
use crate::model::{Model, ModelError};
use crate::scene::{Scene, ToChecked};
use crate::solver::Families;

impl Simulation {
    /// As [`Simulation::new`], with a hand to pull particles with. Blocks.
    pub fn interactive(scene: &impl ToChecked, place: &Place) -> Result<Self, SimulationError> {
        let scene = scene.to_checked().map_err(ModelError::from)?;
        let model = Model::new(&*scene)?;
        let (place, families) = (place.clone(), Families::standard());
        let setup = Setup { place, families, is_interactive: true };
        let mut simulation = pollster::block_on(Self::begin_on(setup, model))?;
        simulation.expect = scene.expect.clone();
        simulation.begin(&scene)?;
        Ok(simulation)
    }

    /// Pulls these particles from the next substep on and lets go of all others. Does nothing without a hand.
    pub fn hold(&mut self, holds: &[Hold]) -> Result<(), SimulationError> {
        self.handled.holds = holds.to_vec();
        match self.epoch.solver.hand {
            Some(hand) => Ok(hand.hold(self.executor.as_mut(), holds)?),
            None => Ok(()),
        }
    }

    /// What was last held, in that order, by the present numbers of particles.
    pub fn holds(&self) -> &[Hold] {
        &self.handled.holds
    }

    /// Puts the ball somewhere from the next substep on, or takes it away. Does nothing without one.
    pub fn place_ball(&mut self, sphere: Option<Sphere>) -> Result<(), SimulationError> {
        self.handled.ball = sphere;
        match self.epoch.solver.ball {
            Some(ball) => Ok(ball.place(self.executor.as_mut(), sphere)?),
            None => Ok(()),
        }
    }

    /// Takes gravity, wind, damping and relaxation from a scene without touching the state. Returns whether that was
    /// possible: a scene without wind has no passes for it.
    pub fn set_surroundings(&mut self, scene: &Scene) -> Result<bool, SimulationError> {
        let settings = &mut self.epoch.model.settings;
        if settings.wind.is_some() != scene.wind.is_some() {
            return Ok(false);
        }
        settings.gravity = scene.gravity;
        settings.wind = scene.wind.clone();
        settings.damping = scene.damping;
        settings.relaxation = scene.relaxation;
        let start = self.executor.read(self.epoch.solver.world)?.reals()[WORLD_START];
        self.set_start(start)?;
        Ok(true)
    }

    /// Continues from the state of another simulation with the same bodies, whose settings or materials may differ: another
    /// epoch of that one. What was cut there is cut here too.
    ///
    /// All state is carried over, row by row, but for what the model says otherwise now, such as masses. If time steps and
    /// substeps are the same, so is the clock; otherwise the time is rounded to a whole number of steps. Returns false, and
    /// changes nothing, if the bodies have other particles or the rods other frames.
    pub fn take_over(&mut self, other: &mut Simulation) -> Result<bool, SimulationError> {
        let journal = other.epoch.model.journal();
        let is_cut_alike = journal == self.epoch.model.journal();
        let cut = (!is_cut_alike).then(|| self.epoch.model.with_journal(journal));
        let Ok(cut) = cut.transpose() else { return Ok(false) };
        let model = cut.as_ref().unwrap_or(&self.epoch.model);
        let Some(particles) = model.particles_from(&other.epoch.model) else { return Ok(false) };
        let frames = |model: &Model| -> Vec<_> {
            model.rods.rods.iter().map(|rod| (rod.body, rod.frames.clone())).collect()
        };
        if frames(model) != frames(&other.epoch.model) {
            return Ok(false);
        }
        let (x, v) = (other.model_positions()?, other.model_velocities()?);
        if !x.iter().chain(&v).all(|v| v.is_finite()) {
            return Ok(false);
        }
        let number = other.epoch.number + 1;
        match cut {
            Some(model) => (self.epoch, self.executor) = self.setup.begin(number, model)?,
            None => self.epoch.number = number,
        }
        self.carry(&other.epoch, other.executor.as_mut(), particles)?;
        self.lead_again(other.led.clone())?;
        self.take_over_time(other)?;
        self.watcher = None;
        Ok(true)
    }

    fn take_over_time(&mut self, other: &mut Simulation) -> Result<(), SimulationError> {
        let settings = &self.epoch.model.settings;
        let [ours, theirs] = [settings, &other.epoch.model.settings].map(|s| (s.time_step, s.substeps));
        if ours == theirs {
            self.steps = other.steps;
            let start = other.executor.read(other.epoch.solver.world)?.reals()[WORLD_START];
            return self.set_start(start);
        }
        self.steps = (other.time() / settings.time_step).round() as u64;
        self.executor.write(self.epoch.solver.clock, &Data::Uints(vec![0]))?;
        self.set_start(self.time())
    }
}
