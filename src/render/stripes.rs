//! A stripe along each rod that follows its material frames: twist made visible.
//!
//! The stripe is a thin line that rises from the tube where the frames' first axis points. Its points are drawn like
//! particles; they are no part of the simulation and are made from the frames for every picture.

use super::geometry::Line;
use crate::model::Model;
use crate::model::skins::Skins;
use crate::rods::measure::FrameState;
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
/// Length of an axis over the rest length of its segment and, if that is more, over its radius; and radius over its length.
const AXIS_LENGTH: f64 = 0.8;
const AXIS_RISE: f64 = 3.0;
const AXIS_THICKNESS: f64 = 0.04;

/// A point of a stripe, or the foot or a tip of the axes that show a frame.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// It stands beside the middle between them; twice the same for a stripe.
    particles: [u32; 2],
    /// The frames of the segments beside it, whose mean says where its side is; twice the same at an end.
    frames: [u32; 2],
    /// From that middle, in a frame's own axes [m].
    offset: DVec3,
}

impl Node {
    fn of_stripe(particle: u32, frames: [u32; 2], radius: f64) -> Self {
        Self { particles: [particle; 2], frames, offset: DISTANCE * radius * DVec3::X }
    }
}

/// The stripes of a model.
#[derive(Clone, Debug, Default)]
pub struct Stripes {
    nodes: Vec<Node>,
    /// Detailed surfaces, whose vertices are drawn between the particles and the stripes.
    skins: Skins,
    /// The lines of each body, empty for most, by drawn particle numbers.
    pub(super) lines: Vec<Vec<Line>>,
    /// The lines of the first, second and third axes of frames.
    pub(super) axis_lines: [Vec<Line>; 3],
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
                stripes.nodes.push(Node::of_stripe(particle, frames, radius));
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
        let mut radii = vec![0.0; model.rods.frames.len()];
        for rod in &model.rods.rods {
            rod.frames.clone().for_each(|k| radii[k as usize] = model.bodies[rod.body as usize].radius);
        }
        for k in model.nets.nets.iter().flat_map(|net| net.segments()) {
            radii[k as usize] = model.nets.radii[(k - model.nets.first_frame()) as usize];
        }
        for &k in frames.iter().step_by(every) {
            let frame = &model.rods.frames[k as usize];
            let foot = (model.particle_count() + self.len()) as u32;
            let length = (AXIS_LENGTH * frame.rest_length).max(AXIS_RISE * radii[k as usize]);
            let tips = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
            let node = |tip| Node { particles: frame.particles, frames: [k; 2], offset: length * tip };
            self.nodes.extend(tips.map(node));
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
                    self.nodes.push(Node::of_stripe(particle, frames, radius));
                }
                let line = Line { ends: [number, number + 1], radius: (THICKNESS * radius) as f32 };
                self.lines[net.body as usize].push(line);
            }
        }
    }

    /// Points that are drawn besides the particles: those of detailed surfaces and of stripes.
    pub fn len(&self) -> usize {
        self.skins.len() + self.nodes.len()
    }

    /// Points of stripes and axes.
    pub(super) fn point_count(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// Points of stripes and axes as shaders/render/stripe.wgsl takes them.
    pub(super) fn device_points(&self) -> Vec<[u32; 8]> {
        let pack = |node: &Node| {
            let [a, b] = node.particles;
            let [k, l] = node.frames;
            let [x, y, z] = node.offset.as_vec3().to_array().map(f32::to_bits);
            [a, b, k, l, x, y, z, (node.offset.length() as f32).to_bits()]
        };
        self.nodes.iter().map(pack).collect()
    }

    /// The particles that the values of each further point come from, and their weights, as
    /// shaders/render/value_carry.wgsl takes them.
    pub(super) fn carried(&self) -> Vec<[u32; 8]> {
        let pack = |corners: [u32; 4], weights: [f64; 4]| {
            let [a, b, c, d] = corners;
            let [x, y, z, w] = weights.map(|weight| (weight as f32).to_bits());
            [a, b, c, d, x, y, z, w]
        };
        let embedding = &self.skins.embedding;
        let skins = embedding.corners.iter().zip(&embedding.weights);
        let skins = skins.map(|(corners, weights)| pack(*corners, *weights));
        let points = self.nodes.iter().map(|node| pack([node.particles[0]; 4], [1.0, 0.0, 0.0, 0.0]));
        let rigid = self.skins.rigid.iter().map(|vertex| pack([vertex.particle; 4], [1.0, 0.0, 0.0, 0.0]));
        skins.chain(rigid).chain(points).collect()
    }

    /// All that is drawn, as a device takes it [m]: the particles, in the model's numbering, then detailed surfaces, and
    /// then the stripes.
    pub fn pack(&self, positions: &[DVec3], state: &FrameState) -> Vec<[f32; 4]> {
        let points = self.nodes.iter().map(|node| {
            let [a, b] = node.particles.map(|p| positions[p as usize]);
            let [u, v] = node.frames.map(|k| state.orientations[k as usize] * node.offset);
            0.5 * (a + b) + node.offset.length() * (u + v).normalize_or(u.normalize_or_zero())
        });
        let all = positions.iter().copied().chain(self.skins.positions(positions, state)).chain(points);
        all.map(|x| x.as_vec3().extend(0.0).to_array()).collect()
    }

    /// The values of particles, continued for detailed surfaces and stripes.
    pub fn extend(&self, values: &mut Vec<f32>) {
        values.extend(self.skins.values(values));
        let particles = self.nodes.iter().map(|node| node.particles[0]);
        values.extend(particles.map(|p| values[p as usize]).collect::<Vec<_>>());
    }
}
