//! A simulation and what its user holds of it.

use super::history::History;
use super::{Force, Pull, Watch};
use crate::checkpoint::State;
use crate::constraints::grab::Hold;
use crate::contact::ball_push::Sphere;
use crate::render::{FilmError, Overlays, Presented, Presenter, Renderer};
use crate::scene::Scene;
use crate::viewer::pick::{self, Hit, Picked, Ray};
use crate::{Place, Plausibility, Simulation, SimulationError, Support};
use glam::DVec3;

/// Radius of what a hand takes hold of, over the size of the body.
const HAND: f64 = 0.035;
/// Most particles in a hand.
const HAND_PARTICLES: usize = 64;
/// Distance, over the size of the body, at which a hand pulls with ten times the body's weight.
const HAND_REACH: f64 = 0.25;
/// Most that the ball moves in a step, over its radius: what it meets is not jumped over.
const BALL_STEP: f64 = 0.3;

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
    /// Fills the buffers of the drawing that is shown.
    pub presenter: Presenter,
    pub overlays: Overlays,
    /// What the drawing and the numbers of particles are of: [`Simulation::epoch`].
    pub epoch: u64,
    pub start: State,
    pub grip: Option<Grip>,
    pub pins: Vec<Hold>,
    /// The next pass to run alone; `None` at the beginning of a step.
    pub pass: Option<(u32, usize)>,
    pub ball: Option<Sphere>,
    /// Where the ball is to be; it moves there with the steps.
    ball_target: Option<Sphere>,
    /// From the first look on; nothing while the user pushes or pulls.
    pub plausibility: Option<Plausibility>,
    pub history: History,
    /// What was last clicked.
    pub probed: Option<Hit>,
}

impl Running {
    pub fn new(
        simulation: Simulation,
        scene: Scene,
        place: Place,
        (presenter, overlays): (Presenter, Overlays),
        start: State,
        pins: Vec<Hold>,
    ) -> Self {
        let (grip, pass, ball, ball_target) = (None, None, None, None);
        Self {
            epoch: simulation.epoch(),
            simulation,
            scene,
            place,
            presenter,
            overlays,
            start,
            grip,
            pins,
            pass,
            ball,
            ball_target,
            plausibility: None,
            history: History::default(),
            probed: None,
        }
    }

    /// Takes over the numbers that a body which was cut has given to what the user holds. Returns whether the model is
    /// another one now, so that the drawing has to be made again.
    pub fn follow(&mut self) -> bool {
        let is_same = self.epoch == self.simulation.epoch();
        self.epoch = self.simulation.epoch();
        if !is_same {
            self.history.clear();
            self.probed = None;
            let grip =
                self.grip.iter_mut().flat_map(|grip| grip.particles.iter_mut().map(|held| &mut held.0));
            let held = self.pins.iter_mut().map(|pin| &mut pin.particle).chain(grip);
            held.zip(self.simulation.holds()).for_each(|(particle, hold)| *particle = hold.particle);
        }
        !is_same
    }

    /// Makes the drawing show the present state, also within a step.
    pub fn present(&mut self, renderer: &Renderer, watch: &Watch) -> Result<Presented, FilmError> {
        let (simulation, presenter) = (&mut self.simulation, &mut self.presenter);
        let (colour, range) = (watch.colour, watch.range);
        match self.pass.map(|(_, next)| next).filter(|next| *next > 0) {
            None => presenter.show(renderer, simulation, colour, range),
            // Positions and offsets are apart; their sum goes through the host.
            Some(next) => {
                let positions = simulation.positions_after(next - 1)?;
                presenter.show_at(renderer, simulation, &positions, colour, range)
            }
        }
    }

    /// Tells the ball where to go; while nothing moves it is there at once.
    pub fn aim_ball(&mut self, target: Option<Sphere>, playing: bool) -> Result<(), SimulationError> {
        self.ball_target = target;
        if !playing || target.is_none() {
            self.ball = target;
        }
        self.simulation.place_ball(self.ball)
    }

    /// Moves the ball as far as it may go in a step.
    pub fn move_ball(&mut self) -> Result<(), SimulationError> {
        let Some(target) = self.ball_target else { return Ok(()) };
        let from = self.ball.map_or(target.centre, |ball| ball.centre);
        let way = (target.centre - from).clamp_length_max(BALL_STEP * target.radius);
        let next = Some(Sphere { centre: from + way, ..target });
        if next != self.ball {
            self.ball = next;
            self.simulation.place_ball(next)?;
        }
        Ok(())
    }

    /// Whether the user pushes or pulls now.
    pub fn is_handled(&self) -> bool {
        self.grip.is_some() || self.ball.is_some()
    }

    /// Where particles touch something, and the way they are pushed.
    pub fn contacts(&mut self) -> Result<Vec<[DVec3; 2]>, SimulationError> {
        let x = self.simulation.model_positions()?;
        let contacts = self.simulation.contacts().iter();
        Ok(contacts.map(|(p, push)| [x[*p as usize], push.normalize_or_zero()]).collect())
    }

    /// Whether the scene itself holds a particle rigidly now.
    pub fn is_held_by_scene(&self, particle: u32) -> bool {
        let (time, model) = (self.simulation.time(), self.simulation.model());
        let is_fixed = model.particles.inverse_masses.get(particle as usize) == Some(&0.0);
        is_fixed && !model.pins.iter().any(|pin| pin.particle == particle && time >= pin.release)
    }

    pub fn pick(&mut self, ray: &Ray) -> Result<Option<Picked>, SimulationError> {
        let x = self.simulation.model_positions()?;
        let v = self.simulation.model_velocities()?;
        let model = self.simulation.model();
        self.probed = pick::hit(model, &x, ray);
        Ok(self.probed.and_then(|hit| pick::describe(model, &x, &v, hit)))
    }

    /// What was last clicked, as it is now.
    pub fn probe(&mut self) -> Result<Option<Picked>, SimulationError> {
        let Some(hit) = self.probed else { return Ok(None) };
        let x = self.simulation.model_positions()?;
        let v = self.simulation.model_velocities()?;
        let hit = Hit { point: x[hit.particle as usize], ..hit };
        Ok(pick::describe(self.simulation.model(), &x, &v, hit))
    }

    /// From what the hand holds to where the cursor is.
    pub fn pull(&mut self) -> Result<Option<Pull>, SimulationError> {
        let Some(grip) = &self.grip else { return Ok(None) };
        let x = self.simulation.model_positions()?;
        let apart = grip.particles.iter().map(|&(particle, away)| grip.target + away - x[particle as usize]);
        let sum: DVec3 = apart.sum();
        let from = grip.target - sum / grip.particles.len().max(1) as f64;
        Ok(Some(Pull { from, to: grip.target, force: sum.length() / grip.compliance }))
    }

    /// Forces of pins and colliders. Costs a substep on the host.
    pub fn forces(&mut self) -> Result<Vec<Force>, SimulationError> {
        let all = self.simulation.reactions()?.into_iter();
        let placed = all.filter(|reaction| reaction.support != Support::Attachment);
        Ok(placed.map(|held| Force { at: held.at, force: held.force, name: held.name }).collect())
    }

    /// Keeps the present state for the timeline, if it is due.
    pub fn remember(&mut self) -> Result<(), SimulationError> {
        let time = self.simulation.time();
        if self.pass.is_none() && self.history.wants(time, self.start.bytes()) {
            self.history.keep(time, self.simulation.state()?.clone());
        }
        Ok(())
    }

    /// Goes to the moment that is nearest to a time.
    pub fn scrub(&mut self, time: f64) -> Result<(), SimulationError> {
        let Some(state) = self.history.nearest(time) else { return Ok(()) };
        self.simulation.restore(state)?;
        (self.pass, self.plausibility, self.grip) = (None, None, None);
        self.hold()
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
}

/// Pins in the numbering of another simulation of the same bodies.
pub fn renumbered(pins: &[Hold], from: &Simulation, to: &Simulation) -> Vec<Hold> {
    let (from, to) = (&from.model().order, &to.model().order);
    let number = |particle: u32| to.new_of_old[from.old_of_new[particle as usize] as usize];
    pins.iter().map(|pin| Hold { particle: number(pin.particle), ..*pin }).collect()
}
