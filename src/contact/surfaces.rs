//! Contact between bodies: what can touch, and the passes by which it does.
//!
//! Detect: `near_reach`, `near_bound`, `near_refit`, `near_pairs` list what is near; `corner_list` and a sort say which pairs are at each particle;
//! `touch_measure` what they are like. Project: `touch_share`, then in every iteration some sweeps of `touch_push` and `touch_apply`. Guard:
//! `guard_share`, `guard_hold`, after which nothing moves; `touch_keep` and `touch_recall` take friction from one substep to the next.

use super::near_pairs::{BODY, FILL, POINT, SEGMENT, SIDES, TRIANGLE, VERTICES};
use super::near_refit::CHILDREN;
use super::touch::STIFFNESS;
use super::touch_apply::RESTART;
use super::touch_push::BEGIN;
use super::{
    corner_list, guard_hold, guard_share, near_bound, near_pairs, near_reach, near_refit, touch_apply,
    touch_keep, touch_measure, touch_push, touch_recall, touch_share,
};
use crate::compute::{ComputeError, Data, Element, Extent, Launch, Passes, Role, TableId, Tables};
use crate::contact::verify::Shapes;
use crate::model::Model;
use crate::primitives::list::{self, Source};
use crate::primitives::{scan, sort};
use std::collections::HashSet;

/// The table of near pairs.
pub const NEAR: &str = "near";
/// Near pairs that there can be: as many as a sort of their corners takes.
const MOST: u32 = sort::MOST / 4;
/// Pairs per element that there is room for at first.
const AT_FIRST: u32 = 4;

/// Everything that can touch, by the model's numbers of particles.
#[derive(Clone, Debug, Default)]
pub struct Surfaces {
    /// Three corners and bits, see [`near_pairs`].
    pub elements: Vec<[u32; 4]>,
    /// Positions at the start and half the thickness of each particle [m].
    pub rest: Vec<[f64; 4]>,
    /// The body of each particle.
    pub bodies: Vec<u32>,
    pub body_count: u32,
    /// For each pair of bodies: static and kinetic friction, κ; negative where they do not touch.
    pub rules: Vec<[f64; 4]>,
    /// Iterations on the contacts in each iteration of the solver.
    pub sweeps: u32,
    /// Room for near pairs at first; 0: a few for each element.
    pub capacity: u32,
}

/// The elements of triangles, segments and points. Each vertex and each edge is owned by the first element that has it.
pub fn elements(
    triangles: &[[u32; 3]],
    segments: &[[u32; 2]],
    points: &[u32],
    body_of: impl Fn(u32) -> u32,
) -> Vec<[u32; 4]> {
    let mut all: Vec<([u32; 3], u32)> = triangles.iter().map(|&t| (t, TRIANGLE)).collect();
    all.extend(segments.iter().map(|&[a, b]| ([a, b, b], SEGMENT)));
    all.extend(points.iter().map(|&p| ([p; 3], POINT)));
    // Neighbours in number are neighbours in space, and so are the boxes of eight.
    all.sort_by_key(|(corners, _)| (*corners.iter().min().unwrap_or(&0), *corners));
    let (mut vertices, mut edges) = (HashSet::new(), HashSet::new());
    all.into_iter()
        .map(|(corners, kind)| {
            let mut bits = kind | body_of(corners[0]) << BODY;
            for side in 0..3usize {
                let (a, b) = (corners[side], corners[(side + 1) % 3]);
                bits |= u32::from(vertices.insert(a)) << (VERTICES + side as u32);
                let is_edge = if kind == POINT { side == 0 } else { a != b };
                bits |= u32::from(is_edge && edges.insert([a.min(b), a.max(b)])) << (SIDES + side as u32);
            }
            [corners[0], corners[1], corners[2], bits]
        })
        .collect()
}

impl Surfaces {
    /// All bodies of a model; nothing if its scene has no contact between bodies.
    pub fn of(model: &Model) -> Option<Self> {
        let contact = model.settings.contact.as_ref()?;
        let shapes = Shapes::of(model);
        let bodies: Vec<u32> = shapes.bodies.iter().map(|[body, _]| *body).collect();
        let mut friction = vec![0.0; model.bodies.len()];
        for (&body, &mu) in bodies.iter().zip(&model.particles.friction) {
            friction[body as usize] = mu;
        }
        let stiffness = STIFFNESS * f64::from(contact.sweeps * model.settings.iterations);
        let rule = |a: usize, b: usize| {
            let [first, second] = [a, b].map(|k| model.bodies[k].name.as_str());
            let found = contact.pair.iter().rev().find(|pair| {
                let named = [pair.first.as_str(), pair.second.as_str()];
                named == [first, second] || named == [second, first]
            });
            if !found.map_or(a != b || contact.own, |pair| pair.touch) {
                return [-1.0, 0.0, 0.0, 0.0];
            }
            let mean = (friction[a] * friction[b]).sqrt();
            let sticks = found.and_then(|pair| pair.static_friction).unwrap_or(mean);
            let slides = found.and_then(|pair| pair.kinetic_friction).unwrap_or(sticks).min(sticks);
            [sticks, slides, stiffness, 0.0]
        };
        let count = model.bodies.len();
        let particles = &model.particles;
        Some(Self {
            elements: elements(&shapes.triangles, &shapes.segments, &shapes.points, |p| bodies[p as usize]),
            rest: particles
                .positions
                .iter()
                .zip(&particles.radii)
                .map(|(x, &r)| x.extend(r).to_array())
                .collect(),
            rules: (0..count)
                .flat_map(|a| (0..count).map(move |b| [a, b]))
                .map(|[a, b]| rule(a, b))
                .collect(),
            bodies,
            body_count: count as u32,
            sweeps: contact.sweeps,
            capacity: 0,
        })
    }

    fn element_count(&self) -> u32 {
        self.elements.len() as u32
    }

    fn particle_count(&self) -> u32 {
        self.rest.len() as u32
    }

    /// Where each level of the tree begins among the boxes, and how many it has.
    fn levels(&self) -> Vec<[u32; 2]> {
        let mut levels = vec![[0, self.element_count()]];
        while let Some(&[start, size]) = levels.last().filter(|level| level[1] > CHILDREN) {
            levels.push([start + size, size.div_ceil(CHILDREN)]);
        }
        levels
    }

    /// Adds all tables and columns; `positions` and `offsets` must exist.
    pub fn add_tables(&self, buffers: &mut Tables) -> Result<(), ComputeError> {
        let (count, particles) = (self.element_count(), self.particle_count() as usize);
        let nodes: u32 = self.levels().iter().map(|[_, size]| size).sum();
        buffers.uint4s("contact_elements", Role::Model, self.elements.clone())?;
        buffers.real4s("contact_rest", Role::Model, self.rest.clone())?;
        buffers.uints("contact_bodies", Role::Model, self.bodies.clone())?;
        buffers.real4s("contact_rules", Role::Model, self.rules.clone())?;
        buffers.real4s("contact_boxes", Role::Scratch, vec![[0.0; 4]; 2 * nodes as usize])?;
        let pairs = vec![0.0; 2 * particles];
        buffers.add("contact_reaches", Element::Real2, Role::Scratch, Data::Reals(pairs))?;
        buffers.uints("corner_counts", Role::Scratch, vec![0; particles])?;
        buffers.reals("touch_shares", Role::Scratch, vec![1.0; particles])?;
        buffers.real4s("touch_bases", Role::Scratch, vec![[0.0; 4]; particles])?;
        buffers.uints("contact_counts", Role::State, vec![0; 4])?;
        let capacity = if self.capacity > 0 { self.capacity } else { AT_FIRST * count.max(16) };
        let near = list::declare(buffers, NEAR, Source::Elements(count), capacity.min(MOST), MOST)?;
        buffers.zeros(near, "near", Element::Uint4, Role::Scratch, [1, 0])?;
        buffers.zeros(near, "near_before", Element::Uint4, Role::State, [1, 0])?;
        buffers.zeros(near, "touch_memories", Element::Real4, Role::State, [1, 0])?;
        buffers.uints("near_before_starts", Role::State, vec![0; count as usize + 1])?;
        buffers.zeros(near, "corners", Element::Uint2, Role::Scratch, [4, 0])?;
        for name in ["touch_planes", "touch_weights", "touch_laws", "guard_planes"] {
            buffers.zeros(near, name, Element::Real4, Role::Scratch, [1, 0])?;
        }
        buffers.zeros(near, "touch_impulses", Element::Real4, Role::Scratch, [2, 0])?;
        buffers.zeros(near, "guard_limits", Element::Real, Role::Scratch, [1, 0])?;
        Ok(())
    }

    /// Appends what finds near pairs and measures them, once a substep and after the displacements are predicted.
    pub fn detect(
        &self,
        passes: &mut Passes,
        buffers: &mut Tables,
        offsets: &str,
    ) -> Result<(), ComputeError> {
        let particles = Launch::over(self.particle_count());
        let renamed = [("offsets", offsets)];
        passes.run_as(buffers, &near_reach::KERNEL, particles, &renamed)?;
        passes.run(buffers, &near_bound::KERNEL, Launch::over(self.element_count()))?;
        for pair in self.levels().windows(2) {
            let [[base, index], [first, count]] = [pair[0], pair[1]];
            passes.run(buffers, &near_refit::KERNEL, Launch { first, base, index, ..Launch::over(count) })?;
        }
        let launch = Launch { index: self.body_count, ..Launch::over(0) };
        let fill = Launch { flags: FILL, ..launch };
        let source = Source::Elements(self.element_count());
        let [count, fill] = [launch, fill].map(|launch| (&near_pairs::KERNEL, launch, &[][..]));
        list::make(passes, buffers, NEAR, source, count, fill)?;
        let near = Extent::of(near_table(buffers)?);
        passes.over(buffers, &corner_list::KERNEL, launch, near, &[])?;
        scan::exclusive(passes, buffers, "corner_counts", self.particle_count(), "corner_starts")?;
        let corners = Extent::blocks(near.table, 1, 4);
        let bits = u32::BITS - self.particle_count().leading_zeros();
        sort::pairs(passes, buffers, "corners", corners, bits, "corner_slots")?;
        passes.run(buffers, &touch_recall::KERNEL, Launch::over(self.element_count()))?;
        passes.over(buffers, &touch_measure::KERNEL, launch, near, &[])
    }

    /// Appends the contacts of one iteration of the solver; each sweep ends with `then`.
    pub fn project(
        &self,
        passes: &mut Passes,
        buffers: &Tables,
        iteration: u32,
        offsets: &str,
        then: impl Fn(&mut Passes) -> Result<(), ComputeError>,
    ) -> Result<(), ComputeError> {
        let near = Extent::of(near_table(buffers)?);
        let renamed = [("offsets", offsets)];
        let launch = Launch::over(self.particle_count());
        let restart = Launch { flags: RESTART, ..launch };
        if iteration == 0 {
            passes.run_as(buffers, &touch_share::KERNEL, launch, &renamed)?;
            let begin = Launch { flags: BEGIN, ..launch };
            passes.over(buffers, &touch_push::KERNEL, begin, near, &renamed)?;
            passes.run_as(buffers, &touch_apply::KERNEL, restart, &renamed)?;
            then(passes)?;
        }
        for sweep in 0..self.sweeps {
            let apply = if iteration > 0 && sweep == 0 { restart } else { launch };
            passes.over(buffers, &touch_push::KERNEL, launch, near, &renamed)?;
            passes.run_as(buffers, &touch_apply::KERNEL, apply, &renamed)?;
            then(passes)?;
        }
        Ok(())
    }

    /// Appends the guard, after everything that moves particles in a substep.
    pub fn guard(&self, passes: &mut Passes, buffers: &Tables, offsets: &str) -> Result<(), ComputeError> {
        let renamed = [("offsets", offsets)];
        let near = Extent::of(near_table(buffers)?);
        passes.over(buffers, &guard_share::KERNEL, Launch::over(0), near, &renamed)?;
        passes.run_as(buffers, &guard_hold::KERNEL, Launch::over(self.particle_count()), &renamed)?;
        passes.run(buffers, &touch_keep::KERNEL, Launch::over(self.element_count()))
    }
}

fn near_table(buffers: &Tables) -> Result<TableId, ComputeError> {
    let missing = || ComputeError::Table { table: NEAR.into(), problem: "is not declared".into() };
    buffers.find_table(NEAR).ok_or_else(missing)
}
