//! Loads that grow: forces and torques are raised in steps, holds that move are followed in steps, and all forces are raised until the
//! rods buckle.

use super::newton::{Equilibrium, Limits, equilibrium, lowest_displacements, unstable_modes};
use super::system::System;
use crate::math::{Vec3, Vec4};
use crate::model::Model;
use crate::particles::track::Tracks;
use glam::{DQuat, DVec3};

/// The most that a hold moves in a step of its path, in lengths of the shortest segment. Rotations are in pieces of 10° already.
const LONGEST_MOVE: f64 = 1.0;
/// The most steps between two keys, and the most that loads are raised in.
const MOST_PIECES: f64 = 2000.0;
/// The most steps of the loads that may be asked for.
pub const MOST_LOAD_STEPS: u32 = 10_000;
/// What may be left of the forces at states on the way, and the most iterations for one of them: they need not be at rest, only near.
const PASSING: f64 = 1e-6;
const PASSING_ITERATIONS: u32 = 50;

/// The most that a torque may bend or twist its rod in a step of its path, if the rod is even [rad].
const LONGEST_TURN: f64 = 0.2;

/// A state of rest on the way.
#[derive(Clone, Copy, Debug)]
pub struct Passed<'a> {
    /// What the forces and torques are multiplied by.
    pub load: f64,
    /// [s].
    pub time: f64,
    pub found: &'a Equilibrium,
}

/// The rods of a model at the end of a path.
#[derive(Clone, Debug)]
pub struct Followed {
    pub found: Equilibrium,
    /// States of rest on the way.
    pub steps: usize,
    /// The first time at which the state was unstable [s].
    pub buckled: Option<f64>,
}

/// When the last keyframe of a pin or clamp is [s]; 0 if none moves.
pub fn last_key(model: &Model) -> f64 {
    key_times(model).last().copied().unwrap_or(0.0)
}

/// The times of all keys of rigid pins and frames, in order.
fn key_times(model: &Model) -> Vec<f64> {
    let pins = model.pins.iter().filter(|pin| pin.is_rigid()).filter_map(|pin| pin.track);
    let tracks = pins.chain(model.rods.frames.iter().filter_map(|frame| frame.track));
    let keys = |track: u32| {
        let [start, count] = model.tracks.tracks[track as usize];
        (0..count).map(move |k| model.tracks.keys[(start + 1 + 2 * k) as usize][0])
    };
    let mut times: Vec<f64> = tracks.flat_map(keys).filter(|&time| time > 0.0).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    times
}

/// Puts what is held where its motion has brought it at a time [s].
fn lead(system: &mut System, model: &Model, time: f64) {
    let keys: Vec<Vec4<f64>> = model.tracks.keys.iter().map(|&[x, y, z, w]| Vec4::new(x, y, z, w)).collect();
    let tracks = Tracks { tracks: &model.tracks.tracks, keys: &keys };
    for pin in model.pins.iter().filter(|pin| pin.is_rigid()) {
        if let Some(track) = pin.track {
            let [x, y, z] = pin.anchor.to_array();
            let x = tracks.point(track, time, Vec3::new(x, y, z));
            system.positions[pin.particle as usize] = DVec3::new(x.x, x.y, x.z);
        }
    }
    for (frame, q) in model.rods.frames.iter().zip(&mut system.orientations) {
        if let Some(track) = frame.track {
            let r = tracks.pose(track, time).rotation;
            *q = DQuat::from_xyzw(r.x, r.y, r.z, r.w) * frame.drive_rest;
        }
    }
}

/// Steps in which torques have to be raised, so that each bends its rod by little.
fn torque_steps(system: &System) -> u32 {
    let largest = system.torques.iter().map(|torque| torque.value.length()).fold(0.0, f64::max);
    let compliance: f64 = system.joints.iter().map(|joint| joint.stiffness.min_element().recip()).sum();
    // Of equal rods each has its own torque.
    let angle = largest * compliance / system.torques.len().max(1) as f64;
    // What is endlessly soft cannot be followed anyway.
    if angle.is_finite() { (angle / LONGEST_TURN).ceil().clamp(1.0, MOST_PIECES) as u32 } else { 1 }
}

/// Raises all forces and torques of a model in steps, then follows the motion of pins and clamps from the start to a time [s], from one state
/// of rest to the next. `seen` gets each, the last one too.
pub fn follow(
    model: &Model,
    time: f64,
    load_steps: u32,
    limits: &Limits,
    seen: &mut dyn FnMut(Passed<'_>),
) -> Followed {
    let mut system = System::of_model(model);
    lead(&mut system, model, 0.0);
    let shortest = system.segments.iter().map(|s| s.rest_length).fold(f64::INFINITY, f64::min);
    let mut ends: Vec<f64> = key_times(model).into_iter().filter(|&key| key < time).collect();
    ends.push(time);
    let passing = Limits {
        tolerance: limits.tolerance.max(PASSING),
        iterations: limits.iterations.min(PASSING_ITERATIONS),
        ..*limits
    };
    let (mut steps, mut buckled, mut before) = (0, None, 0.0);
    let full = system.clone();
    // What the torques need, between two states that are told of.
    let between = torque_steps(&system).div_ceil(load_steps);
    let pieces = load_steps * between;
    for piece in 1..pieces {
        let load = f64::from(piece) / f64::from(pieces);
        let found = equilibrium(
            &System { positions: system.positions, orientations: system.orientations, ..full.loaded(load) },
            &passing,
        );
        if piece.is_multiple_of(between) {
            seen(Passed { load, time: 0.0, found: &found });
        }
        system = found.system;
        steps += 1;
    }
    system = System { positions: system.positions, orientations: system.orientations, ..full };
    if time > 0.0 {
        let found = equilibrium(&system, &passing);
        seen(Passed { load: 1.0, time: 0.0, found: &found });
        system = found.system;
    }
    for &end in &ends {
        let mut led = system.clone();
        lead(&mut led, model, end);
        let moves = led.positions.iter().zip(&system.positions).map(|(a, b)| a.distance(*b));
        let longest = moves.fold(0.0, f64::max) / (LONGEST_MOVE * shortest);
        let pieces = longest.ceil().clamp(1.0, MOST_PIECES) as u32;
        for piece in 1..=pieces {
            let now = before + (end - before) * f64::from(piece) / f64::from(pieces);
            lead(&mut system, model, now);
            if now >= time {
                break;
            }
            let found = equilibrium(&system, &passing);
            if found.converged && found.unstable_modes > 0 {
                buckled = buckled.or(Some(now));
            }
            seen(Passed { load: 1.0, time: now, found: &found });
            system = found.system;
            steps += 1;
        }
        before = end;
    }
    let found = equilibrium(&system, limits);
    if found.unstable_modes > 0 {
        buckled = buckled.or(Some(time));
    }
    seen(Passed { load: 1.0, time, found: &found });
    Followed { found, steps, buckled }
}

/// What comes of a state as all its forces grow together.
#[derive(Clone, Debug)]
pub enum Buckling {
    /// It loses its stiffness.
    At {
        /// What the forces are multiplied by there.
        factor: f64,
        /// How it gives way: displacements of the particles, the largest 1.
        mode: Vec<DVec3>,
    },
    /// Not up to [`MOST_LOAD`] times its forces.
    Never,
    /// It is unstable without any force.
    Unloaded,
    /// No state of rest was found under this many times its forces.
    Lost(f64),
}

/// The largest factor that is tried.
pub const MOST_LOAD: f64 = 1024.0;
/// How well the factor is found.
const PRECISION: f64 = 1e-7;
/// The share of its stiffness that a motion may lack without counting as unstable: rounding, where it is neutral.
const NEUTRAL: f64 = 1e-13;

/// The least factor of all forces, gravity among them, at which a system buckles.
pub fn buckling(system: &System, limits: &Limits) -> Buckling {
    let loaded = |from: &System, factor: f64| {
        let System { forces, torques, .. } = system.loaded(factor);
        let found = equilibrium(&System { forces, torques, ..from.clone() }, limits);
        let is_stable = unstable_modes(&found.system, NEUTRAL) == Some(0);
        found.converged.then_some((found.system, is_stable))
    };
    let (mut low, mut high) = (0.0, 1.0);
    let mut stable = match loaded(system, low) {
        Some((state, true)) => state,
        Some((_, false)) => return Buckling::Unloaded,
        None => return Buckling::Lost(low),
    };
    loop {
        match loaded(&stable, high) {
            Some((state, true)) => (low, stable) = (high, state),
            Some((_, false)) => break,
            None => return Buckling::Lost(high),
        }
        high *= 2.0;
        if high > MOST_LOAD {
            return Buckling::Never;
        }
    }
    while high - low > PRECISION * high {
        let middle = 0.5 * (low + high);
        match loaded(&stable, middle) {
            Some((state, true)) => (low, stable) = (middle, state),
            Some((_, false)) => high = middle,
            None => return Buckling::Lost(middle),
        }
    }
    match lowest_displacements(&stable) {
        Some(mode) => Buckling::At { factor: high, mode },
        None => Buckling::Lost(high),
    }
}
