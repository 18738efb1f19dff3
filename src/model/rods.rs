//! The frames of rods, ready to run.

use super::tracks::Tracks;
use crate::scene::{self, Hold, RodEnd, RodGeometry, RodMethod, RodRest, motion};
use glam::{DQuat, DVec3};
use std::ops::Range;

/// A rod: a chain of frames, the walls of clamped ends included.
#[derive(Clone, Debug, PartialEq)]
pub struct Rod {
    /// Which of the model's bodies it belongs to.
    pub body: u32,
    pub method: RodMethod,
    /// Its place among the model's frames.
    pub frames: Range<u32>,
}

/// A segment's frame and the joint to the next one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// The particles at the segment's ends; a wall names the held one twice.
    pub particles: [u32; 2],
    /// Where it points at the start: the third axis along the segment.
    pub orientation: DQuat,
    /// l [m]; 0 for a wall.
    pub rest_length: f64,
    /// l over the stiffness of shear (twice) and stretch [m/N].
    pub stretch_compliance: DVec3,
    /// γₜ of explicit rods [kg m/s].
    pub friction: f64,
    /// About its own axes [kg m²].
    pub inertia: DVec3,
    /// 0 for a wall [1/(kg m²)].
    pub inverse_inertia: DVec3,
    /// The joint to the next frame of the rod.
    pub joint: Option<Joint>,
    /// The track that turns a wall.
    pub track: Option<u32>,
    /// Its orientation before the track turns it.
    pub drive_rest: DQuat,
}

/// What resists the rotation of a frame against the one before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint {
    /// 2 s₀, of the relative orientation at rest.
    pub rest: DVec3,
    /// L/K about the three axes [rad/(N m)].
    pub compliance: DVec3,
    /// L [m].
    pub length: f64,
    /// γᵣ of explicit rods [kg m³/s].
    pub friction: f64,
}

impl Frame {
    /// Whether it stands for a wall and not for a segment.
    pub fn is_wall(&self) -> bool {
        self.rest_length == 0.0
    }
}

/// All rods of a model and their frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rods {
    /// Sorted by method.
    pub rods: Vec<Rod>,
    pub frames: Vec<Frame>,
    pub weights: Vec<Weight>,
}

/// A mass attached to the end of a rod.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weight {
    /// Which of the model's bodies it belongs to.
    pub body: u32,
    pub particle: u32,
    /// [kg].
    pub mass: f64,
}

impl Weight {
    /// Of a ball of steel, as which it is drawn [m].
    pub fn radius(&self) -> f64 {
        let volume = self.mass / scene::RodMaterial::STEEL_WIRE.density;
        (0.75 * volume / std::f64::consts::PI).cbrt()
    }
}

/// The fastest motion of a frame against its neighbours, in radians a substep. It is far beyond what a step resolves, so
/// frames are given the inertia that slows them down to it, and f32 keeps the compliance of a joint beside 1/inertia.
const FASTEST: f64 = 50.0;

/// One body's rods, by its own particle numbers.
pub(super) struct Part<'a> {
    pub rod: &'a scene::Rod,
    pub shape: &'a RodGeometry,
}

impl Part<'_> {
    /// One mass per particle [kg]: half of each segment beside it, and the weights.
    pub fn masses(&self) -> Vec<f64> {
        let (material, n) = (&self.rod.material, self.shape.nodes as usize);
        let mut masses = vec![0.0; self.shape.positions.len()];
        for (line, masses) in self.shape.positions.chunks(n).zip(masses.chunks_mut(n)) {
            for i in 0..n - 1 {
                let half = 0.5 * material.density * material.area() * line[i].distance(line[i + 1]);
                masses[i] += half;
                masses[i + 1] += half;
            }
            masses[0] += self.rod.start.weight;
            masses[n - 1] += self.rod.end.weight;
        }
        masses
    }

    /// The longest stable substep of an explicit rod [s]; all copies have the same.
    pub fn stable_substep(&self) -> Option<f64> {
        (self.rod.method == RodMethod::Corde).then(|| {
            let line = &self.shape.positions[..self.shape.nodes as usize];
            let frames = chain(self, line, 0, 0.0, &mut Tracks::default());
            let masses = self.masses();
            super::corde::stable_substep(&frames, |particle| masses[particle as usize])
        })
    }

    /// The links that are drawn.
    pub fn segments(&self) -> Vec<[u32; 2]> {
        let last = self.shape.nodes - 1;
        let all = 0..self.shape.positions.len() as u32;
        all.filter(|i| i % self.shape.nodes != last).map(|i| [i, i + 1]).collect()
    }
}

impl Rods {
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// Adds a body's rods, whose particles begin at `base`. `dt` is the substep [s].
    pub(super) fn add(&mut self, part: &Part, body: u32, base: u32, dt: f64, tracks: &mut Tracks) {
        let n = part.shape.nodes;
        for first in (0..part.shape.positions.len() as u32).step_by(n as usize) {
            let line = &part.shape.positions[first as usize..(first + n) as usize];
            let start = self.frames.len() as u32;
            self.frames.extend(chain(part, line, base + first, dt, tracks));
            let ends = [(part.rod.start.weight, first), (part.rod.end.weight, first + n - 1)];
            let weights = ends.into_iter().filter(|(mass, _)| *mass > 0.0);
            self.weights.extend(weights.map(|(mass, node)| Weight { body, particle: base + node, mass }));
            self.rods.push(Rod { body, method: part.rod.method, frames: start..self.frames.len() as u32 });
        }
    }

    /// Puts the rods of each method side by side.
    pub(super) fn sort(&mut self) {
        self.rods.sort_by_key(|rod| rod.method);
        let mut frames = Vec::with_capacity(self.frames.len());
        for rod in &mut self.rods {
            let range = rod.frames.start as usize..rod.frames.end as usize;
            let start = frames.len() as u32;
            frames.extend_from_slice(&self.frames[range]);
            rod.frames = start..frames.len() as u32;
        }
        self.frames = frames;
    }

    /// The range of rods of a method.
    pub fn of_method(&self, method: RodMethod) -> Range<u32> {
        let start = self.rods.partition_point(|rod| rod.method < method) as u32;
        let end = self.rods.partition_point(|rod| rod.method <= method) as u32;
        start..end
    }

    /// The range of frames of a method.
    pub fn frames_of_method(&self, method: RodMethod) -> Range<u32> {
        let rods = self.of_method(method);
        let rods = &self.rods[rods.start as usize..rods.end as usize];
        let start = rods.first().map_or(0, |rod| rod.frames.start);
        start..rods.last().map_or(start, |rod| rod.frames.end)
    }
}

/// The frames of one rod.
fn chain(part: &Part, line: &[DVec3], base: u32, dt: f64, tracks: &mut Tracks) -> Vec<Frame> {
    let (rod, frames) = (part.rod, &part.shape.frames);
    let segments = frames.len();
    let lengths: Vec<f64> = line.windows(2).map(|pair| pair[0].distance(pair[1])).collect();
    let last = (segments as f64 - 1.0).max(1.0);
    let untwisted = |i: usize| frames[i] * DQuat::from_rotation_z(-rod.twist.to_radians() * i as f64 / last);
    let joint = |length: f64, relative: DQuat| Joint {
        rest: rest_strain(rod.rest, length, relative),
        compliance: DVec3::splat(length) / rod.material.bending_stiffness(),
        length,
        friction: rod.material.bend_friction,
    };
    let mut chain = Vec::with_capacity(segments + 2);
    if rod.start.hold == Hold::Clamped {
        let track = tracks.add(&rod.start.motion, rod.start.pivot.unwrap_or(line[0]));
        let joint = joint(0.5 * lengths[0], DQuat::IDENTITY);
        chain.push(wall(&rod.start, base, frames[0], track, Some(joint)));
    }
    for i in 0..segments {
        let next = (i + 1 < segments)
            .then(|| joint(0.5 * (lengths[i] + lengths[i + 1]), untwisted(i).conjugate() * untwisted(i + 1)));
        let end_wall = (i + 1 == segments && rod.end.hold == Hold::Clamped)
            .then(|| joint(0.5 * lengths[i], DQuat::IDENTITY));
        // An explicit step is below the limit anyway, and nothing is solved that f32 would have to hold.
        let dt = if rod.method == RodMethod::Corde { 0.0 } else { dt };
        let inertia = inertia(&rod.material, lengths[i], dt);
        chain.push(Frame {
            particles: [base + i as u32, base + i as u32 + 1],
            orientation: frames[i],
            rest_length: lengths[i],
            stretch_compliance: DVec3::splat(lengths[i]) / rod.material.stretch_stiffness(),
            friction: rod.material.stretch_friction,
            inertia,
            inverse_inertia: DVec3::ONE / inertia,
            joint: next.or(end_wall),
            track: None,
            drive_rest: frames[i],
        });
    }
    if rod.end.hold == Hold::Clamped {
        let track = tracks.add(&rod.end.motion, rod.end.pivot.unwrap_or(line[segments]));
        chain.push(wall(&rod.end, base + segments as u32, frames[segments - 1], track, None));
    }
    let ends = [(&rod.start, 0, line[0]), (&rod.end, segments - 1, line[segments])];
    for (end, place, x) in ends.into_iter().filter(|(end, ..)| end.hold == Hold::Framed) {
        let walls = usize::from(rod.start.hold == Hold::Clamped);
        let frame = &mut chain[walls + place];
        frame.inverse_inertia = DVec3::ZERO;
        frame.track = tracks.add(&end.motion, end.pivot.unwrap_or(x));
        if frame.track.is_some() {
            frame.orientation = motion::pose_at(&end.motion, 0.0).rotation * frame.orientation;
        }
    }
    chain
}

/// The frame of a clamped end, half a segment from the middle of the next one: with the segment's own frame held instead,
/// the rod would be half a segment too short.
fn wall(end: &RodEnd, particle: u32, orientation: DQuat, track: Option<u32>, joint: Option<Joint>) -> Frame {
    let turned = motion::pose_at(&end.motion, 0.0).rotation;
    Frame {
        particles: [particle; 2],
        orientation: if track.is_some() { turned * orientation } else { orientation },
        rest_length: 0.0,
        stretch_compliance: DVec3::ONE,
        friction: 0.0,
        inertia: DVec3::ZERO,
        inverse_inertia: DVec3::ZERO,
        joint,
        track,
        drive_rest: orientation,
    }
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
pub(super) fn inertia(material: &crate::scene::RodMaterial, length: f64, dt: f64) -> DVec3 {
    let mass = material.density * material.area() * length;
    let section = material.density * material.second_moment() * length;
    let bend = match material.frame_inertia {
        Some(factor) => factor * section,
        None => section.max(0.25 * mass * length * length),
    };
    let least = material.bending_stiffness() * (4.0 * dt * dt / (FASTEST * FASTEST * length));
    DVec3::new(bend, bend, 2.0 * section).max(least)
}
