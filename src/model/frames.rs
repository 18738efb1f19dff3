//! The frames of a model: those of rods and nets, then those of rigid bodies, then those of bonded cells.

use super::Model;
use glam::{DQuat, DVec3};

/// Orientations and spins of a model's frames, in its order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameState {
    pub orientations: Vec<DQuat>,
    /// About the frames' own axes [rad/s].
    pub spins: Vec<DVec3>,
}

impl Model {
    /// All frames at the start.
    pub fn first_frames(&self) -> FrameState {
        let rods = self.rods.frames.iter().map(|frame| (frame.orientation, frame.spin));
        let rigid = self.rigid.iter().map(|body| (body.orientation, body.spin));
        let cells = self.composites.iter();
        let cells = cells.flat_map(|body| body.frames.clone().map(|_| (body.axes, body.spin)));
        let (orientations, spins) = rods.chain(rigid).chain(cells).unzip();
        FrameState { orientations, spins }
    }
}
