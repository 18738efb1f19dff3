//! From a model's nets to the tables and passes of their solvers.

use super::direct::Direct;
use super::gather::Gather;
use super::{
    KERNELS, WORK, corde_net_joint, net_ask_bend, net_ask_stretch, net_bend, net_gather, net_stretch,
};
use crate::compute::{ComputeError, Data, Element, Kernel, Launch, Role, Tables};
use crate::constraints::iterate::KEEP;
use crate::model::Model;
use crate::model::colouring::Colouring;
use crate::model::nets::{Net, NetJoint};
use crate::model::rods::Frame;
use crate::particles::setup::Drags;
use crate::rods::corde::{self, ExplicitLoads};
use crate::scene::NetMethod;
use crate::step::{self, FamilyReport, Member, Stage, StageList, Step};
use std::ops::Range;

/// Nets of rods.
pub struct Family;

impl step::Family for Family {
    fn name(&self) -> &'static str {
        "nets"
    }

    fn kernels(&self) -> &'static [&'static Kernel] {
        KERNELS
    }

    fn add<'m>(&self, model: &'m Model, step: &mut Step<'m>) -> Result<(), ComputeError> {
        let nets = &model.nets;
        if nets.is_empty() {
            return Ok(());
        }
        let drags = nets.nets.iter().flat_map(Net::segments).map(|k| {
            let place = (k - nets.first_frame()) as usize;
            (model.rods.frames[k as usize].particles, 2.0 * nets.radii[place] * nets.drags[place])
        });
        step.contributions::<Drags>().0.extend(drags);
        let joints = Launch { base: corde::net_loads_start(model), ..Launch::range(&nets.explicit_joints()) };
        step.contributions::<ExplicitLoads>().0.push((&corde_net_joint::KERNEL, joints));
        let nets = NetPasses::new(model, &mut step.buffers)?;
        step.join(nets);
        Ok(())
    }
}

/// The nets of a model, ready to append their passes.
struct NetPasses {
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
    fn new(model: &Model, buffers: &mut Tables) -> Result<Self, ComputeError> {
        let nets = &model.nets;
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
        Ok(Self {
            first_frame,
            frame_count,
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
        })
    }

    /// Appends one iteration.
    fn iterate(&self, list: &mut StageList<'_>, index: u32, flags: u32) -> Result<(), ComputeError> {
        let launch = |range: &Range<u32>, base: u32| Launch { index, flags, base, ..Launch::range(range) };
        let (frames, joints) = (self.first_frame, self.frame_count);
        if let Some(direct) = &self.direct {
            direct.iterate(list.passes, list.buffers, index, list.offsets)?;
        }
        for colour in &self.stretch_colours {
            list.run_on_offsets(&net_stretch::KERNEL, launch(colour, frames))?;
        }
        for colour in &self.joint_colours {
            list.run(&net_bend::KERNEL, launch(colour, joints))?;
        }
        let launch = |range: &Range<u32>, base: u32| Launch { index, base, ..Launch::range(range) };
        list.run_on_offsets(&net_ask_stretch::KERNEL, launch(&self.jacobi_frames, frames))?;
        list.run(&net_ask_bend::KERNEL, launch(&self.jacobi_joints, joints))?;
        list.run_on_offsets(&net_gather::KERNEL, launch(&self.jacobi_bodies, 0))
    }
}

impl Member for NetPasses {
    fn append(&self, stage: Stage, list: &mut StageList<'_>) -> Result<(), ComputeError> {
        match stage {
            Stage::Project { iteration, last } => self.iterate(list, iteration, if last { 0 } else { KEEP }),
            _ => Ok(()),
        }
    }

    fn report(&self) -> Vec<FamilyReport> {
        self.report.clone()
    }
}
