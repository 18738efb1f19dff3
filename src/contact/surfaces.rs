//! Contact between bodies: what can touch, and the passes by which it does.
//!
//! Detect: `near_reach` and `near_gate` find out whether a list is due. If so, `near_start`, `near_bound`, `near_refit`, `near_pairs` list what is near;
//! `corner_list` and a sort say which pairs are at each particle; `touch_rule` what holds for them, `touch_keep` and `touch_recall` take friction from the
//! old list to the new. In every substep `touch_measure` says what pairs are like. Project: `touch_share`, then in every iteration some sweeps of
//! `touch_push` and `touch_apply`. Guard: `guard_share`, `guard_hold`, after which nothing moves.

use super::driven::Driven;
use super::near_pairs::{BODY, FILL, POINT, SEGMENT, SIDES, TRIANGLE, VERTICES};
use super::near_reach::RADIUS_SHARE;
use super::near_refit::CHILDREN;
use super::near_start::EDGE_SHARE;
use super::touch::STIFFNESS;
use super::touch_apply::RESTART;
use super::touch_push::BEGIN;
use super::{
    corner_copy, corner_list, driven_carry, driven_gather, driven_hold, driven_move, driven_place,
    driven_push, driven_room, driven_share, driven_sum, guard_hold, guard_share, near_bound, near_fresh,
    near_gate, near_pairs, near_reach, near_refit, near_start, tangles, touch_apply, touch_keep,
    touch_measure, touch_push, touch_recall, touch_rule, touch_share,
};
use crate::compute::{
    At, ComputeError, Data, Element, Extent, Launch, Passes, Role, Rows, TableId, Tables, Wanted,
};
use crate::contact::verify::Shapes;
use crate::model::Model;
use crate::primitives::list::{self, Source};
use crate::primitives::{Length, scan, sort};
use glam::DVec3;
use std::collections::HashSet;
use std::f64::consts::PI;

/// The table of near pairs.
pub const NEAR: &str = "near";
/// The same pairs when they are new, and none later.
const FRESH: &str = "near_fresh";
/// Tables of one row or none: whether a list is made, and whether what the old one holds is kept first.
const MAKING: &str = "near_making";
const KEEPING: &str = "near_keeping";
/// Near pairs that there can be: as many as a sort of their corners takes.
const MOST: u32 = sort::MOST / 4;
/// The largest skin of a particle without edges [m].
const NO_EDGES: f64 = 1e30;
/// Pairs per element that there is room for at first.
const AT_FIRST: u32 = 4;

/// Everything that can touch, by the model's numbers of particles.
#[derive(Clone, Debug, Default)]
pub struct Surfaces {
    /// Three corners and bits, see [`near_pairs`].
    pub elements: Vec<[u32; 4]>,
    /// Positions at the start and half the thickness of each corner [m].
    pub rest: Vec<[f64; 4]>,
    /// The body of each corner; obstacles have numbers after all bodies.
    pub bodies: Vec<u32>,
    pub body_count: u32,
    /// For each pair of bodies: static and kinetic friction, negative where they do not touch; the radius of an obstacle, else −1 [m]; how hard
    /// they are to press, or 0 where that has no limit of its own [Pa].
    pub rules: Vec<[f64; 4]>,
    /// κ.
    pub stiffness: f64,
    /// Corners that are no particles.
    pub driven: Driven,
    /// What each corner is caught in at the start, see [`super::tangles`].
    pub tangles: Vec<[u32; 2]>,
    /// The area that each corner stands for against triangles [m²].
    pub areas: Vec<f64>,
    /// The largest skin of each particle [m]; infinite without edges.
    pub skins: Vec<f64>,
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

/// The largest skin of each particle [m]: a share of the mean length of its edges. Points have none, and what they use for a while is enough.
pub fn skins(elements: &[[u32; 4]], positions: &[DVec3]) -> Vec<f64> {
    let mut sums = vec![[0.0, 0.0]; positions.len()];
    for &[a, b, c, _] in elements {
        for [p, q] in [[a, b], [b, c], [c, a]].into_iter().filter(|[p, q]| p != q) {
            let length = positions[p as usize].distance(positions[q as usize]);
            for end in [p, q] {
                sums[end as usize][0] += length;
                sums[end as usize][1] += 1.0;
            }
        }
    }
    sums.into_iter()
        .map(|[sum, count]| if count > 0.0 { EDGE_SHARE * sum / count } else { NO_EDGES })
        .collect()
}

/// The area that each corner stands for against triangles [m²]. Of two sheets that lie on each other the particles of both carry, each half of it.
pub fn areas(elements: &[[u32; 4]], rest: &[[f64; 4]]) -> Vec<f64> {
    let place = |p: u32| DVec3::from_slice(&rest[p as usize]);
    let radius = |p: u32| rest[p as usize][3];
    let mut areas = vec![0.0; rest.len()];
    for &[a, b, c, bits] in elements {
        let (share, corners) = match bits & 3 {
            TRIANGLE => ((place(b) - place(a)).cross(place(c) - place(a)).length() / 12.0, vec![a, b, c]),
            SEGMENT => (radius(a) * place(a).distance(place(b)), vec![a, b]),
            _ => (PI * radius(a).powi(2), vec![a]),
        };
        corners.into_iter().for_each(|p| areas[p as usize] += share);
    }
    areas
}

impl Surfaces {
    /// All bodies of a model; nothing if its scene has no contact between bodies.
    pub fn of(model: &Model) -> Option<Self> {
        let contact = model.settings.contact.as_ref()?;
        let shapes = Shapes::of(model);
        let particles = &model.particles;
        let mut rest: Vec<[f64; 4]> =
            particles.positions.iter().zip(&particles.radii).map(|(x, &r)| x.extend(r).to_array()).collect();
        let driven = Driven::of(model, longest(&shapes));
        let mut bodies: Vec<u32> = shapes.bodies.iter().map(|[body, _]| *body).collect();
        let (count, obstacles) = (model.bodies.len(), driven.radii.len());
        let mut friction = vec![0.0; count + obstacles];
        for (&body, &mu) in bodies.iter().zip(&particles.friction) {
            friction[body as usize] = mu;
        }
        for body in &model.rigid {
            friction[body.body as usize] = body.friction;
        }
        for (mu, collider) in friction[count..].iter_mut().zip(&model.colliders) {
            *mu = collider.friction;
        }
        let is_rigid = |k: usize| model.rigid.iter().any(|body| body.body as usize == k);
        let rule = |a: usize, b: usize| {
            let none = [-1.0, 0.0, -1.0, 0.0];
            let hardness = contact.compression.unwrap_or(0.0);
            let mean = (friction[a] * friction[b]).sqrt();
            let (least, most) = (a.min(b), a.max(b));
            if most >= count {
                // Rigid bodies and obstacles have contacts of their own, and obstacles none with each other.
                let radius = driven.radii[most - count].filter(|_| least < count && !is_rigid(least));
                return radius.map_or(none, |radius| [mean, mean, radius, hardness]);
            }
            let [first, second] = [a, b].map(|k| model.bodies[k].name.as_str());
            let found = contact.pair.iter().rev().find(|pair| {
                let named = [pair.first.as_str(), pair.second.as_str()];
                named == [first, second] || named == [second, first]
            });
            let touch = found.map_or(a != b || contact.own, |pair| pair.touch);
            if !touch || a == b && is_rigid(a) {
                return none;
            }
            let sticks = found.and_then(|pair| pair.static_friction).unwrap_or(mean);
            let slides = found.and_then(|pair| pair.kinetic_friction).unwrap_or(sticks).min(sticks);
            let hardness = found.and_then(|pair| pair.compression).unwrap_or(hardness);
            [sticks, slides, -1.0, hardness]
        };
        let all = count + obstacles;
        let rules = (0..all).flat_map(|a| (0..all).map(move |b| [a, b])).map(|[a, b]| rule(a, b)).collect();
        rest.extend(&driven.rest);
        bodies.extend(&driven.numbers);
        let triangles = [shapes.triangles, driven.triangles.clone()].concat();
        let segments = [shapes.segments, driven.segments.clone()].concat();
        let points = [shapes.points, driven.points.clone()].concat();
        let elements = elements(&triangles, &segments, &points, |p| bodies[p as usize]);
        let places: Vec<DVec3> = rest.iter().map(|[x, y, z, _]| DVec3::new(*x, *y, *z)).collect();
        Some(Self {
            skins: skins(&elements, &places),
            areas: areas(&elements, &rest),
            tangles: tangles::at_start(model, rest.len()),
            elements,
            rest,
            bodies,
            body_count: all as u32,
            rules,
            stiffness: STIFFNESS * f64::from(contact.sweeps * model.settings.iterations),
            driven,
            sweeps: contact.sweeps,
            capacity: 0,
        })
    }

    fn element_count(&self) -> u32 {
        self.elements.len() as u32
    }

    fn corner_count(&self) -> u32 {
        self.rest.len() as u32
    }

    /// Corners that contact moves one by one.
    fn particle_count(&self) -> u32 {
        if self.driven.is_empty() { self.corner_count() } else { self.driven.particles }
    }

    /// Corners whose contacts share a mass.
    fn pushed_count(&self) -> u32 {
        self.particle_count() + self.driven.rigid
    }

    /// Where all corners are: with the particles, if they are all there is.
    fn places(&self) -> (&'static str, &'static str) {
        ("positions", if self.driven.is_empty() { "positions" } else { "corner_places" })
    }

    fn ways<'a>(&self, offsets: &'a str) -> (&'static str, &'a str) {
        ("offsets", if self.driven.is_empty() { offsets } else { "corner_ways" })
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
        let (count, particles) = (self.element_count(), self.corner_count() as usize);
        let nodes: u32 = self.levels().iter().map(|[_, size]| size).sum();
        buffers.uint4s("contact_elements", Role::Model, self.elements.clone())?;
        buffers.real4s("contact_rest", Role::Model, self.rest.clone())?;
        buffers.uints("contact_bodies", Role::Model, self.bodies.clone())?;
        buffers.real4s("contact_rules", Role::Model, self.rules.clone())?;
        buffers.uint2s("contact_tangles", Role::State, self.tangles.clone())?;
        buffers.gather("contact_corners", self.corner_count(), &["contact_tangles"])?;
        buffers.reals("contact_areas", Role::Model, self.areas.clone())?;
        buffers.real4s("contact_boxes", Role::Scratch, vec![[0.0; 4]; 2 * nodes as usize])?;
        let pairs = vec![0.0; 2 * particles];
        buffers.add("contact_reaches", Element::Real2, Role::Scratch, Data::Reals(pairs))?;
        buffers.uints("corner_counts", Role::Scratch, vec![0; particles])?;
        buffers.reals("touch_shares", Role::Scratch, vec![1.0; particles])?;
        buffers.real4s("touch_bases", Role::Scratch, vec![[0.0; 4]; particles])?;
        buffers.uints("contact_counts", Role::State, vec![0; 4])?;
        buffers.reals("contact_skins", Role::Model, self.skins.clone())?;
        buffers.real4s("near_made", Role::Scratch, vec![[0.0; 4]; particles])?;
        buffers.reals("near_spans", Role::Scratch, vec![0.0; particles])?;
        // The first step begins with a new list, as all do.
        buffers.uints("near_due", Role::State, vec![0, 1])?;
        self.add_driven(buffers)?;
        let column = buffers.uints("near_gates", Role::Scratch, vec![0; 2])?;
        for (entry, name) in [(0, MAKING), (1, KEEPING)] {
            let wanted = Wanted { column, at: At::Entry(entry) };
            buffers.table(name, Rows::Counted { capacity: 1, most: 1, wanted })?;
        }
        let capacity = if self.capacity > 0 { self.capacity } else { AT_FIRST * count.max(16) };
        let near = list::declare(buffers, NEAR, Source::Elements(count), capacity.min(MOST), MOST)?;
        buffers.zeros(near, "near", Element::Uint4, Role::Scratch, [1, 0])?;
        buffers.zeros(near, "near_before", Element::Uint4, Role::State, [1, 0])?;
        buffers.zeros(near, "touch_memories", Element::Real4, Role::State, [1, 0])?;
        // A pair belongs to the element that has found it, and goes with it where a body is cut.
        buffers.refer_bits("near_before", 4, "particles", near_pairs::PARTICLE)?;
        let elements = buffers.gather("contact_elements", count, &["contact_elements"])?;
        buffers.refer("contact_elements", 3, "particles")?;
        buffers.zeros(elements, "near_before_starts", Element::Uint, Role::State, [1, 1])?;
        buffers.divide("near_before_starts", near)?;
        let column = buffers.uints("near_fresh_counts", Role::Scratch, vec![0])?;
        let wanted = Wanted { column, at: At::Entry(0) };
        let fresh = Rows::Counted { capacity: capacity.min(MOST), most: MOST, wanted };
        let fresh = buffers.table(FRESH, fresh)?;
        buffers.zeros(fresh, "corners", Element::Uint2, Role::Scratch, [4, 0])?;
        for name in ["touch_planes", "touch_weights", "touch_laws", "guard_planes"] {
            buffers.zeros(near, name, Element::Real4, Role::Scratch, [1, 0])?;
        }
        buffers.zeros(near, "touch_impulses", Element::Real4, Role::Scratch, [2, 0])?;
        buffers.zeros(near, "touch_compliances", Element::Real, Role::Scratch, [1, 0])?;
        buffers.zeros(near, "guard_limits", Element::Real, Role::Scratch, [1, 0])?;
        Ok(())
    }

    /// Adds the columns of corners that are no particles.
    fn add_driven(&self, buffers: &mut Tables) -> Result<(), ComputeError> {
        let driven = &self.driven;
        if driven.is_empty() {
            return Ok(());
        }
        let motions = driven_gather::RECORDS as usize * driven.bodies.len().max(1);
        buffers.real4s("corner_places", Role::Scratch, vec![[0.0; 4]; self.rest.len()])?;
        buffers.real4s("corner_ways", Role::Scratch, vec![[0.0; 4]; self.rest.len()])?;
        buffers.uint4s("driven_bodies", Role::Model, driven.bodies.clone())?;
        buffers.uints("driven_owners", Role::Model, driven.owners.clone())?;
        buffers.real4s("driven_arms", Role::Model, driven.arms.clone())?;
        buffers.real4s("driven_motions", Role::Scratch, vec![[0.0; 4]; motions])?;
        buffers.real4s("driven_pushes", Role::Scratch, vec![[0.0; 4]; driven.arms.len()])?;
        buffers.reals("driven_rooms", Role::Scratch, vec![1.0; driven.arms.len()])?;
        Ok(())
    }

    /// Appends what puts all corners where the particles, bodies and obstacles are that drive them.
    fn place(&self, passes: &mut Passes, buffers: &Tables, offsets: &str) -> Result<(), ComputeError> {
        let driven = &self.driven;
        if driven.is_empty() {
            return Ok(());
        }
        let renamed = [("offsets", offsets)];
        passes.run_as(buffers, &corner_copy::KERNEL, Launch::over(driven.particles), &renamed)?;
        let bodies = Launch::over(driven.bodies.len() as u32);
        if !driven.bodies.is_empty() {
            passes.run_as(buffers, &driven_gather::KERNEL, bodies, &renamed)?;
            passes.run(buffers, &driven_place::KERNEL, self.over_rigid())?;
        }
        let carried =
            Launch { first: driven.rigid, base: driven.particles, ..Launch::over(driven.carried()) };
        match driven.carried() {
            0 => Ok(()),
            _ => passes.run(buffers, &driven_carry::KERNEL, carried),
        }
    }

    /// Appends what brings back how far contact has moved them.
    fn bring_back(&self, passes: &mut Passes, buffers: &Tables, offsets: &str) -> Result<(), ComputeError> {
        let driven = &self.driven;
        if driven.is_empty() {
            return Ok(());
        }
        let (renamed, all) = ([("offsets", offsets)], Launch::over(driven.particles));
        let back = Launch { flags: corner_copy::BACK, ..all };
        passes.run_as(buffers, &corner_copy::KERNEL, back, &renamed)?;
        match driven.bodies.len() as u32 {
            0 => Ok(()),
            bodies => passes.run_as(buffers, &driven_move::KERNEL, Launch::over(bodies), &renamed),
        }
    }

    /// A pass over the driven corners of rigid bodies.
    fn over_rigid(&self) -> Launch<f64> {
        Launch { base: self.driven.particles, ..Launch::over(self.driven.rigid) }
    }

    /// Appends what finds near pairs and measures them, once a substep and after the displacements are predicted.
    pub fn detect(
        &self,
        passes: &mut Passes,
        buffers: &mut Tables,
        offsets: &str,
    ) -> Result<(), ComputeError> {
        self.place(passes, buffers, offsets)?;
        let (places, all) = ([self.places()], Launch::over(self.corner_count()));
        let renamed = [self.places(), self.ways(offsets)];
        // What contact moves may use a share of its radius; obstacles go as they do.
        let pushed = Launch { weight: RADIUS_SHARE, ..Launch::over(self.pushed_count()) };
        passes.run_as(buffers, &near_reach::KERNEL, pushed, &renamed)?;
        let carried = self.corner_count() - self.pushed_count();
        if carried > 0 {
            let carried = Launch { first: self.pushed_count(), ..Launch::over(carried) };
            passes.run_as(buffers, &near_reach::KERNEL, carried, &renamed)?;
        }
        passes.run(buffers, &near_gate::KERNEL, Launch::over(1))?;
        let [making, keeping] = [table(buffers, MAKING)?, table(buffers, KEEPING)?];
        passes.resolve(buffers, making)?;
        passes.resolve(buffers, keeping)?;
        let elements = Extent::blocks(making, 1, self.element_count());
        let corners = Extent::blocks(making, 1, self.corner_count());
        let kept = Extent::blocks(keeping, 1, self.element_count());
        passes.over(buffers, &touch_keep::KERNEL, all, kept, &[])?;
        passes.over(buffers, &near_start::KERNEL, all, corners, &places)?;
        passes.over(buffers, &near_bound::KERNEL, all, elements, &places)?;
        for pair in self.levels().windows(2) {
            let [[base, index], [first, count]] = [pair[0], pair[1]];
            let level = Launch { first, base, index, ..Launch::over(count) };
            passes.over(buffers, &near_refit::KERNEL, level, Extent::blocks(making, 1, count), &[])?;
        }
        let launch = Launch { index: self.body_count, ..Launch::over(0) };
        let fill = Launch { flags: FILL, ..launch };
        let source = Source::Gated { gate: making, count: self.element_count() };
        let [count, fill] = [launch, fill].map(|launch| (&near_pairs::KERNEL, launch, &places[..]));
        list::make(passes, buffers, NEAR, source, count, fill)?;
        let total = Launch { index: self.element_count(), ..Launch::over(1) };
        passes.run(buffers, &near_fresh::KERNEL, total)?;
        let (near, fresh) = (Extent::of(table(buffers, NEAR)?), table(buffers, FRESH)?);
        passes.resolve(buffers, fresh)?;
        passes.over(buffers, &corner_list::KERNEL, launch, Extent::of(fresh), &[])?;
        let corners = Length::Gated { gate: making, count: self.corner_count() };
        scan::exclusive(passes, buffers, "corner_counts", corners, "touch_starts")?;
        let corners = Extent::blocks(fresh, 1, 4);
        let bits = u32::BITS - self.corner_count().leading_zeros();
        sort::pairs(passes, buffers, "corners", corners, bits, "touch_slots")?;
        passes.over(buffers, &touch_rule::KERNEL, launch, Extent::of(fresh), &[])?;
        passes.over(buffers, &touch_recall::KERNEL, launch, elements, &[])?;
        passes.over(buffers, &touch_measure::KERNEL, launch, near, &places)
    }

    /// Appends the contacts of one iteration of the solver; each sweep ends with `then`, which is told where the displacements are.
    pub fn project(
        &self,
        passes: &mut Passes,
        buffers: &Tables,
        iteration: u32,
        offsets: &str,
        then: impl Fn(&mut Passes, &str) -> Result<(), ComputeError>,
    ) -> Result<(), ComputeError> {
        let near = Extent::of(table(buffers, NEAR)?);
        let (ways, renamed) = ([self.ways(offsets)], [self.places(), self.ways(offsets)]);
        let launch = Launch::over(self.particle_count());
        let restart = Launch { flags: RESTART, ..launch };
        self.place(passes, buffers, offsets)?;
        let apply = |passes: &mut Passes, launch: Launch<f64>| {
            passes.run_as(buffers, &touch_apply::KERNEL, launch, &renamed)?;
            if !self.driven.bodies.is_empty() {
                passes.run(buffers, &driven_sum::KERNEL, self.over_rigid())?;
                passes.run(buffers, &driven_push::KERNEL, Launch::over(self.driven.bodies.len() as u32))?;
                passes.run(buffers, &driven_place::KERNEL, self.over_rigid())?;
            }
            then(passes, ways[0].1)
        };
        if iteration == 0 {
            passes.run_as(buffers, &touch_share::KERNEL, Launch::over(self.pushed_count()), &ways)?;
            if !self.driven.bodies.is_empty() {
                let bodies = Launch::over(self.driven.bodies.len() as u32);
                let bodies = Launch { base: self.driven.particles, ..bodies };
                passes.run(buffers, &driven_share::KERNEL, bodies)?;
            }
            let begin = Launch { flags: BEGIN, weight: self.stiffness, ..launch };
            passes.over(buffers, &touch_push::KERNEL, begin, near, &renamed)?;
            apply(passes, restart)?;
        }
        for sweep in 0..self.sweeps {
            passes.over(buffers, &touch_push::KERNEL, launch, near, &renamed)?;
            apply(passes, if iteration > 0 && sweep == 0 { restart } else { launch })?;
        }
        self.bring_back(passes, buffers, offsets)
    }

    /// Appends the guard, after everything that moves particles in a substep.
    pub fn guard(&self, passes: &mut Passes, buffers: &Tables, offsets: &str) -> Result<(), ComputeError> {
        let (ways, renamed) = ([self.ways(offsets)], [self.places(), self.ways(offsets)]);
        let near = Extent::of(table(buffers, NEAR)?);
        self.place(passes, buffers, offsets)?;
        passes.over(buffers, &guard_share::KERNEL, Launch::over(0), near, &renamed)?;
        passes.run_as(buffers, &guard_hold::KERNEL, Launch::over(self.particle_count()), &ways)?;
        if !self.driven.bodies.is_empty() {
            passes.run(buffers, &driven_room::KERNEL, self.over_rigid())?;
            passes.run(buffers, &driven_hold::KERNEL, Launch::over(self.driven.bodies.len() as u32))?;
        }
        self.bring_back(passes, buffers, offsets)
    }

    /// Appends what the next step needs to know of this one.
    pub fn end_of_step(&self, passes: &mut Passes, buffers: &Tables) -> Result<(), ComputeError> {
        let all = Launch { flags: touch_keep::END, ..Launch::over(self.element_count()) };
        passes.run(buffers, &touch_keep::KERNEL, all)
    }
}

/// The longest edge at the start [m].
fn longest(shapes: &Shapes) -> f64 {
    let sides = shapes.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let edges = sides.chain(shapes.segments.iter().copied());
    let length = |[a, b]: [u32; 2]| shapes.start[a as usize].distance(shapes.start[b as usize]);
    edges.map(length).fold(0.0, f64::max)
}

fn table(buffers: &Tables, name: &str) -> Result<TableId, ComputeError> {
    let missing = || ComputeError::Table { table: name.into(), problem: "is not declared".into() };
    buffers.find_table(name).ok_or_else(missing)
}
