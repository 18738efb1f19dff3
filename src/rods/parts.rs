//! Rods, a few at a time, as parts of a model that know nothing of each other.

use crate::math::lane::MOST;
use crate::model::Model;
use crate::scene::RodMethod;
use crate::step::Parts;

/// Frames at least in a part: with their particles some hundred kilobytes, which fit a core's cache.
const FRAMES: u32 = 800;

/// The parts of a model; none if there are not two, or if its rods are not numbered one after the other.
pub fn parts(model: &Model) -> Option<Parts> {
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
    let cells: usize = model.composites.iter().map(|body| body.frames.len()).sum();
    frames.push((rods.frames.len() + model.rigid.len() + cells) as u32);
    particles.push(model.particle_count() as u32);
    if frames.len() < 2 {
        return None;
    }
    let mut parts = Parts::default();
    parts.add("rods", ends);
    parts.add("frames", frames);
    parts.add("particles", particles);
    Some(parts)
}
