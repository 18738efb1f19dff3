//! The rods of a body made ready: frames, joints, walls and end loads.

use super::loaded::{Hanging, Loaded, slack};
use super::stable_step::{chain_joints, stable_substep};
use crate::model::rods::{EndLoad, Frame, Joint, Release, Rod, Rods};
use crate::model::tracks::Tracks;
use crate::scene::{self, Hold, RodEnd, RodGeometry, RodMethod, RodRest, motion};
use glam::{DQuat, DVec3};

/// The fastest motion of a frame against its neighbours, in radians a substep. It is far beyond what a step resolves, so
/// frames are given the inertia that slows them down to it, and f32 keeps the compliance of a joint beside 1/inertia.
const FASTEST: f64 = 50.0;

/// The most that a torque at an end may turn its frame in a substep, of what the rod then takes back [rad]. The frame is as heavy
/// as that takes: the solvers linearise about where it would go.
const LOADED_TURN: f64 = 0.05;

/// One body's rods, by its own particle numbers.
pub(crate) struct Part<'a> {
    pub rod: &'a scene::Rod,
    pub shape: &'a RodGeometry,
}

impl Part<'_> {
    /// One mass per particle [kg]: half of each segment beside it, and the weights.
    pub fn masses(&self) -> Vec<f64> {
        let mut masses = self.bare_masses();
        self.shape.weights.iter().for_each(|&(particle, mass)| masses[particle as usize] += mass);
        masses
    }

    /// Without the weights.
    fn bare_masses(&self) -> Vec<f64> {
        let (material, n) = (&self.rod.material, self.shape.nodes as usize);
        let mut masses = vec![0.0; self.shape.positions.len()];
        for (line, masses) in self.shape.positions.chunks(n).zip(masses.chunks_mut(n)) {
            for i in 0..n - 1 {
                let half = 0.5 * material.density * material.area() * line[i].distance(line[i + 1]);
                masses[i] += half;
                masses[i + 1] += half;
            }
        }
        masses
    }

    /// The longest substep for what hangs on rods that are solved directly [s].
    pub fn loaded_substep(&self, forces: &[(u32, DVec3)], hanging: Hanging, gravity: DVec3) -> Option<f64> {
        if self.rod.method != RodMethod::Direct {
            return None;
        }
        let (shape, material, n) = (self.shape, &self.rod.material, self.shape.nodes as usize);
        let lengths = shape.positions.chunks(n).flat_map(|line| line.windows(2));
        let loaded = Loaded {
            bare_masses: &self.bare_masses(),
            weights: &shape.weights,
            forces,
            hanging,
            shortest: lengths.map(|pair| pair[0].distance(pair[1])).fold(f64::INFINITY, f64::min),
            stretch_stiffness: material.stretch_stiffness().z,
            held: shape.pins.len(),
            slack: self.slack(-gravity.normalize_or_zero()),
            rods: shape.positions.len() / n,
        };
        loaded.longest_substep(gravity.length())
    }

    /// The largest fall of a weight into its slack rope, over the rope's length.
    fn slack(&self, up: DVec3) -> f64 {
        let n = self.shape.nodes;
        let held = || self.shape.pins.iter().flat_map(|pin| &pin.particles);
        let falls = self.shape.weights.iter().flat_map(|&(load, _)| {
            let line = &self.shape.positions[(load / n * n) as usize..][..n as usize];
            let supports = held().filter(move |&&held| held / n == load / n && held != load);
            supports.map(move |held| slack(line, (load % n) as usize, (held % n) as usize, up))
        });
        falls.fold(0.0, f64::max)
    }

    /// The longest stable substep of explicit rods without their weights, which only slow them down [s].
    pub fn stable_substep(&self, frame_substeps: u32) -> Option<f64> {
        (self.rod.method == RodMethod::Corde).then(|| {
            let (masses, n) = (self.bare_masses(), self.shape.nodes);
            let limit = |rod: u32| {
                let frames = self.chain(rod, rod * n, 0.0, &mut Tracks::default());
                let joints = chain_joints(&frames);
                stable_substep(&frames, joints, frame_substeps, |p| masses[p as usize])
            };
            (0..self.shape.different).map(limit).fold(f64::INFINITY, f64::min)
        })
    }

    /// The links that are drawn.
    pub fn segments(&self) -> Vec<[u32; 2]> {
        let last = self.shape.nodes - 1;
        let all = 0..self.shape.positions.len() as u32;
        all.filter(|i| i % self.shape.nodes != last).map(|i| [i, i + 1]).collect()
    }

    /// The frames of one of the rods, whose particles begin at `base`.
    fn chain(&self, number: u32, base: u32, dt: f64, tracks: &mut Tracks) -> Vec<Frame> {
        let (rod, nodes) = (self.rod, self.shape.nodes as usize);
        let segments = nodes - 1;
        let line = &self.shape.positions[number as usize * nodes..][..nodes];
        let frames = &self.shape.frames[number as usize * segments..][..segments];
        let lengths: Vec<f64> = line.windows(2).map(|pair| pair[0].distance(pair[1])).collect();
        let last = (segments as f64 - 1.0).max(1.0);
        let untwisted =
            |i: usize| frames[i] * DQuat::from_rotation_z(-rod.twist.to_radians() * i as f64 / last);
        let joint = |length: f64, relative: DQuat| Joint {
            rest: rest_strain(rod.rest, length, relative),
            compliance: DVec3::splat(length) / rod.material.bending_stiffness(),
            length,
            friction: rod.material.bend_friction,
        };
        // An explicit step is below the limit anyway, and nothing is solved that f32 would have to hold.
        let dt = if rod.method == RodMethod::Corde { 0.0 } else { dt };
        let mut chain = Vec::with_capacity(segments + 2);
        if rod.start.hold == Hold::Clamped {
            let track = tracks.add(&rod.start.motion, rod.start.pivot.unwrap_or(line[0]));
            let joint = joint(0.5 * lengths[0], DQuat::IDENTITY);
            let inertia = free_wall(&rod.material, lengths[0], dt);
            chain.push(wall(&rod.start, base, frames[0], track, Some(joint), inertia));
        }
        for i in 0..segments {
            let next = (i + 1 < segments).then(|| {
                joint(0.5 * (lengths[i] + lengths[i + 1]), untwisted(i).conjugate() * untwisted(i + 1))
            });
            let end_wall = (i + 1 == segments && rod.end.hold == Hold::Clamped)
                .then(|| joint(0.5 * lengths[i], DQuat::IDENTITY));
            let inertia = inertia(&rod.material, lengths[i], dt);
            chain.push(Frame {
                particles: [base + i as u32, base + i as u32 + 1],
                orientation: frames[i],
                spin: DVec3::ZERO,
                rest_length: lengths[i],
                stretch_compliance: DVec3::splat(lengths[i]) / rod.material.stretch_stiffness(),
                friction: rod.material.stretch_friction,
                inertia,
                inverse_inertia: DVec3::ONE / inertia,
                release: None,
                joint: next.or(end_wall),
                track: None,
                drive_rest: frames[i],
            });
        }
        if rod.end.hold == Hold::Clamped {
            let track = tracks.add(&rod.end.motion, rod.end.pivot.unwrap_or(line[segments]));
            let inertia = free_wall(&rod.material, lengths[segments - 1], dt);
            chain.push(wall(&rod.end, base + segments as u32, frames[segments - 1], track, None, inertia));
        }
        for (end, place) in [(&rod.start, 0), (&rod.end, segments - 1)] {
            let frame = &mut chain[usize::from(rod.start.hold == Hold::Clamped) + place];
            frame.inertia = frame.inertia.max(DVec3::splat(end.torque.length() * dt * dt / LOADED_TURN));
            frame.inverse_inertia = frame.inertia.recip();
        }
        let ends = [(&rod.start, 0, line[0]), (&rod.end, segments - 1, line[segments])];
        for (end, place, x) in ends.into_iter().filter(|(end, ..)| end.hold == Hold::Framed) {
            let walls = usize::from(rod.start.hold == Hold::Clamped);
            let frame = &mut chain[walls + place];
            frame.inverse_inertia = DVec3::ZERO;
            frame.release = Release::at(end.release, frame.inertia);
            frame.track = tracks.add(&end.motion, end.pivot.unwrap_or(x));
            if frame.track.is_some() {
                frame.orientation = motion::pose_at(&end.motion, 0.0).rotation * frame.orientation;
            }
        }
        chain
    }

    /// What pulls at and turns the ends of a rod whose particles begin at `base`.
    fn loads(&self, base: u32) -> Vec<EndLoad> {
        let (rod, segments) = (self.rod, self.shape.nodes - 1);
        let walls = u32::from(rod.start.hold == Hold::Clamped);
        let load = |end: &RodEnd, segment: u32, particle: u32| EndLoad {
            place: Some(walls + segment),
            particle: base + particle,
            force: end.force,
            torque: end.torque,
            follows: end.torque_follows,
        };
        let mut loads = [load(&rod.start, 0, 0), load(&rod.end, segments - 1, segments)];
        if segments == 1 {
            // Both ends have the same frame, which one of the loads turns.
            loads[0].torque += loads[1].torque;
            loads[0].follows |= loads[1].follows;
            loads[1].torque = DVec3::ZERO;
        }
        for load in &mut loads {
            load.place = load.place.filter(|_| load.torque != DVec3::ZERO);
        }
        loads.into_iter().filter(|load| load.force != DVec3::ZERO || load.place.is_some()).collect()
    }
}

impl Rods {
    /// Adds a body's rods, whose particles begin at `base`. `dt` is the substep [s].
    pub(crate) fn add(&mut self, part: &Part, body: u32, base: u32, dt: f64, tracks: &mut Tracks) {
        let n = part.shape.nodes;
        let material = &part.rod.material;
        for rod in 0..part.shape.positions.len() as u32 / n {
            let start = self.frames.len() as u32;
            self.frames.extend(part.chain(rod, base + rod * n, dt, tracks));
            self.rods.push(Rod {
                body,
                method: part.rod.method,
                frames: start..self.frames.len() as u32,
                drag_width: 2.0 * material.radius * part.rod.drag,
                loads: part.loads(base + rod * n),
            });
        }
    }
}

/// The frame of a clamped end, half a segment from the middle of the next one: with the segment's own frame held instead,
/// the rod would be half a segment too short. Let go, it is a frame at the very end of the rod.
fn wall(
    end: &RodEnd,
    particle: u32,
    orientation: DQuat,
    track: Option<u32>,
    joint: Option<Joint>,
    inertia: DVec3,
) -> Frame {
    let turned = motion::pose_at(&end.motion, 0.0).rotation;
    Frame {
        particles: [particle; 2],
        orientation: if track.is_some() { turned * orientation } else { orientation },
        spin: DVec3::ZERO,
        rest_length: 0.0,
        stretch_compliance: DVec3::ONE,
        friction: 0.0,
        inertia: if end.release.is_some() { inertia } else { DVec3::ZERO },
        inverse_inertia: DVec3::ZERO,
        release: Release::at(end.release, inertia),
        joint,
        track,
        drive_rest: orientation,
    }
}

/// The inertia of a wall that has been let go: as much as the frame beside it, about all axes.
fn free_wall(material: &scene::RodMaterial, length: f64, dt: f64) -> DVec3 {
    DVec3::splat(inertia(material, length, dt).max_element())
}

/// 2 s₀ of a joint of length L.
fn rest_strain(rest: RodRest, length: f64, relative: DQuat) -> DVec3 {
    match rest {
        RodRest::Shape => relative.xyz() * if relative.w < 0.0 { -2.0 } else { 2.0 },
        RodRest::Straight => DVec3::ZERO,
        // 2 sin(θ/2) of the exact angle: the rest shape then has this curvature however long the segments.
        RodRest::Curved(u) => {
            let angle = u.length() * length;
            if angle == 0.0 { DVec3::ZERO } else { u * (2.0 * (0.5 * angle).sin() / u.length()) }
        }
    }
}

/// The inertia of a segment's frame [kg m²].
///
/// The section's own rotary inertia is ρ A l r²/4. The masses sit at the particles, so a frame may be given up to m l²/4
/// more and the rod's motion changes by 0.375 (l/L)² only (the period of a swinging rod); that makes frames about as heavy
/// as particles, which all solvers like.
pub(crate) fn inertia(material: &crate::scene::RodMaterial, length: f64, dt: f64) -> DVec3 {
    let mass = material.density * material.area() * length;
    let section = material.density * material.second_moment() * length;
    let bend = match material.frame_inertia {
        Some(factor) => factor * section,
        None => section.max(0.25 * mass * length * length),
    };
    let least = material.bending_stiffness() * (4.0 * dt * dt / (FASTEST * FASTEST * length));
    DVec3::new(bend, bend, 2.0 * section).max(least)
}
