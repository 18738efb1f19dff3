//! The net of a body made ready: frames of segments and knots, and the joints between them.

use crate::model::elimination::Elimination;
use crate::model::nets::{Net, NetJoint, Nets, explicit_joints};
use crate::model::rods::{Frame, Release, Rods};
use crate::model::tracks::Tracks;
use crate::rods::loaded::{Hanging, Loaded};
use crate::rods::prepare::inertia;
use crate::rods::stable_step::stable_substep;
use crate::scene::{
    self, JointStrain, Junctions, NetGeometry, NetHub, NetMethod, NetPair, NetRest, NetSegment, RodMaterial,
    motion,
};
use glam::{DQuat, DVec3};

/// One body's net, by its own particle numbers.
pub(crate) struct Part<'a> {
    pub net: &'a scene::Net,
    pub shape: &'a NetGeometry,
}

impl Part<'_> {
    fn material(&self, segment: &NetSegment) -> RodMaterial {
        RodMaterial { radius: segment.radius, ..self.net.material }
    }

    fn length(&self, segment: &NetSegment) -> f64 {
        let [a, b] = segment.ends.map(|p| self.shape.positions[p as usize]);
        a.distance(b)
    }

    /// K = (EI, EI, GJ) [N m²].
    fn bending_stiffness(&self, segment: &NetSegment) -> DVec3 {
        self.material(segment).bending_stiffness()
    }

    fn mass(&self, segment: &NetSegment) -> f64 {
        let material = self.material(segment);
        material.density * material.area() * self.length(segment)
    }

    /// One mass per particle [kg]: half of each segment beside it, and the weights.
    pub fn masses(&self) -> Vec<f64> {
        let mut masses = self.bare_masses();
        self.shape.weights.iter().for_each(|&(particle, mass)| masses[particle as usize] += mass);
        masses
    }

    fn bare_masses(&self) -> Vec<f64> {
        let mut masses = vec![0.0; self.shape.positions.len()];
        for segment in &self.shape.segments {
            let half = 0.5 * self.mass(segment);
            segment.ends.iter().for_each(|&p| masses[p as usize] += half);
        }
        masses
    }

    /// The radius of the thickest segment at each particle [m].
    pub fn radii(&self) -> Vec<f64> {
        let mut radii = vec![0.0f64; self.shape.positions.len()];
        for segment in &self.shape.segments {
            segment.ends.iter().for_each(|&p| radii[p as usize] = radii[p as usize].max(segment.radius));
        }
        radii
    }

    /// The longest substep for what hangs on a net that is solved at once [s].
    pub fn loaded_substep(&self, forces: &[(u32, DVec3)], hanging: Hanging, gravity: DVec3) -> Option<f64> {
        if self.net.method != NetMethod::Direct {
            return None;
        }
        let segments = || self.shape.segments.iter();
        let loaded = Loaded {
            bare_masses: &self.bare_masses(),
            weights: &self.shape.weights,
            forces,
            hanging,
            shortest: segments().map(|s| self.length(s)).fold(f64::INFINITY, f64::min),
            stretch_stiffness: segments().map(|s| self.material(s).stretch_stiffness().z).fold(0.0, f64::max),
            held: self.shape.pins.len(),
            slack: 0.0,
            rods: 1,
        };
        loaded.longest_substep(gravity.length())
    }

    /// The longest stable substep of an explicit net without its weights, which only slow it down [s].
    pub fn stable_substep(&self, frame_substeps: u32) -> Option<f64> {
        (self.net.method == NetMethod::Corde).then(|| {
            let mut alone = Nets::default();
            alone.add(self, 0, 0, 0.0, &mut Tracks::default());
            let masses = self.bare_masses();
            let joints = explicit_joints(&alone.joints, 0);
            stable_substep(&alone.frames, joints, frame_substeps, |particle| masses[particle as usize])
        })
    }

    /// The links that are drawn.
    pub fn segments(&self) -> Vec<[u32; 2]> {
        self.shape.segments.iter().map(|segment| segment.ends).collect()
    }

    fn inertia(&self, segment: &NetSegment, dt: f64) -> DVec3 {
        inertia(&self.material(segment), self.length(segment), dt)
    }

    fn segment_frame(&self, segment: &NetSegment, base: u32, dt: f64, tracks: &mut Tracks) -> Frame {
        let (length, inertia) = (self.length(segment), self.inertia(segment, dt));
        let orientation = segment.frame * DQuat::from_rotation_z(segment.twist);
        let held = segment.held.map(|pin| &self.shape.pins[pin as usize]);
        let track = held.and_then(|pin| tracks.add(&pin.motion, pin.pivot));
        let turned = held.map_or(DQuat::IDENTITY, |pin| motion::pose_at(&pin.motion, 0.0).rotation);
        Frame {
            particles: segment.ends.map(|p| base + p),
            orientation: if track.is_some() { turned * orientation } else { orientation },
            spin: DVec3::ZERO,
            rest_length: length,
            stretch_compliance: DVec3::splat(length) / self.material(segment).stretch_stiffness(),
            friction: self.net.material.stretch_friction,
            inertia,
            inverse_inertia: if held.is_some() { DVec3::ZERO } else { DVec3::ONE / inertia },
            release: Release::at(held.and_then(|pin| pin.release), inertia),
            joint: None,
            track,
            drive_rest: orientation,
        }
    }

    /// A knot has the inertia of a segment's frame beside it: as heavy as what it is fixed to, which all solvers like.
    fn hub_frame(&self, hub: &NetHub, base: u32, dt: f64, tracks: &mut Tracks) -> Frame {
        let mean = |total: f64| total / hub.segments.len() as f64;
        let beside = hub.segments.iter().map(|&k| self.inertia(&self.shape.segments[k as usize], dt).x);
        let inertia = DVec3::splat(mean(beside.sum()));
        let held = hub.held.map(|pin| &self.shape.pins[pin as usize]);
        let track = held.and_then(|pin| tracks.add(&pin.motion, pin.pivot));
        let turned = held.map_or(DQuat::IDENTITY, |pin| motion::pose_at(&pin.motion, 0.0).rotation);
        Frame {
            particles: [base + hub.node; 2],
            orientation: if track.is_some() { turned } else { DQuat::IDENTITY },
            spin: DVec3::ZERO,
            rest_length: 0.0,
            stretch_compliance: DVec3::ONE,
            friction: 0.0,
            inertia: if held.is_some_and(|pin| pin.release.is_none()) { DVec3::ZERO } else { inertia },
            inverse_inertia: if held.is_some() { DVec3::ZERO } else { DVec3::ONE / inertia },
            release: Release::at(held.and_then(|pin| pin.release), inertia),
            joint: None,
            track,
            drive_rest: DQuat::IDENTITY,
        }
    }

    /// The joint of a segment to its knot: half of the segment, with the knot on the other side.
    fn hub_joint(&self, hub: &NetHub, frames: [u32; 2], segment: &NetSegment, base: u32) -> NetJoint {
        let length = 0.5 * self.length(segment);
        let stiffness = if hub.held.is_some() { 1.0 } else { self.net.joint_stiffness };
        NetJoint {
            frames,
            offsets: [segment.frame, DQuat::IDENTITY],
            rest: DVec3::ZERO,
            compliance: DVec3::splat(length) / (self.bending_stiffness(segment) * stiffness),
            length,
            particle: base + hub.node,
            friction: self.net.material.bend_friction,
        }
    }

    fn pair_joint(&self, pair: &NetPair, first: u32, base: u32) -> NetJoint {
        let segments = pair.segments.map(|k| &self.shape.segments[k as usize]);
        let halves = segments.map(|s| 0.5 * self.length(s));
        let junction = if pair.valence > 2 { self.net.joint_stiffness } else { 1.0 };
        let share = match self.net.junctions {
            Junctions::Shared if pair.valence > 2 => 1.0 / f64::from(pair.valence - 1),
            _ => 1.0,
        };
        // One half of each segment after the other.
        let soft = |i: usize| DVec3::splat(halves[i]) / self.bending_stiffness(segments[i]);
        let [a, b] = segments;
        let glue = DQuat::from_rotation_z(pair.glue);
        let (offsets, rest) = match self.net.strain {
            JointStrain::Relative => {
                let mut rest = a.frame.conjugate() * b.frame;
                if self.net.rest == NetRest::Straight && pair.valence == 2 {
                    // What is left of the rotation when it bends nothing: the twist of a loop in space.
                    rest = DQuat::from_xyzw(0.0, 0.0, rest.z, rest.w).normalize();
                }
                ([rest, glue], DVec3::ZERO)
            }
            JointStrain::Darboux => {
                // Head to head or tail to tail would count as half a turn.
                let same = (a.ends[1] == pair.node) == (b.ends[1] == pair.node);
                let flip = if same { DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0) } else { DQuat::IDENTITY };
                let relative = a.frame.conjugate() * b.frame * flip;
                let straight = self.net.rest == NetRest::Straight && pair.valence == 2;
                let rest = if straight { DVec3::ZERO } else { 2.0 * relative.xyz() };
                ([DQuat::IDENTITY, flip * glue], rest * if relative.w < 0.0 { -1.0 } else { 1.0 })
            }
        };
        NetJoint {
            frames: pair.segments.map(|k| first + k),
            offsets,
            rest,
            compliance: (soft(0) + soft(1)) / (junction * share),
            length: halves[0] + halves[1],
            particle: base + pair.node,
            friction: self.net.material.bend_friction,
        }
    }
}

impl Nets {
    /// Adds a body's net, whose particles begin at `base`. `dt` is the substep [s].
    pub(crate) fn add(&mut self, part: &Part, body: u32, base: u32, dt: f64, tracks: &mut Tracks) {
        let shape = part.shape;
        // An explicit step is below the limit anyway, and nothing is solved that f32 would have to hold.
        let dt = if part.net.method == NetMethod::Corde { 0.0 } else { dt };
        let (first, first_joint) = (self.frames.len() as u32, self.joints.len() as u32);
        self.frames.extend(shape.segments.iter().map(|s| part.segment_frame(s, base, dt, tracks)));
        self.radii.extend(shape.segments.iter().map(|s| s.radius));
        self.joints.extend(shape.pairs.iter().map(|pair| part.pair_joint(pair, first, base)));
        for hub in &shape.hubs {
            let knot = self.frames.len() as u32;
            self.frames.push(part.hub_frame(hub, base, dt, tracks));
            self.radii.push(0.0);
            let joints = hub.segments.iter();
            let segments = &shape.segments;
            self.joints
                .extend(joints.map(|&k| part.hub_joint(hub, [knot, first + k], &segments[k as usize], base)));
        }
        self.drags.resize(self.frames.len(), part.net.drag);
        self.nets.push(Net {
            body,
            method: part.net.method,
            frames: first..self.frames.len() as u32,
            segment_count: shape.segments.len() as u32,
            joints: first_joint..self.joints.len() as u32,
        });
    }

    /// Plans the elimination of the nets that are solved at once; `movable` and `positions` tell of particles. Says which body is too much.
    pub(crate) fn plan(
        &mut self,
        rods: &Rods,
        movable: &[bool],
        positions: &[DVec3],
    ) -> Result<(), (u32, String)> {
        let frames = [self.first_frame(), self.radii.len() as u32];
        let direct = self.of_method(NetMethod::Direct).iter();
        let plans = direct.map(|net| {
            Elimination::new(net, &rods.frames, &self.joints, frames, movable, positions)
                .map_err(|problem| (net.body, problem))
        });
        self.eliminations = plans.collect::<Result<_, _>>()?;
        Ok(())
    }
}
