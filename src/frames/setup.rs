//! The table of frames, and the passes by which they turn.

use super::{
    drive_frames, finish_frames, predict_frames, release_frames, second_finish_frames, second_predict_frames,
};
use crate::compute::{ComputeError, Kernel, Launch, Role, Tables};
use crate::model::Model;
use crate::particles::second_order::PAST;
use crate::step::{self, Member, Stage, StageList, Step};
use glam::{DQuat, DVec3};

/// Orientations of segments and bodies.
pub struct Family;

/// A frame at the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// The particles that it is between, or at: by these it is known again after a cut.
    pub particles: [u32; 2],
    pub orientation: DQuat,
    /// About its own axes, 0 while it is held [1/(kg m²)].
    pub inverse_inertia: DVec3,
    /// 1 − C/A of an inertia (A, A, C), by which a free frame precesses; 0 if somebody else does that.
    pub gyroscopic: f64,
    /// About its own axes at the start [rad/s].
    pub spin: DVec3,
    /// When it is let go, if it is held and ever will be.
    pub release: Option<Release>,
    /// What turns it while it is held.
    pub drive: Option<Drive>,
}

/// A held frame that becomes free.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Release {
    /// [s].
    pub time: f64,
    /// From then on [1/(kg m²)].
    pub inverse_inertia: DVec3,
}

/// A frame that follows a track.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drive {
    pub track: u32,
    /// Its orientation before the track turns it.
    pub rest: DQuat,
}

/// All frames of a model: families contribute them.
#[derive(Default)]
pub struct Frames {
    list: Vec<Frame>,
}

impl Frames {
    /// Adds rows and returns the number of the first.
    pub fn add(&mut self, frames: impl IntoIterator<Item = Frame>) -> u32 {
        let first = self.list.len() as u32;
        self.list.extend(frames);
        first
    }
}

/// The kernels of this family.
static KERNELS: &[&Kernel] = &[
    &drive_frames::KERNEL,
    &finish_frames::KERNEL,
    &predict_frames::KERNEL,
    &release_frames::KERNEL,
    &second_finish_frames::KERNEL,
    &second_predict_frames::KERNEL,
];

impl step::Family for Family {
    fn name(&self) -> &'static str {
        "frames"
    }

    fn kernels(&self) -> &'static [&'static Kernel] {
        KERNELS
    }

    fn add<'m>(&self, _: &'m Model, _: &mut Step<'m>) -> Result<(), ComputeError> {
        Ok(())
    }

    fn complete<'m>(&self, model: &'m Model, step: &mut Step<'m>) -> Result<(), ComputeError> {
        let frames: Frames = step.take_contributions();
        if !frames.list.is_empty() {
            let frames = frames.add_buffers(model.settings.is_second_order(), &mut step.buffers)?;
            step.join(frames);
        }
        Ok(())
    }
}

impl Frames {
    fn add_buffers(&self, is_second_order: bool, buffers: &mut Tables) -> Result<FramePasses, ComputeError> {
        let list = || (0u32..).zip(&self.list);
        let vector = |v: DVec3, w: f64| v.extend(w).to_array();
        let released: Vec<(u32, Release)> = list().filter_map(|(k, f)| Some((k, f.release?))).collect();
        let driven: Vec<(u32, Drive)> = list().filter_map(|(k, f)| Some((k, f.drive?))).collect();
        buffers.real4s("frames", Role::State, list().flat_map(|(_, f)| split(f.orientation)).collect())?;
        buffers.real4s("spins", Role::State, list().map(|(_, f)| vector(f.spin, 0.0)).collect())?;
        buffers.real4s("turns", Role::Scratch, vec![[0.0; 4]; self.list.len()])?;
        // What is let go is written anew in every substep.
        let role = if released.is_empty() { Role::Model } else { Role::Scratch };
        let inertia = list().map(|(_, f)| vector(f.inverse_inertia, f.gyroscopic));
        buffers.real4s("frame_inertia", role, inertia.collect())?;
        buffers.uint2s("frame_particles", Role::Model, list().map(|(_, f)| f.particles).collect())?;
        let columns = ["frames", "spins", "turns", "frame_inertia", "frame_particles"];
        buffers.gather("frames", self.list.len() as u32, &columns)?;
        buffers.refer("frame_particles", 2, "particles")?;
        if is_second_order {
            let pasts = vec![[0.0; 4]; PAST as usize * self.list.len()];
            buffers.real4s("frame_pasts", Role::State, pasts)?;
            buffers.gather("frames", self.list.len() as u32, &["frame_pasts"])?;
        }
        buffers.uints("frame_releases", Role::Model, released.iter().map(|&(k, _)| k).collect())?;
        let rest = released.iter().map(|(_, release)| vector(release.inverse_inertia, release.time));
        buffers.real4s("frame_release_rest", Role::Model, rest.collect())?;
        buffers.uint2s("frame_drives", Role::Model, driven.iter().map(|&(k, d)| [k, d.track]).collect())?;
        let rest = driven.iter().map(|(_, drive)| drive.rest.to_array());
        buffers.real4s("frame_drive_rest", Role::Model, rest.collect())?;
        Ok(FramePasses {
            count: self.list.len() as u32,
            released: released.len() as u32,
            driven: driven.len() as u32,
            is_second_order,
        })
    }
}

/// The frames of a model, ready to append their passes.
struct FramePasses {
    count: u32,
    released: u32,
    driven: u32,
    is_second_order: bool,
}

impl Member for FramePasses {
    fn append(&self, stage: Stage, list: &mut StageList<'_>) -> Result<(), ComputeError> {
        let all = Launch::over(self.count);
        match stage {
            Stage::Predict => {
                list.run(&release_frames::KERNEL, Launch::over(self.released))?;
                list.run_in_parts(&predict_frames::KERNEL, all, &[], ("frames", 1))?;
                if self.is_second_order {
                    list.run(&second_predict_frames::KERNEL, all)?;
                }
                list.run(&drive_frames::KERNEL, Launch::over(self.driven))
            }
            Stage::Finish => {
                list.run_in_parts(&finish_frames::KERNEL, all, &[], ("frames", 1))?;
                if self.is_second_order {
                    list.run(&second_finish_frames::KERNEL, all)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// An orientation as what f32 can hold of it and the turn that is missing, on an f64 backend too.
fn split(orientation: DQuat) -> [[f64; 4]; 2] {
    let high = DQuat::from_array(orientation.to_array().map(|c| f64::from(c as f32)));
    let missing = high.normalize().conjugate() * orientation;
    let turn = missing.xyz() / missing.w;
    [high.to_array(), [turn.x, turn.y, turn.z, 0.0]]
}
