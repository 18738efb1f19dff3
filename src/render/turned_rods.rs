//! Rods whose frames are turned, on the device: the same as `rods::measure::frame_turns` looks at.

use super::drawing::Maker;
use super::error::RenderError;
use super::strain_elements::NOBODY;
use crate::model::Model;
use bytemuck::cast_slice;
use wgpu::BufferUsages as Usage;

pub(super) struct TurnedRods {
    /// Frames of each rod: the first, and the end.
    pub rods: wgpu::Buffer,
    pub rod_count: u32,
    /// 1 for a wall.
    pub kinds: wgpu::Buffer,
    pub turns: wgpu::Buffer,
    /// The last frame at each particle.
    pub last_frames: wgpu::Buffer,
}

impl TurnedRods {
    pub fn new(device: &wgpu::Device, model: &Model) -> Result<Self, RenderError> {
        let rods: Vec<[u32; 2]> =
            model.rods.rods.iter().map(|rod| [rod.frames.start, rod.frames.end]).collect();
        let kinds: Vec<u32> = model.rods.frames.iter().map(|frame| u32::from(frame.is_wall())).collect();
        let mut last = vec![NOBODY; model.particle_count()];
        for k in model.rods.rods.iter().flat_map(|rod| rod.frames.clone()) {
            let frame = &model.rods.frames[k as usize];
            for p in frame.particles.into_iter().filter(|_| !frame.is_wall()) {
                last[p as usize] = k;
            }
        }
        let make = Maker { device };
        Ok(Self {
            rods: make.filled("rods", cast_slice(&rods), Usage::STORAGE)?,
            rod_count: rods.len() as u32,
            turns: make.empty("turns of frames", 4 * kinds.len() as u64, Usage::STORAGE)?,
            kinds: make.filled("frames", cast_slice(&kinds), Usage::STORAGE)?,
            last_frames: make.filled("particles", cast_slice(&last), Usage::STORAGE)?,
        })
    }
}
