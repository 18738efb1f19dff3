//! Bodies that keep their shape, on which responses are compared.
//!
//! Before every response each body is fitted into its shape where the velocities would lead it (Müller, Heidelberger, Teschner, Gross 2005), which keeps both momenta.
//! The response then moves single particles, so that a body gives way where it is touched and takes its shape again.

use super::{Pair, Response};
use crate::contact::verify::grid::{Grid, Span};
use crate::contact::verify::{Shapes, Verifier};
use glam::{DMat3, DQuat, DVec3};

/// Turns in which the rotation of a body is found, from that of the step before (Müller, Bender, Chentanez, Macklin 2016).
const TURNS: u32 = 10;

/// Bodies and what they are made of.
#[derive(Clone, Debug, Default)]
pub struct Heap {
    /// [m].
    pub x: Vec<DVec3>,
    /// [m/s].
    pub v: Vec<DVec3>,
    /// 0 for what is held [1/kg].
    pub inverse_masses: Vec<f64>,
    pub triangles: Vec<[u32; 3]>,
    pub segments: Vec<[u32; 2]>,
    /// Of each particle.
    pub bodies: Vec<u32>,
    /// Half the thickness [m].
    pub radius: f64,
    pub friction: f64,
    /// [m/s²].
    pub gravity: DVec3,
    /// Whether surfaces enclose something, with their triangles turned outwards.
    pub is_closed: bool,
    /// The shapes that bodies keep [m], and how they are turned now.
    pub(super) shape: Vec<DVec3>,
    pub(super) turns: Vec<DQuat>,
    pub(super) edges: Vec<[u32; 2]>,
}

/// What came of a heap.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outcome {
    /// Edges through triangles in the worst state.
    pub intersections: u64,
    /// Pairs that went through each other from one state to the next.
    pub crossings: u64,
    /// As a share of the thickness.
    pub depth: f64,
    /// The change of momentum that gravity and what is held do not explain, as a share of all that moves; nothing where something is held.
    pub momentum: Option<f64>,
    /// The speed that is left [m/s].
    pub speed: f64,
}

impl Heap {
    /// Adds a body of particles of equal mass, with triangles and segments by its own numbers.
    pub fn add(&mut self, x: &[DVec3], v: DVec3, mass: f64, triangles: &[[u32; 3]], segments: &[[u32; 2]]) {
        let (first, body) = (self.x.len() as u32, self.turns.len() as u32);
        self.x.extend(x);
        self.shape.extend(x);
        self.v.extend(x.iter().map(|_| v));
        let inverse = if mass.is_finite() { x.len() as f64 / mass } else { 0.0 };
        self.inverse_masses.extend(x.iter().map(|_| inverse));
        self.bodies.extend(x.iter().map(|_| body));
        self.triangles.extend(triangles.iter().map(|t| t.map(|p| p + first)));
        self.segments.extend(segments.iter().map(|s| s.map(|p| p + first)));
        self.turns.push(DQuat::IDENTITY);
        self.edges = Verifier::new(self.shapes()).edges().to_vec();
    }

    pub fn shapes(&self) -> Shapes {
        let count = self.turns.len() as u32;
        Shapes {
            triangles: self.triangles.clone(),
            segments: self.segments.clone(),
            radii: vec![self.radius; self.x.len()],
            start: self.shape.clone(),
            bodies: self.bodies.iter().map(|&body| [body, 0]).collect(),
            names: (0..count).map(|body| body.to_string()).collect(),
            first_triangles: vec![0; count as usize],
            excluded: (0..count).map(|body| [body, body]).collect(),
            ..Shapes::default()
        }
    }

    pub fn body_count(&self) -> u32 {
        self.turns.len() as u32
    }

    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// Pairs of different bodies that may come nearer than `reach` on the straight way from one state to another.
    pub fn pairs(&self, from: &[DVec3], to: &[DVec3], reach: f64) -> Vec<Pair> {
        let span = |list: &[u32]| {
            let both: Vec<DVec3> = list.iter().flat_map(|&p| [from[p as usize], to[p as usize]]).collect();
            Span::around(&both, 0.5 * reach)
        };
        let meet = |a: u32, b: u32| {
            let moves = |p: u32| self.inverse_masses[p as usize] > 0.0;
            self.bodies[a as usize] != self.bodies[b as usize] && (moves(a) || moves(b))
        };
        let mut found = Vec::new();
        let triangles: Vec<Span> = self.triangles.iter().map(|t| span(t)).collect();
        let mut grid = Grid::new(&triangles);
        for p in 0..self.x.len() as u32 {
            for k in grid.overlapping(&span(&[p])) {
                let [a, b, c] = self.triangles[k as usize];
                if meet(p, a) {
                    found.push(Pair { corners: [p, a, b, c], are_edges: false });
                }
            }
        }
        let edges: Vec<Span> = self.edges.iter().map(|e| span(e)).collect();
        let mut grid = Grid::new(&edges);
        for (k, &[a, b]) in (0..).zip(&self.edges) {
            for other in grid.overlapping(&edges[k as usize]).into_iter().filter(|&other| other > k) {
                let [c, d] = self.edges[other as usize];
                if meet(a, c) {
                    found.push(Pair { corners: [a, b, c, d], are_edges: true });
                }
            }
        }
        found
    }

    fn members(&self, body: u32) -> Vec<usize> {
        (0..self.x.len()).filter(|&p| self.bodies[p] == body).collect()
    }

    /// The velocities that lead each body into its shape.
    fn fit(&mut self, h: f64) -> Vec<DVec3> {
        let mut v = self.v.clone();
        for body in 0..self.body_count() {
            let members = self.members(body);
            if members.iter().any(|&p| self.inverse_masses[p] == 0.0) {
                members.iter().for_each(|&p| v[p] = DVec3::ZERO);
                continue;
            }
            let there = |p: usize| self.x[p] + h * (self.v[p] + h * self.gravity);
            let mean = |of: &dyn Fn(usize) -> DVec3| {
                members.iter().map(|&p| of(p)).sum::<DVec3>() / members.len() as f64
            };
            let (centre, own) = (mean(&there), mean(&|p| self.shape[p]));
            let outer = |a: DVec3, b: DVec3| DMat3::from_cols(a * b.x, a * b.y, a * b.z);
            let matrix = members
                .iter()
                .fold(DMat3::ZERO, |sum, &p| sum + outer(there(p) - centre, self.shape[p] - own));
            let mut turn = self.turns[body as usize];
            for _ in 0..TURNS {
                let r = DMat3::from_quat(turn);
                let (pull, size) = [0, 1, 2].into_iter().fold((DVec3::ZERO, 0.0), |(pull, size), k| {
                    (pull + r.col(k).cross(matrix.col(k)), size + r.col(k).dot(matrix.col(k)))
                });
                let omega = pull / (size.abs() + f64::MIN_POSITIVE);
                turn = (DQuat::from_scaled_axis(omega) * turn).normalize();
            }
            self.turns[body as usize] = turn;
            for &p in &members {
                v[p] = (centre + turn * (self.shape[p] - own) - self.x[p]) / h;
            }
        }
        v
    }

    fn momentum(&self) -> (DVec3, f64) {
        let each = self.v.iter().zip(&self.inverse_masses).filter(|(_, w)| **w > 0.0);
        each.fold((DVec3::ZERO, 0.0), |(sum, size), (v, w)| (sum + *v / *w, size + v.length() / w))
    }

    /// Goes through steps with a response.
    pub fn run(&mut self, response: &mut dyn Response, h: f64, steps: u32) -> Outcome {
        let verifier = Verifier::new(self.shapes());
        let mut outcome = Outcome::default();
        let (start, size) = self.momentum();
        for _ in 0..steps {
            let wanted = self.fit(h);
            self.v = response.respond(self, &wanted, h);
            let before = self.x.clone();
            self.x.iter_mut().zip(&self.v).for_each(|(x, v)| *x += h * *v);
            let found = verifier.look(&self.x);
            outcome.intersections = outcome.intersections.max(found.intersections);
            outcome.depth = outcome.depth.max(found.max_depth);
            outcome.crossings += verifier.crossings(&before, &self.x).0;
        }
        let is_free = self.inverse_masses.iter().all(|w| *w > 0.0) && self.gravity == DVec3::ZERO;
        outcome.momentum = is_free.then(|| (self.momentum().0 - start).length() / size);
        outcome.speed = self.v.iter().map(|v| v.length()).fold(0.0, f64::max);
        outcome
    }
}
