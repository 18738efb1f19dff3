//! Whether a run is believable: energy from nowhere, speeds and stretches that jump by orders of magnitude.
//!
//! A run that blows up slowly stays finite, so nothing else stops it. Each kind of doubt is reported once, the first time
//! it arises.

use super::{Simulation, SimulationError};
use crate::export::si;
use crate::measure::{Measures, particle_strains};
use crate::model::Model;
use crate::model::magnets::FieldSource;
use crate::scene::Integrator;
use glam::DVec3;
use std::fmt;

/// Something that came out worse than the scene asked for.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Warning {
    /// When it was noticed [s].
    pub time: f64,
    /// The bodies it is about.
    pub bodies: Vec<String>,
    pub problem: String,
    pub cure: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { time, bodies, problem, cure } = self;
        let names: Vec<String> = bodies.iter().map(|name| format!("`{name}`")).collect();
        let noun = if bodies.len() == 1 { "body" } else { "bodies" };
        write!(f, "{noun} {} at {time:.3} s: {problem}; {cure}", names.join(", "))
    }
}

/// Energy may rise by this share of what can have been exchanged and of the weight times the size of the scene. Generous:
/// the elastic energy of position-based bodies is computed from their strains, and those that have not converged yet
/// hold much of it for a while; explosions are larger by orders of magnitude.
const SHARE: f64 = 1.0;
/// A speed this many times what falling, wind and motion can give is no physics.
const TOO_FAST: f64 = 30.0;
/// A stretch is a jump if it is this many times that of [`EARLIER`] frames before, and beyond [`LARGE`].
const JUMP: f64 = 30.0;
const LARGE: f64 = 0.5;
const EARLIER: usize = 3;
/// Below this strain a stretch counts as this, so that the first load on a slack rope is no jump.
const SMALL: f64 = 0.01;

/// Looks at a run from frame to frame.
#[derive(Clone, Debug)]
pub struct Plausibility {
    /// Energy that work changes cannot be checked without knowing that work.
    is_driven: bool,
    /// Work on rods and by torques has no bound that is known here.
    has_speed_limit: bool,
    start: Measures,
    /// Weight times size, and a little where there is no weight [J].
    scale: f64,
    /// Speed that motion and wind give, and what is stored at the start [m/s].
    given_speed: f64,
    /// The most that bodies have fallen below the start, as energy [J].
    fallen: f64,
    stretches: Vec<f64>,
    warnings: Vec<Warning>,
    noticed: [bool; 3],
}

impl Plausibility {
    /// Takes the present state for the start. `handled` says that somebody else may push the bodies, as in a window.
    pub fn new(simulation: &mut Simulation, handled: bool) -> Result<Self, SimulationError> {
        let start = simulation.measure()?;
        let model = simulation.model();
        let masses: f64 = model.particles.masses.iter().sum();
        let size = extent(&model.particles.positions);
        let gravity = model.settings.gravity.length();
        let stored = (2.0 * start.elastic_energy.max(0.0) / masses.max(f64::MIN_POSITIVE)).sqrt();
        let torques = model.rods.rods.iter().any(|rod| !rod.loads.is_empty());
        let lets_go = model.pins.iter().any(|pin| pin.release.is_finite());
        let loaded = !model.loadings.is_empty();
        let motors = model.joints.list.iter().any(|joint| joint.motor.is_some());
        let pulled = !model.magnets.is_empty();
        let changing = |field: &FieldSource| field.frequency > 0.0 || !field.keys.is_empty();
        let driven = motors
            || pulled && model.field_sources.iter().any(changing)
            || loaded
            || model.settings.wind.is_some()
            || !model.tracks.tracks.is_empty()
            || torques
            || lets_go;
        let statics = model.settings.integrator == Integrator::Static;
        Ok(Self {
            is_driven: handled || driven || statics,
            has_speed_limit: !torques && !loaded && !motors && !pulled && model.loads.is_empty(),
            start,
            scale: masses * (gravity * size + 1e-3 * size * size),
            given_speed: start.max_speed + stored + wind_speed(model) + track_speed(model, size) + size,
            fallen: 0.0,
            stretches: Vec::new(),
            warnings: Vec::new(),
            noticed: [false; 3],
        })
    }

    /// Looks at a state. Returns what is new.
    pub fn look(
        &mut self,
        simulation: &mut Simulation,
        now: &Measures,
    ) -> Result<Option<&Warning>, SimulationError> {
        self.fallen = self.fallen.max(self.start.gravity_energy - now.gravity_energy);
        let time = simulation.time();
        let found = [self.energy(now), self.speed(now, time, simulation.model()), self.stretch(now)];
        self.stretches.push(now.max_stretch);
        let before = self.warnings.len();
        for (kind, problem) in found.into_iter().enumerate() {
            let Some(problem) = problem.filter(|_| !self.noticed[kind]) else { continue };
            self.noticed[kind] = true;
            let body = if kind == STRETCH { most_stretched(simulation)? } else { fastest(simulation)? };
            let substeps = simulation.model().settings.substeps;
            let cure = format!(
                "use more `substeps` ({substeps} now, try {}) or a smaller `time_step`; lighter loads and softer materials \
                 help too",
                substeps.saturating_mul(4)
            );
            self.warnings.push(Warning { time, bodies: body.into_iter().collect(), problem, cure });
        }
        Ok(self.warnings.get(before))
    }

    /// All that was noticed so far.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    fn energy(&self, now: &Measures) -> Option<String> {
        let rise = now.energy() - self.start.energy();
        let available = self.start.kinetic_energy + self.start.elastic_energy.max(0.0) + self.fallen;
        let allowed = SHARE * (available + self.scale);
        (!self.is_driven && rise > allowed).then(|| {
            format!(
                "energy rose by {} although nothing does work on the scene (from {} to {})",
                si(rise, "J"),
                si(self.start.energy(), "J"),
                si(now.energy(), "J")
            )
        })
    }

    fn speed(&self, now: &Measures, time: f64, model: &Model) -> Option<String> {
        let expected = model.settings.gravity.length() * time + self.given_speed;
        (self.has_speed_limit && now.max_speed > TOO_FAST * expected).then(|| {
            format!(
                "a particle reached {}, far beyond the {} that falling, wind and motion explain",
                si(now.max_speed, "m/s"),
                si(expected, "m/s")
            )
        })
    }

    fn stretch(&self, now: &Measures) -> Option<String> {
        let earlier = self.stretches.len().checked_sub(EARLIER)?;
        let before = self.stretches[..=earlier].iter().fold(SMALL, |largest, &s| largest.max(s));
        (now.max_stretch > LARGE && now.max_stretch > JUMP * before).then(|| {
            format!(
                "the largest stretch jumped from {:.2} % to {:.0} % within {EARLIER} frames",
                1e2 * self.stretches[earlier],
                1e2 * now.max_stretch
            )
        })
    }
}

/// The place of the stretch among the kinds of doubt.
const STRETCH: usize = 2;

fn extent(positions: &[DVec3]) -> f64 {
    let low = positions.iter().copied().fold(DVec3::INFINITY, DVec3::min);
    let high = positions.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
    let size = (high - low).length();
    if size.is_finite() { size } else { 0.0 }
}

fn wind_speed(model: &Model) -> f64 {
    model.settings.wind.as_ref().map_or(0.0, |wind| {
        let gust = wind.gust.as_ref().map_or(0.0, |gust| gust.amplitude.abs());
        wind.velocity.length() * (1.0 + gust)
    })
}

/// The fastest keyframed motion, of things of this size.
fn track_speed(model: &Model, size: f64) -> f64 {
    let mut fastest = 0.0f64;
    for &[start, count] in &model.tracks.tracks {
        // After the pivot, two records a key: time and offset, then rotation.
        let record = |k: u32, part: u32| model.tracks.keys[(start + 1 + 2 * k + part) as usize];
        for k in 1..count {
            let [a, b] = [record(k - 1, 0), record(k, 0)];
            let way = DVec3::new(b[1] - a[1], b[2] - a[2], b[3] - a[3]).length();
            let [p, q] = [record(k - 1, 1), record(k, 1)];
            let dot: f64 = p.iter().zip(q).map(|(p, q)| p * q).sum();
            let turn = 2.0 * dot.abs().min(1.0).acos();
            let duration = b[0] - a[0];
            if duration > 0.0 {
                fastest = fastest.max((way + turn * size) / duration);
            }
        }
    }
    fastest
}

/// The body of the particle for which a value is largest.
fn body_of_largest(model: &Model, values: impl Iterator<Item = f64>) -> Option<String> {
    let largest = values.enumerate().max_by(|a, b| a.1.total_cmp(&b.1))?.0;
    Some(model.body_of(largest as u32)?.name.clone())
}

fn most_stretched(simulation: &mut Simulation) -> Result<Option<String>, SimulationError> {
    let x = simulation.model_positions()?;
    let model = simulation.model();
    Ok(body_of_largest(model, particle_strains(model, &x).into_iter()))
}

fn fastest(simulation: &mut Simulation) -> Result<Option<String>, SimulationError> {
    let v = simulation.model_velocities()?;
    Ok(body_of_largest(simulation.model(), v.iter().map(|v| v.length())))
}
