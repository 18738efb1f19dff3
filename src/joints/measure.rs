//! What joints carry and where they stand, from a copy of their state.

use super::STATE;
use crate::model::joints::Joints;
use glam::DVec3;

/// What a joint carries and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct JointState {
    pub name: String,
    /// On the body `a`, at its anchor [N]; that on `b` is opposite.
    pub force: DVec3,
    /// On the body `a` [N m].
    pub torque: DVec3,
    /// The free coordinate: an angle [degrees] or a length [m].
    pub position: f64,
    pub is_broken: bool,
    /// Energy of the spring [J].
    pub energy: f64,
}

/// What `joint_states` say, in the order of the scene.
pub fn read(joints: &Joints, states: &[f64]) -> Vec<JointState> {
    let rows = joints.list.iter().zip(states.chunks_exact(4 * STATE as usize));
    let mut found: Vec<(usize, JointState)> = rows
        .zip(&joints.numbers)
        .map(|((joint, state), &number)| {
            let (is_broken, strain) = (state[15] != 0.0, state[11] - joint.rest);
            let state = JointState {
                name: joint.name.clone(),
                force: DVec3::from_slice(&state[8..11]),
                torque: DVec3::from_slice(&state[12..15]),
                position: if joint.kind.is_angular() { state[11].to_degrees() } else { state[11] },
                is_broken,
                energy: if is_broken { 0.0 } else { 0.5 * joint.stiffness * strain * strain },
            };
            (number, state)
        })
        .collect();
    found.sort_by_key(|(number, _)| *number);
    found.into_iter().map(|(_, state)| state).collect()
}
