//! The joints of nets, ready to run. Their frames come after those of the rods, in one list.

use super::net_elimination::Elimination;
use super::rods::{Frame, Joint, Release, Rods, inertia};
use super::tracks::Tracks;
use crate::scene::{
    self, JointStrain, Junctions, NetGeometry, NetHub, NetMethod, NetPair, NetRest, NetSegment, RodMaterial,
    motion,
};
use glam::{DQuat, DVec3};
use std::ops::Range;

/// A net: segments, then knots.
#[derive(Clone, Debug, PartialEq)]
pub struct Net {
    /// Which of the model's bodies it belongs to.
    pub body: u32,
    pub method: NetMethod,
    /// Its place among the model's frames, the knots included.
    pub frames: Range<u32>,
    /// How many of them are segments, in the order in which the body's segments are drawn.
    pub segment_count: u32,
    /// Its place among the joints.
    pub joints: Range<u32>,
}

impl Net {
    /// The frames of its segments.
    pub fn segments(&self) -> Range<u32> {
        self.frames.start..self.frames.start + self.segment_count
    }
}

/// What resists the rotation of one frame against another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetJoint {
    /// By the model's numbers.
    pub frames: [u32; 2],
    /// Turns from the frames to the axes that are compared.
    pub offsets: [DQuat; 2],
    /// 2 s₀ of the axes that are compared.
    pub rest: DVec3,
    /// L/K about the three axes of the second [rad/(N m)].
    pub compliance: DVec3,
    /// L [m].
    pub length: f64,
    /// The particle where it is.
    pub particle: u32,
    /// γᵣ of explicit nets [kg m³/s].
    pub friction: f64,
}

impl NetJoint {
    /// 2 (s − s₀): bending, bending, twist [rad].
    pub fn strain(&self, [a, b]: [DQuat; 2]) -> DVec3 {
        let relative = (a * self.offsets[0]).conjugate() * (b * self.offsets[1]);
        2.0 * relative.xyz() * if relative.w < 0.0 { -1.0 } else { 1.0 } - self.rest
    }
}

/// All nets of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Nets {
    /// Sorted by method.
    pub nets: Vec<Net>,
    pub joints: Vec<NetJoint>,
    /// Radius of each frame's segment, knots included, from the first frame of the first net [m].
    pub radii: Vec<f64>,
    /// Drag coefficient of each frame's segment.
    pub drags: Vec<f64>,
    /// How each net that is solved at once is eliminated.
    pub eliminations: Vec<Elimination>,
    /// Frames before they come after those of the rods.
    frames: Vec<Frame>,
}

/// One body's net, by its own particle numbers.
pub(super) struct Part<'a> {
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

    /// The longest stable substep of an explicit net without its weights, which only slow it down [s].
    pub fn stable_substep(&self, frame_substeps: u32) -> Option<f64> {
        (self.net.method == NetMethod::Corde).then(|| {
            let mut alone = Nets::default();
            alone.add(self, 0, 0, 0.0, &mut Tracks::default());
            let masses = self.bare_masses();
            let joints = explicit_joints(&alone.joints, 0);
            super::corde::stable_substep(&alone.frames, joints, frame_substeps, |particle| {
                masses[particle as usize]
            })
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

/// Joints as the limit of explicit steps sees them, with frames counted from `first`. Their axes are not those of the frames: the
/// stiffest counts about all.
pub(super) fn explicit_joints(joints: &[NetJoint], first: u32) -> impl Iterator<Item = ([usize; 2], Joint)> {
    joints.iter().map(move |joint| {
        let stiffest = DVec3::splat(joint.compliance.min_element());
        let NetJoint { rest, length, friction, .. } = *joint;
        (joint.frames.map(|k| (k - first) as usize), Joint { rest, compliance: stiffest, length, friction })
    })
}

impl Nets {
    pub fn is_empty(&self) -> bool {
        self.nets.is_empty()
    }

    /// Adds a body's net, whose particles begin at `base`. `dt` is the substep [s].
    pub(super) fn add(&mut self, part: &Part, body: u32, base: u32, dt: f64, tracks: &mut Tracks) {
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

    /// Puts the nets of each method side by side and their frames after those of the rods.
    pub(super) fn attach(&mut self, rods: &mut Rods) {
        self.nets.sort_by_key(|net| net.method);
        let (frames, joints) = (std::mem::take(&mut self.frames), std::mem::take(&mut self.joints));
        let (radii, drags) = (std::mem::take(&mut self.radii), std::mem::take(&mut self.drags));
        for net in &mut self.nets {
            let range = net.frames.start as usize..net.frames.end as usize;
            let start = rods.frames.len() as u32;
            let shift = |k: u32| k - range.start as u32 + start;
            rods.frames.extend_from_slice(&frames[range.clone()]);
            self.radii.extend_from_slice(&radii[range.clone()]);
            self.drags.extend_from_slice(&drags[range.clone()]);
            let own = &joints[net.joints.start as usize..net.joints.end as usize];
            let first_joint = self.joints.len() as u32;
            self.joints
                .extend(own.iter().map(|joint| NetJoint { frames: joint.frames.map(shift), ..*joint }));
            net.frames = start..rods.frames.len() as u32;
            net.joints = first_joint..self.joints.len() as u32;
        }
    }

    /// Plans the elimination of the nets that are solved at once; `movable` and `positions` tell of particles. Says which body is too much.
    pub(super) fn plan(
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

    /// The range of frames of explicit nets.
    pub fn explicit_frames(&self) -> Range<u32> {
        let explicit = self.of_method(NetMethod::Corde);
        let start = explicit.first().map_or(0, |net| net.frames.start);
        start..explicit.last().map_or(start, |net| net.frames.end)
    }

    /// The range of joints of explicit nets.
    pub fn explicit_joints(&self) -> Range<u32> {
        let explicit = self.of_method(NetMethod::Corde);
        let start = explicit.first().map_or(0, |net| net.joints.start);
        start..explicit.last().map_or(start, |net| net.joints.end)
    }

    /// The first of the nets' frames among all of the model.
    pub fn first_frame(&self) -> u32 {
        self.nets.first().map_or(0, |net| net.frames.start)
    }

    /// The nets of a method.
    pub fn of_method(&self, method: NetMethod) -> &[Net] {
        let start = self.nets.partition_point(|net| net.method < method);
        let end = self.nets.partition_point(|net| net.method <= method);
        &self.nets[start..end]
    }
}
