//! A stripe along each rod that follows its material frames: twist made visible.
//!
//! The stripe is a thin line that rises from the tube where the frames' first axis points. Its points are drawn like
//! particles; they are no part of the simulation and are made from the frames for every picture.

use super::geometry::Line;
use crate::model::Model;
use crate::model::rod_measure::FrameState;
use crate::model::skins::Skins;
use glam::DVec3;

/// Bodies of more rods than this, such as hair, are drawn without stripes.
const MOST_RODS: usize = 32;
/// Nets of more segments are drawn without stripes.
const MOST_NET_SEGMENTS: usize = 1000;
/// Radius of the stripe and its distance from the rod's axis, over the rod's radius.
const THICKNESS: f64 = 0.35;
const DISTANCE: f64 = 0.85;
/// Frames whose axes are drawn.
const MOST_AXES: usize = 400;
/// Length of an axis over the rest length of its segment, and radius over its length.
const AXIS_LENGTH: f64 = 0.8;
const AXIS_THICKNESS: f64 = 0.04;

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
    /// Detailed surfaces, whose vertices are drawn between the particles and the stripes.
    skins: Skins,
    /// The lines of each body, empty for most, by drawn particle numbers.
    pub(super) lines: Vec<Vec<Line>>,
    axes: Vec<AxisNode>,
    /// The lines of the first, second and third axes of frames.
    pub(super) axis_lines: [Vec<Line>; 3],
}

/// The foot or a tip of the axes that show a frame.
#[derive(Clone, Copy, Debug)]
struct AxisNode {
    frame: u32,
    particles: [u32; 2],
    /// From the middle of the segment, in the frame's axes [m].
    tip: DVec3,
}

impl Stripes {
    /// The stripes of a model and, if asked for, the axes of its frames.
    pub fn new(model: &Model, axes: bool) -> Self {
        let lines = vec![Vec::new(); model.bodies.len()];
        let mut stripes = Self { lines, skins: model.skins.clone(), ..Self::default() };
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
                let number = (model.particle_count() + stripes.len()) as u32;
                stripes.nodes.push(Node { particle, frames, distance: DISTANCE * radius });
                if i > 0 {
                    let line = Line { ends: [number - 1, number], radius: (THICKNESS * radius) as f32 };
                    stripes.lines[rod.body as usize].push(line);
                }
            }
        }
        stripes.add_nets(model);
        if axes {
            stripes.add_axes(model);
        }
        stripes
    }

    /// The axes of some frames, evenly chosen where there are many.
    fn add_axes(&mut self, model: &Model) {
        let frames: Vec<u32> =
            (0..).zip(&model.rods.frames).filter(|(_, frame)| !frame.is_wall()).map(|(k, _)| k).collect();
        let every = frames.len().div_ceil(MOST_AXES).max(1);
        for &k in frames.iter().step_by(every) {
            let frame = &model.rods.frames[k as usize];
            let foot = (model.particle_count() + self.len()) as u32;
            let length = AXIS_LENGTH * frame.rest_length;
            let tips = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
            let node = |tip| AxisNode { frame: k, particles: frame.particles, tip: length * tip };
            self.axes.extend(tips.map(node));
            for (axis, tip) in self.axis_lines.iter_mut().zip(1..) {
                axis.push(Line { ends: [foot, foot + tip], radius: (AXIS_THICKNESS * length) as f32 });
            }
        }
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
                let number = (model.particle_count() + self.len()) as u32;
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

    /// Points that are drawn besides the particles: those of detailed surfaces and of stripes.
    pub fn len(&self) -> usize {
        self.skins.len() + self.nodes.len() + self.axes.len()
    }

    /// Whether there are neither stripes nor axes: then all that is drawn is on the simulation's device.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty() && self.axes.is_empty()
    }

    /// All that is drawn, as a device takes it [m]: the particles, in the model's numbering, then detailed surfaces, and
    /// then the stripes.
    pub fn pack(&self, positions: &[DVec3], state: &FrameState) -> Vec<[f32; 4]> {
        let points = self.nodes.iter().map(|node| {
            let [a, b] = node.frames.map(|k| state.orientations[k as usize] * DVec3::X);
            positions[node.particle as usize] + node.distance * (a + b).normalize_or(a)
        });
        let axes = self.axes.iter().map(|node| {
            let [a, b] = node.particles.map(|p| positions[p as usize]);
            0.5 * (a + b) + state.orientations[node.frame as usize] * node.tip
        });
        let all = positions.iter().copied().chain(self.skins.positions(positions)).chain(points).chain(axes);
        all.map(|x| x.as_vec3().extend(0.0).to_array()).collect()
    }

    /// The values of particles, continued for detailed surfaces and stripes.
    pub fn extend(&self, values: &mut Vec<f32>) {
        values.extend(self.skins.values(values));
        let particles = self.nodes.iter().map(|node| node.particle);
        let particles = particles.chain(self.axes.iter().map(|node| node.particles[0]));
        values.extend(particles.map(|p| values[p as usize]).collect::<Vec<_>>());
    }
}
