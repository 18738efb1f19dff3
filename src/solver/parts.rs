//! Parts of a model that know nothing of each other: rods, a few at a time.
//!
//! The passes of rods are short, and each reads all that the one before has just written. Divided into parts, the CPU
//! backend takes one part through several passes while it is in a core's cache.

use crate::compute::{Pass, Passes};
use crate::math::lane::MOST;
use crate::model::Model;
use crate::particles::{finish, predict};
use crate::rods::{
    bend_twist, finish_frames, gather_rods, predict_frames, project_rods, step_rods, stretch_shear, walk_rods,
};
use crate::scene::RodMethod;

/// Frames at least in a part: with their particles some hundred kilobytes, which fit a core's cache.
const FRAMES: u32 = 800;

/// Where each part ends.
pub struct Parts {
    rods: Vec<u32>,
    frames: Vec<u32>,
    particles: Vec<u32>,
}

impl Parts {
    /// The parts of a model; nothing if there are not two, or if its rods are not numbered one after the other.
    pub fn new(model: &Model) -> Option<Self> {
        let rods = &model.rods;
        let (mut ends, mut frames, mut particles) = (Vec::new(), Vec::new(), Vec::new());
        let total = rods.rods.last()?.frames.end;
        // As many for one thread as for another.
        let count = (total / FRAMES).next_multiple_of(rayon::current_num_threads() as u32);
        let walks = !rods.of_method(RodMethod::Coloured).is_empty() && rods.rods.len() >= 2 * MOST;
        let mut before = 0;
        for (number, rod) in (0..).zip(&rods.rods) {
            let own = &rods.frames[rod.frames.start as usize..rod.frames.end as usize];
            let used = || own.iter().flat_map(|frame| frame.particles);
            let (first, last) = (used().min()?, used().max()?);
            if first < before {
                return None;
            }
            let share = (frames.len() as u64 + 1) * u64::from(total) / u64::from(count.max(1));
            let ends_here = if walks {
                // Whole registers of rods.
                number % MOST as u32 == 0 && rod.frames.start >= frames.last().unwrap_or(&0) + FRAMES
            } else {
                u64::from(rod.frames.start) >= share
            };
            if ends_here {
                ends.push(number);
                frames.push(rod.frames.start);
                particles.push(first);
            }
            before = last + 1;
        }
        // The last part has the rest: what belongs to no rod knows of nobody either, in these passes.
        ends.push(rods.rods.len() as u32);
        frames.push(rods.frames.len() as u32);
        particles.push(model.particle_count() as u32);
        (frames.len() > 1).then_some(Self { rods: ends, frames, particles })
    }

    /// Divides the passes whose calls keep to their part.
    pub fn divide(&self, passes: &mut Passes) {
        for index in 0..passes.list.len() {
            let pass = &passes.list[index];
            let is =
                |kernels: &[&crate::compute::Kernel]| kernels.iter().any(|k| std::ptr::eq(*k, pass.kernel));
            let (ends, step) = if is(&[&predict::KERNEL, &finish::KERNEL]) {
                (&self.particles, 1)
            } else if is(&[&walk_rods::KERNEL, &step_rods::KERNEL]) {
                (&self.rods, 1)
            } else if is(&[&stretch_shear::KERNEL, &bend_twist::KERNEL]) {
                (&self.frames, 2)
            } else if is(&[
                &predict_frames::KERNEL,
                &finish_frames::KERNEL,
                &project_rods::KERNEL,
                &gather_rods::KERNEL,
            ]) {
                (&self.frames, 1)
            } else {
                continue;
            };
            let ends: Vec<u32> = ends.iter().map(|&end| calls_before(pass, end, step)).collect();
            passes.divide(index, ends);
        }
    }
}

/// How many calls of a pass over every `step`-th element from its first on come before an element.
fn calls_before(pass: &Pass, element: u32, step: u32) -> u32 {
    element.saturating_sub(pass.launch.first).div_ceil(step).min(pass.calls)
}
