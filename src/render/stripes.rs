//! A stripe along each rod that follows its material frames: twist made visible.
//!
//! The stripe is a thin line that rises from the tube where the frames' first axis points. Its points are drawn like
//! particles; they are no part of the simulation and are made from the frames for every picture.

use super::geometry::Line;
use crate::model::Model;
use crate::model::rod_measure::FrameState;
use glam::DVec3;

/// Bodies of more rods than this, such as hair, are drawn without stripes.
const MOST_RODS: usize = 32;
/// Nets of more segments are drawn without stripes.
const MOST_NET_SEGMENTS: usize = 1000;
/// Radius of the stripe and its distance from the rod's axis, over the rod's radius.
const THICKNESS: f64 = 0.35;
const DISTANCE: f64 = 0.85;

/// A point of a stripe.
#[derive(Clone, Copy, Debug)]
struct Node {
    particle: u32,
    /// The frames of the segments beside it; twice the same at an end.
    frames: [u32; 2],
    /// From the axis [m].
    distance: f64,
}

/// The stripes of a model.
#[derive(Clone, Debug, Default)]
pub struct Stripes {
    nodes: Vec<Node>,
    /// The lines of each body, empty for most, by drawn particle numbers.
    pub(super) lines: Vec<Vec<Line>>,
}

impl Stripes {
    pub fn new(model: &Model) -> Self {
        let mut stripes = Self { nodes: Vec::new(), lines: vec![Vec::new(); model.bodies.len()] };
        let mut rods_of = vec![0; model.bodies.len()];
        model.rods.rods.iter().for_each(|rod| rods_of[rod.body as usize] += 1);
        for rod in model.rods.rods.iter().filter(|rod| rods_of[rod.body as usize] <= MOST_RODS) {
            let radius = model.bodies[rod.body as usize].radius;
            let segments: Vec<u32> =
                rod.frames.clone().filter(|&k| !model.rods.frames[k as usize].is_wall()).collect();
            for i in 0..=segments.len() {
                let frames = [segments[i.saturating_sub(1)], segments[i.min(segments.len() - 1)]];
                let side = usize::from(i > 0);
                let particle = model.rods.frames[frames[0] as usize].particles[side];
                let number = (model.particle_count() + stripes.nodes.len()) as u32;
                stripes.nodes.push(Node { particle, frames, distance: DISTANCE * radius });
                if i > 0 {
                    let line = Line { ends: [number - 1, number], radius: (THICKNESS * radius) as f32 };
                    stripes.lines[rod.body as usize].push(line);
                }
            }
        }
        stripes.add_nets(model);
        stripes
    }

    /// A stripe on every segment of a net; where only two segments meet theirs join.
    fn add_nets(&mut self, model: &Model) {
        let nets = &model.nets;
        let segments: usize = nets.nets.iter().map(|net| net.segment_count as usize).sum();
        if segments > MOST_NET_SEGMENTS {
            return;
        }
        let mut at: Vec<Vec<u32>> = vec![Vec::new(); model.particle_count()];
        let frames = &model.rods.frames;
        for k in nets.nets.iter().flat_map(|net| net.segments()) {
            frames[k as usize].particles.iter().for_each(|&p| at[p as usize].push(k));
        }
        for net in &nets.nets {
            for k in net.segments() {
                let radius = nets.radii[(k - nets.first_frame()) as usize];
                let number = (model.particle_count() + self.nodes.len()) as u32;
                for particle in frames[k as usize].particles {
                    let frames = match at[particle as usize][..] {
                        [a, b] => [a, b],
                        _ => [k; 2],
                    };
                    self.nodes.push(Node { particle, frames, distance: DISTANCE * radius });
                }
                let line = Line { ends: [number, number + 1], radius: (THICKNESS * radius) as f32 };
                self.lines[net.body as usize].push(line);
            }
        }
    }

    /// Points that are drawn besides the particles.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All that is drawn, as a device takes it [m]: the particles, in the model's numbering, and then the stripes.
    pub fn pack(&self, positions: &[DVec3], state: &FrameState) -> Vec<[f32; 4]> {
        let points = self.nodes.iter().map(|node| {
            let [a, b] = node.frames.map(|k| state.orientations[k as usize] * DVec3::X);
            positions[node.particle as usize] + node.distance * (a + b).normalize_or(a)
        });
        let all = positions.iter().copied().chain(points);
        all.map(|x| x.as_vec3().extend(0.0).to_array()).collect()
    }

    /// The values of particles, continued for the stripes.
    pub fn extend<T: Copy>(&self, values: &mut Vec<T>) {
        values.extend(self.nodes.iter().map(|node| values[node.particle as usize]).collect::<Vec<_>>());
    }
}
