//! CoRdE (Spillmann & Teschner 2007): explicit forces and torques with internal friction, symplectic Euler.
//!
//! Segments and joints each compute what they ask of their ends ([`super::corde_segment`], [`super::corde_joint`]); particles
//! and frames gather it ([`super::corde_kick`], [`super::corde_turn`]) through lists that may name any number of segments and
//! joints; nets have a law of their own for their joints. Frames may take several steps in a substep, with the particles where they
//! are: what is light turns fast. The particles then feel the mean of what the frames asked of them, which is what keeps the
//! energy; the forces of the first or of the last of these steps alone blow up (Spillmann & Teschner 2009, V-C, do not say which). Forces are those of the state at the start of a substep, so they come before anything predicts; offsets and turns
//! carry them on to contacts. [`crate::rods::stable_step`] knows the longest stable substep.

use super::{corde_joint, corde_kick, corde_segment, corde_spin, corde_turn};
use crate::compute::{ComputeError, Kernel, Launch, Role, Tables};
use crate::model::Model;
use crate::step::StageList;
use std::ops::Range;

/// The CoRdE rods of a model, and the segments of such nets, ready to append their passes.
pub struct Corde {
    /// Of rods, then of nets.
    frames: Range<u32>,
    joints: u32,
    particles: Range<u32>,
    /// Steps of the frames in a substep.
    turns: u32,
    /// What others add to the torques on frames.
    others: Vec<(&'static Kernel, Launch<f64>)>,
}

/// Passes that add to the torques on explicit frames, in each of the steps that these take in a substep.
#[derive(Default)]
pub struct ExplicitLoads(pub Vec<(&'static Kernel, Launch<f64>)>);

impl Corde {
    /// Adds the buffers; nothing if no rod or net uses the method.
    pub fn new(
        model: &Model,
        buffers: &mut Tables,
        ExplicitLoads(others): ExplicitLoads,
    ) -> Result<Option<Self>, ComputeError> {
        let frames = model.explicit_frames();
        if frames.is_empty() {
            return Ok(None);
        }
        let list = &model.rods.frames[frames.start as usize..frames.end as usize];
        let rest = list.iter().map(|frame| {
            let stiffness = frame.rest_length / frame.stretch_compliance;
            [frame.rest_length, stiffness.z, stiffness.x, frame.friction]
        });
        buffers.real4s("corde_rest", Role::Model, rest.collect())?;
        let joints: Vec<_> = (frames.start..)
            .zip(list)
            .filter_map(|(a, frame)| frame.joint.map(|joint| ([a, a + 1], joint)))
            .collect();
        let rest = joints.iter().flat_map(|(_, joint)| {
            let (rest, stiffness) = (joint.rest, joint.compliance.recip());
            let friction = joint.friction / joint.length;
            [[rest.x, rest.y, rest.z, friction], [stiffness.x, stiffness.y, stiffness.z, 0.0]]
        });
        buffers.real4s("corde_joint_rest", Role::Model, rest.collect())?;
        buffers.uint2s("corde_joints", Role::Model, joints.iter().map(|(ends, _)| *ends).collect())?;

        let segments = || (0..).zip(list).filter(|(_, frame)| !frame.is_wall());
        let named = || list.iter().flat_map(|frame| frame.particles);
        let particles = named().min().unwrap_or_default()..named().max().map_or(0, |particle| particle + 1);
        let forces = segments().flat_map(|(place, frame): (u32, _)| {
            let [i, j] = frame.particles.map(|particle| particle - particles.start);
            [(j, 4 * place), (i, 4 * place + 1)]
        });
        add_lists(buffers, ["corde_starts", "corde_slots"], particles.len(), forces)?;
        let base = 2 * list.len() as u32;
        let own = segments().map(|(place, _): (u32, _)| (place, 2 * place + 1));
        let net_joints = model.nets.explicit_joints();
        let of_nets = &model.nets.joints[net_joints.start as usize..net_joints.end as usize];
        let ends = joints.iter().map(|(ends, _)| *ends).chain(of_nets.iter().map(|joint| joint.frames));
        let shared = (0..).zip(ends).flat_map(|(joint, [a, b]): (u32, _)| {
            [(a - frames.start, base + 2 * joint), (b - frames.start, base + 2 * joint + 1)]
        });
        add_lists(buffers, ["corde_frame_starts", "corde_frame_slots"], list.len(), own.chain(shared))?;
        let loads = base as usize + 2 * (joints.len() + of_nets.len());
        buffers.real4s("corde_loads", Role::Scratch, vec![[0.0; 4]; loads])?;
        buffers.real4s("corde_spins", Role::Scratch, vec![[0.0; 4]; list.len()])?;
        let turns = model.settings.frame_substeps;
        Ok(Some(Self { frames, joints: joints.len() as u32, particles, turns, others }))
    }

    /// Appends the forces and torques of the present state.
    pub fn forces(&self, list: &mut StageList<'_>) -> Result<(), ComputeError> {
        self.loads(list, 0)
    }

    /// The forces and torques in one of the frames' steps.
    fn loads(&self, list: &mut StageList<'_>, index: u32) -> Result<(), ComputeError> {
        list.run(&corde_segment::KERNEL, self.launch(index))?;
        let base = 2 * self.frames.len() as u32;
        list.run(&corde_joint::KERNEL, Launch { base, index, ..Launch::over(self.joints) })?;
        self.others.iter().try_for_each(|(kernel, launch)| list.run(kernel, Launch { index, ..*launch }))
    }

    fn launch(&self, index: u32) -> Launch<f64> {
        Launch { index, weight: 1.0 / f64::from(self.turns), ..Launch::range(&self.frames) }
    }

    /// Appends what they do to the offsets and turns that inertia has predicted.
    pub fn integrate(&self, list: &mut StageList<'_>) -> Result<(), ComputeError> {
        list.run(&corde_turn::KERNEL, self.launch(0))?;
        for index in 1..self.turns {
            self.loads(list, index)?;
            list.run(&corde_turn::KERNEL, self.launch(index))?;
        }
        list.run(&corde_kick::KERNEL, Launch::range(&self.particles))
    }

    /// Appends what comes after the frames have been turned.
    pub fn finish(&self, list: &mut StageList<'_>) -> Result<(), ComputeError> {
        let count = if self.turns > 1 { self.launch(0) } else { Launch::over(0) };
        list.run(&corde_spin::KERNEL, count)
    }
}

/// Where the loads of the joints of nets begin in `corde_loads`.
pub fn net_loads_start(model: &Model) -> u32 {
    let frames = model.explicit_frames();
    let list = &model.rods.frames[frames.start as usize..frames.end as usize];
    let joints = list.iter().filter(|frame| frame.joint.is_some()).count() as u32;
    2 * (list.len() as u32 + joints)
}

/// Adds the slots of each of `count` owners, from (owner, slot) in any order.
fn add_lists(
    buffers: &mut Tables,
    [starts_name, slots_name]: [&str; 2],
    count: usize,
    pairs: impl Iterator<Item = (u32, u32)>,
) -> Result<(), ComputeError> {
    let mut pairs: Vec<(u32, u32)> = pairs.collect();
    pairs.sort_unstable();
    let starts = (0..=count as u32).map(|owner| pairs.partition_point(|pair| pair.0 < owner) as u32);
    buffers.uints(starts_name, Role::Model, starts.collect())?;
    buffers.uints(slots_name, Role::Model, pairs.iter().map(|pair| pair.1).collect()).map(drop)
}
