//! From a model's nets to the buffers and passes of their solvers.

use super::direct::Direct;
use super::gather::Gather;
use super::{WORK, corde_net_joint, net_ask_bend, net_ask_stretch, net_bend, net_gather, net_stretch};
use crate::compute::{Buffers, ComputeError, Data, Element, Launch, Passes, Role};
use crate::constraints::iterate::KEEP;
use crate::constraints::setup::FamilyReport;
use crate::model::Model;
use crate::model::colouring::Colouring;
use crate::model::nets::{Net, NetJoint};
use crate::model::rods::Frame;
use crate::rods::corde;
use crate::scene::NetMethod;
use std::ops::Range;

/// The nets of a model, ready to append their passes.
pub struct NetPasses {
    iterations: u32,
    /// The first of the nets' frames among all of the model, and their number.
    first_frame: u32,
    frame_count: u32,
    /// Places of `net_order`, and joints, of each colour.
    stretch_colours: Vec<Range<u32>>,
    joint_colours: Vec<Range<u32>>,
    /// Frames and joints solved side by side, and the bodies that they move.
    jacobi_frames: Range<u32>,
    jacobi_joints: Range<u32>,
    jacobi_bodies: Range<u32>,
    /// Joints of explicit nets, and where their loads begin.
    explicit_joints: Range<u32>,
    explicit_loads: u32,
    direct: Option<Direct>,
    report: Vec<FamilyReport>,
}

/// The joints of some nets by their numbers.
pub(super) fn joints_of(nets: &[Net]) -> Range<u32> {
    let start = nets.first().map_or(0, |net| net.joints.start);
    start..nets.last().map_or(start, |net| net.joints.end)
}

pub(super) fn frames_of(nets: &[Net]) -> Range<u32> {
    let start = nets.first().map_or(0, |net| net.frames.start);
    start..nets.last().map_or(start, |net| net.frames.end)
}

impl NetPasses {
    /// Adds the buffers of all nets, after those of the rods; nothing if there are none.
    pub fn new(model: &Model, buffers: &mut Buffers) -> Result<Option<Self>, ComputeError> {
        let nets = &model.nets;
        if nets.is_empty() {
            return Ok(None);
        }
        let error = |problem: String| ComputeError::Buffer { buffer: "net_joints".into(), problem };
        let (first_frame, frame_count) = (nets.first_frame(), nets.radii.len() as u32);

        let coloured = nets.of_method(NetMethod::Coloured);
        let segments: Vec<u32> = coloured.iter().flat_map(Net::segments).collect();
        let ends: Vec<[u32; 2]> = segments.iter().map(|&k| model.rods.frames[k as usize].particles).collect();
        let stretch = Colouring::new(&ends, &model.movable()).map_err(|e| error(e.to_string()))?;
        let order = stretch.order.iter().map(|&place| segments[place as usize]);
        buffers.uints("net_order", Role::Model, order.collect())?;

        // Only joints that are solved one by one are put in the order of their colours.
        let range = joints_of(coloured);
        let own = &nets.joints[range.start as usize..range.end as usize];
        let pairs: Vec<[u32; 2]> = own.iter().map(|joint| joint.frames).collect();
        let turnable: Vec<bool> = model.rods.frames.iter().map(Frame::turns).collect();
        let bend = Colouring::new(&pairs, &turnable).map_err(|e| error(e.to_string()))?;
        let mut joints: Vec<NetJoint> = nets.joints.clone();
        for (joint, &place) in joints[range.start as usize..].iter_mut().zip(&bend.order) {
            *joint = own[place as usize];
        }

        let bodies = Gather::new(model, &joints);
        buffers.uint2s("net_joints", Role::Model, joints.iter().map(|joint| joint.frames).collect())?;
        let rest = joints.iter().flat_map(|joint| {
            let [a, b] = joint.frames.map(|k| f64::from(bodies.shares[(k - first_frame) as usize]));
            [
                joint.offsets[0].to_array(),
                joint.offsets[1].to_array(),
                joint.rest.extend(a).to_array(),
                joint.compliance.extend(b).to_array(),
            ]
        });
        buffers.real4s("net_rest", Role::Model, rest.collect())?;
        let frictions = joints.iter().map(|joint| joint.friction / joint.length).collect();
        buffers.add("net_frictions", Element::Real, Role::Model, Data::Reals(frictions))?;
        let constraints = frame_count as usize + joints.len();
        buffers.real4s("net_work", Role::Scratch, vec![[0.0; 4]; WORK as usize * constraints])?;
        let shares = (first_frame..first_frame + frame_count).map(|k| {
            let [i, j] = model.rods.frames[k as usize].particles.map(|p| bodies.particle_share(p));
            [i, j, f64::from(bodies.shares[(k - first_frame) as usize]), 0.0]
        });
        buffers.real4s("net_shares", Role::Model, shares.collect())?;
        buffers.uint2s("net_bodies", Role::Model, bodies.bodies.clone())?;
        buffers.uints("net_starts", Role::Model, bodies.starts.clone())?;
        buffers.uints("net_slots", Role::Model, bodies.slots.clone())?;

        let jacobi = nets.of_method(NetMethod::Jacobi);
        let segment_count = nets.nets.iter().map(|net| net.segment_count).sum();
        let is_coloured = !coloured.is_empty();
        Ok(Some(Self {
            iterations: model.settings.iterations,
            first_frame,
            frame_count,
            explicit_joints: nets.explicit_joints(),
            explicit_loads: corde::net_loads_start(model),
            jacobi_frames: frames_of(jacobi),
            jacobi_joints: joints_of(jacobi),
            jacobi_bodies: bodies.of(jacobi),
            direct: Direct::new(model, buffers, bodies.of(nets.of_method(NetMethod::Direct)))?,
            report: vec![
                FamilyReport {
                    name: "net_stretch",
                    count: segment_count,
                    colours: is_coloured.then(|| stretch.statistics()),
                },
                FamilyReport {
                    name: "net_bend",
                    count: joints.len() as u32,
                    colours: is_coloured.then(|| bend.statistics()),
                },
            ],
            stretch_colours: stretch.ranges,
            joint_colours: bend.ranges.iter().map(|r| r.start + range.start..r.end + range.start).collect(),
        }))
    }

    /// Appends the torques of explicit nets in one of the steps that their frames take in a substep; the first needs the state as
    /// the last substep left it.
    pub fn forces(&self, passes: &mut Passes, buffers: &Buffers, index: u32) -> Result<(), ComputeError> {
        let launch = Launch { index, base: self.explicit_loads, ..Launch::range(&self.explicit_joints) };
        passes.run(buffers, &corde_net_joint::KERNEL, launch)
    }

    /// Appends one iteration on the particles' offsets in the buffer `offsets`.
    pub fn iterate(
        &self,
        passes: &mut Passes,
        buffers: &Buffers,
        iteration: u32,
        offsets: &str,
    ) -> Result<(), ComputeError> {
        let renamed = [("offsets", offsets)];
        let flags = if iteration + 1 < self.iterations { KEEP } else { 0 };
        let launch =
            |range: &Range<u32>, base: u32| Launch { index: iteration, flags, base, ..Launch::range(range) };
        let (frames, joints) = (self.first_frame, self.frame_count);
        if let Some(direct) = &self.direct {
            direct.iterate(passes, buffers, iteration, offsets)?;
        }
        for colour in &self.stretch_colours {
            passes.run_as(buffers, &net_stretch::KERNEL, launch(colour, frames), &renamed)?;
        }
        for colour in &self.joint_colours {
            passes.run(buffers, &net_bend::KERNEL, launch(colour, joints))?;
        }
        let launch =
            |range: &Range<u32>, base: u32| Launch { index: iteration, base, ..Launch::range(range) };
        passes.run_as(buffers, &net_ask_stretch::KERNEL, launch(&self.jacobi_frames, frames), &renamed)?;
        passes.run(buffers, &net_ask_bend::KERNEL, launch(&self.jacobi_joints, joints))?;
        passes.run_as(buffers, &net_gather::KERNEL, launch(&self.jacobi_bodies, 0), &renamed)
    }

    /// Counts for `sinew check`.
    pub fn report(&self) -> &[FamilyReport] {
        &self.report
    }
}
