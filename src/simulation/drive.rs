//! Pins, clamps and colliders that a program leads, step by step.

use super::{Simulation, SimulationError};
use crate::checkpoint::Led;
use crate::compute::Data;
use crate::scene::Pose;
use glam::DQuat;

/// Numbers of a record, and the first one of a key after its track's pivot.
const RECORD: usize = 4;

impl Simulation {
    /// Leads a pin, a clamp or a collider: in the next step it moves evenly from where it is to a pose, and stays there until it is led on.
    ///
    /// `name` is that of [`Simulation::reactions`]: `rope.pin1`, or a collider's name. The pose is relative to where it is at the start,
    /// and turns about its pivot, as in a keyframe. A `motion` of at least two keyframes in the scene makes something movable; being led
    /// replaces it. Where a program has led things is part of the state, and a checkpoint keeps it. Blocks.
    ///
    /// ```
    /// use sinew::glam::{DQuat, DVec3};
    /// use sinew::scene::Pose;
    /// use sinew::{Checked, Kinds, Options, Precision, Simulation};
    ///
    /// let text = r#"
    ///     format = 1
    ///     [[rod]]
    ///     name = "rope"
    ///     from = [0, 1, 0]
    ///     to = [1, 1, 0]
    ///     segments = 10
    ///     start = { hold = "pinned", motion = [{ time = 0 }, { time = 1 }] }
    /// "#;
    /// let scene = Checked::parse(text, "rope.toml", "", &Kinds::standard())?;
    /// let mut simulation = Simulation::new(&scene, &Options::cpu(Precision::F64))?;
    /// for step in 1..=10 {
    ///     let offset = DVec3::new(0.0, 0.0, 0.01 * f64::from(step));
    ///     simulation.drive("rope.pin1", Pose { offset, rotation: DQuat::IDENTITY })?;
    ///     simulation.step()?;
    /// }
    /// assert!(simulation.body("rope")?.positions()?[0].distance(DVec3::new(0.0, 1.0, 0.1)) < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn drive(&mut self, name: &str, pose: Pose) -> Result<(), SimulationError> {
        if !(pose.offset.is_finite() && (pose.rotation.length() - 1.0).abs() < 1e-6) {
            return Err(SimulationError::Pose { name: name.into() });
        }
        let tracks = self.tracks_of(name)?;
        let id = self.epoch.solver.buffers.find("track_keys").ok_or_else(|| still(name))?;
        let Data::Reals(mut keys) = self.executor.read(id)? else { return Err(still(name)) };
        let now = self.time();
        let then = now + self.epoch.model.settings.time_step;
        let from = tracks.iter().map(|&track| pose_of(&keys, self.range_of(track), now)).collect();
        let led = Led { name: name.into(), span: [now, then], from, to: pose };
        self.lead(&led, &tracks, &mut keys);
        self.executor.write(id, &Data::Reals(keys))?;
        self.led.retain(|other| other.name != name);
        self.led.push(led);
        Ok(())
    }

    /// Leads what another state says was led, and nothing else. What this scene does not have, or cannot be led, stays as the scene has it.
    pub(super) fn lead_again(&mut self, led: Vec<Led>) -> Result<(), SimulationError> {
        if self.led.is_empty() && led.is_empty() {
            return Ok(());
        }
        let Some(id) = self.epoch.solver.buffers.find("track_keys") else { return Ok(()) };
        let mut keys = self.epoch.model.tracks.keys.concat();
        for led in &led {
            if let Ok(tracks) = self.tracks_of(&led.name)
                && tracks.len() == led.from.len()
            {
                self.lead(led, &tracks, &mut keys);
            }
        }
        self.executor.write(id, &Data::Reals(keys))?;
        self.led = led;
        Ok(())
    }

    /// Writes the keys of tracks anew.
    fn lead(&self, led: &Led, tracks: &[u32], keys: &mut [f64]) {
        for (&track, &from) in tracks.iter().zip(&led.from) {
            let (start, count) = self.range_of(track);
            let key = |k: usize| RECORD * (start + 1 + 2 * k);
            for k in 0..count {
                let (time, pose) = if k == 0 { (led.span[0], from) } else { (led.span[1], led.to) };
                keys[key(k)] = time;
                keys[key(k) + 1..key(k) + RECORD].copy_from_slice(&pose.offset.to_array());
                keys[key(k) + RECORD..key(k) + 2 * RECORD].copy_from_slice(&pose.rotation.to_array());
            }
        }
    }

    /// The first record of a track, and its number of keys.
    fn range_of(&self, track: u32) -> (usize, usize) {
        let [start, count] = self.epoch.model.tracks.tracks[track as usize];
        (start as usize, count as usize)
    }

    /// The tracks of what has this name, all of which can be written anew.
    fn tracks_of(&self, name: &str) -> Result<Vec<u32>, SimulationError> {
        let model = &self.epoch.model;
        let held = super::reactions::held(model).into_iter().find(|held| held.name == name);
        let colliders = &model.source.scene().scene().collider;
        let collider = colliders.iter().position(|collider| collider.name == name);
        let mut tracks: Vec<u32> = match (held, collider) {
            (Some(held), _) => {
                let is_own = |particle: &u32| held.particles.contains(particle);
                let pins = model.pins.iter().filter(|pin| is_own(&pin.particle)).filter_map(|pin| pin.track);
                let walls = model.rods.frames.iter().filter(|frame| frame.particles.iter().any(is_own));
                pins.chain(walls.filter_map(|frame| frame.track)).collect()
            }
            (None, Some(k)) => model.colliders[k].track.into_iter().collect(),
            (None, None) => {
                let pins = super::reactions::held(model).into_iter().map(|held| held.name);
                let known = pins.chain(colliders.iter().map(|collider| collider.name.clone()));
                let known: Vec<String> = known.map(|name| format!("`{name}`")).collect();
                return Err(SimulationError::NothingToDrive { name: name.into(), known: known.join(", ") });
            }
        };
        tracks.sort_unstable();
        tracks.dedup();
        let is_short = |&track: &u32| model.tracks.tracks[track as usize][1] < 2;
        if tracks.is_empty() || tracks.iter().any(is_short) {
            return Err(still(name));
        }
        Ok(tracks)
    }
}

fn still(name: &str) -> SimulationError {
    SimulationError::Still { name: name.into() }
}

/// Where a track is at a time, from its column.
fn pose_of(keys: &[f64], (start, count): (usize, usize), time: f64) -> Pose {
    let key = |k: usize| &keys[RECORD * (start + 1 + 2 * k)..];
    let k = (1..count).rev().find(|&k| key(k)[0] <= time).unwrap_or(0);
    let n = (k + 1).min(count - 1);
    let span = key(n)[0] - key(k)[0];
    let s = if span > 0.0 { ((time - key(k)[0]) / span).clamp(0.0, 1.0) } else { 0.0 };
    let offset = |k: usize| glam::DVec3::from_slice(&key(k)[1..]);
    let rotation = |k: usize| DQuat::from_slice(&key(k)[RECORD..]);
    Pose { offset: offset(k).lerp(offset(n), s), rotation: rotation(k).lerp(rotation(n), s) }
}
