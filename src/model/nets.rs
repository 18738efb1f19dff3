//! The joints of nets, ready to run. Their frames come after those of the rods, in one list.

use super::elimination::Elimination;
use super::rods::{Frame, Joint, Rods};
use crate::scene::NetMethod;
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
    pub(crate) frames: Vec<Frame>,
}

/// Joints as the limit of explicit steps sees them, with frames counted from `first`. Their axes are not those of the frames: the
/// stiffest counts about all.
pub(crate) fn explicit_joints(joints: &[NetJoint], first: u32) -> impl Iterator<Item = ([usize; 2], Joint)> {
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

    /// Puts the nets of each method side by side and their frames after those of the rods.
    pub(crate) fn attach(&mut self, rods: &mut Rods) {
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
