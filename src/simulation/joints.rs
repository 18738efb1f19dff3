//! What joints carry, and whether that is as expected.

use super::{Simulation, SimulationError};
use crate::joints::measure::{self, JointState};
use crate::measure::expectations::interval;
use crate::scene::Expect;

impl Simulation {
    /// Forces and positions of joints at the end of the last substep, in the order of the scene.
    pub fn joints(&mut self) -> Result<Vec<JointState>, SimulationError> {
        let Some(id) = self.epoch.solver.buffers.find("joint_states") else { return Ok(Vec::new()) };
        let states = self.executor.read(id)?;
        Ok(measure::read(&self.epoch.model.joints, states.reals()))
    }

    /// What is expected of joints and is not so, a sentence each.
    pub(super) fn unmet_joints(&mut self, expect: &Expect) -> Result<Vec<String>, SimulationError> {
        let (joints, mut unmet) = (self.joints()?, Vec::new());
        for wanted in &expect.joint {
            let Some(joint) = joints.iter().find(|joint| joint.name == wanted.joint) else { continue };
            for (what, value, range) in [
                ("force", joint.force.length(), wanted.force),
                ("torque", joint.torque.length(), wanted.torque),
                ("position", joint.position, wanted.position),
            ] {
                if !range.contains(value) {
                    unmet.push(format!(
                        "{what} of `{}` is {value:.6e}, expected {}",
                        joint.name,
                        interval(range)
                    ));
                }
            }
            if wanted.broken.is_some_and(|broken| broken != joint.is_broken) {
                let state = if joint.is_broken { "has broken" } else { "holds" };
                unmet.push(format!("`{}` {state}", joint.name));
            }
        }
        Ok(unmet)
    }
}
