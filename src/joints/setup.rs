//! From a model's joints to their table and passes.

use super::{
    BALL, CONSTANT, DISTANCE, FIXED, FREE, HINGE, LAST, LOCKED, NOBODY, SLIDER, SPEED, SPRING, TARGET,
    UNIVERSAL, measure, project_joints,
};
use crate::compute::{ComputeError, Kernel, Launch, Role};
use crate::model::Model;
use crate::model::joints::Joints;
use crate::scene::{JointKind, ResolvedJoint};
use crate::step::{self, Columns, FamilyReport, Measure, Member, Stage, StageList, Step};
use glam::DVec3;

/// A force that is never reached, a limit that is never met: the largest number both precisions have.
const NEVER: f64 = f32::MAX as f64;

/// Joints.
pub struct Family;

/// The kernels of this family.
static KERNELS: &[&Kernel] = &[&project_joints::KERNEL];

impl step::Family for Family {
    fn name(&self) -> &'static str {
        "joints"
    }

    fn kernels(&self) -> &'static [&'static Kernel] {
        KERNELS
    }

    fn add<'m>(&self, model: &'m Model, step: &mut Step<'m>) -> Result<(), ComputeError> {
        let joints = &model.joints;
        if joints.list.is_empty() {
            return Ok(());
        }
        let bodies = joints.list.iter().map(|joint| {
            let of = |body: Option<u32>| {
                body.map_or([NOBODY; 2], |k| {
                    [model.rigid[k as usize].particle, model.rigid[k as usize].frame]
                })
            };
            let ([a, b], [c, d]) = (of(joint.bodies[1]), of(joint.bodies[0]));
            [a, b, c, d]
        });
        step.buffers.uint4s("joints", Role::Model, bodies.collect())?;
        let rest = joints.list.iter().flat_map(|joint| rest(model, joint));
        step.buffers.real4s("joint_rest", Role::Model, rest.collect())?;
        let start = joints.list.iter().flat_map(|joint| {
            let nothing = [0.0; 4];
            [nothing, nothing, [0.0, 0.0, 0.0, joint.start], nothing]
        });
        step.buffers.real4s("joint_states", Role::State, start.collect())?;
        let columns = ["joints", "joint_rest", "joint_states"];
        step.buffers.gather("joints", joints.list.len() as u32, &columns)?;
        step.buffers.refer("joints", 1, "particles")?;
        step.join(JointPasses(joints));
        Ok(())
    }

    fn measure(
        &self,
        model: &Model,
        state: &mut dyn Columns,
        into: &mut Vec<Measure>,
    ) -> Result<(), ComputeError> {
        let Some(states) = state.column("joint_states")? else { return Ok(()) };
        for joint in measure::read(&model.joints, states.reals()) {
            let mut add = |what: &str, unit, value| {
                into.push(Measure { name: format!("{} {what}", joint.name).into(), unit, value });
            };
            add("force", "N", joint.force.length());
            add("torque", "N m", joint.torque.length());
            add("position", "", joint.position);
        }
        Ok(())
    }
}

fn kind(kind: JointKind) -> u32 {
    match kind {
        JointKind::Ball => BALL,
        JointKind::Hinge => HINGE,
        JointKind::Slider => SLIDER,
        JointKind::Universal => UNIVERSAL,
        JointKind::Fixed => FIXED,
        JointKind::Distance => DISTANCE,
    }
}

fn mode(joint: &ResolvedJoint) -> u32 {
    match joint.motor {
        Some(motor) if motor.target.is_some() => TARGET,
        Some(motor) if motor.speed.is_some() => SPEED,
        Some(_) => CONSTANT,
        None if joint.is_locked() => LOCKED,
        None if joint.stiffness > 0.0 || joint.damping > 0.0 => SPRING,
        None => FREE,
    }
}

/// The vectors of `joint_rest`.
fn rest(model: &Model, joint: &ResolvedJoint) -> [[f64; 4]; super::REST as usize] {
    let inverse = |side: usize| {
        let body = joint.bodies[side].map(|k| &model.rigid[k as usize]);
        body.map_or(DVec3::ZERO, |body| body.moments.recip())
    };
    let [anchor_base, anchor_moved] = joint.arms;
    let motor = joint.motor.unwrap_or_default();
    // What a constant motor pushes with stands where others have their goal.
    let goal = match mode(joint) {
        CONSTANT => motor.force.unwrap_or(0.0),
        TARGET => motor.target.unwrap_or(0.0),
        _ => joint.rest,
    };
    let [low, high] = joint.limits.unwrap_or([-NEVER, NEVER]);
    [
        anchor_base.extend(f64::from(kind(joint.kind))).to_array(),
        anchor_moved.extend(f64::from(mode(joint))).to_array(),
        joint.axes[0].to_array(),
        joint.axes[1].to_array(),
        inverse(0).extend(joint.break_force.unwrap_or(NEVER)).to_array(),
        inverse(1).extend(joint.break_torque.unwrap_or(NEVER)).to_array(),
        [joint.stiffness, joint.damping, goal, 0.0],
        [low, high, motor.force.unwrap_or(NEVER), motor.speed.unwrap_or(NEVER)],
    ]
}

/// The joints of a model, ready to append their passes.
struct JointPasses<'m>(&'m Joints);

impl Member for JointPasses<'_> {
    fn append(&self, stage: Stage, list: &mut StageList<'_>) -> Result<(), ComputeError> {
        let Stage::Project { iteration, last } = stage else { return Ok(()) };
        for colour in &self.0.colours {
            let flags = if last { LAST } else { 0 };
            let launch = Launch { index: iteration, flags, ..Launch::range(colour) };
            list.run_on_offsets(&project_joints::KERNEL, launch)?;
        }
        Ok(())
    }

    fn report(&self) -> Vec<FamilyReport> {
        vec![FamilyReport { name: "joint", count: self.0.list.len() as u32, colours: None }]
    }
}
