//! Proof of a run: what goes through what, counted in f64 by code that the solver does not share.
//!
//! [`Verifier::look`] counts segments and edges that go through triangles, with exact signs, and the deepest penetration of
//! the thickness. [`Verifier::crossings`] counts what went through each other between two states, along straight lines: two rods, or
//! a particle and a triangle, that changed sides. [`Verifier::linking`] is the linking number of each pair of closed curves.
//! Crossings between states that are far apart may be those of the straight lines and not of the bodies: compare every step.

mod exact;
mod geometry;
pub(in crate::contact) mod grid;
mod shapes;
#[cfg(test)]
mod tests;

pub use geometry::{point_triangle, segment_segment};
pub use shapes::Shapes;

use geometry::{point_triangle_crossings, segment_segment_crossings, segment_through_triangle};
use glam::DVec3;
use grid::{Grid, Span};
use std::collections::BTreeMap;

/// Places that are named; all are counted.
pub const PLACES: usize = 10;

/// Two things that are where only one can be.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Bodies and elements in the user's numbering: ``edge 3-4 of `rope` ``.
    pub things: [String; 2],
    /// [m].
    pub position: DVec3,
}

/// What is wrong with a state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// Edges and segments that go through triangles.
    pub intersections: u64,
    /// The first of them.
    pub places: Vec<Place>,
    /// The deepest penetration, as a share of the thickness there: 0 where surfaces only touch, 1 where they meet.
    pub max_depth: f64,
    pub deepest: Option<Place>,
}

/// The start state is used for what is nearer there than its thickness: such a pair of one body may stay so.
const START_SHARE: f64 = 0.9;

/// The shapes of a model, and what of them to compare.
pub struct Verifier {
    shapes: Shapes,
    /// Edges of triangles, each once, and segments.
    edges: Vec<[u32; 2]>,
    /// Particles that are a corner of something, or alone.
    points: Vec<u32>,
}

impl Verifier {
    pub fn new(shapes: Shapes) -> Self {
        let sides = shapes.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let mut edges: Vec<[u32; 2]> =
            sides.chain(shapes.segments.iter().copied()).map(|[a, b]| [a.min(b), a.max(b)]).collect();
        edges.sort_unstable();
        edges.dedup();
        let mut points: Vec<u32> =
            edges.iter().flatten().copied().chain(shapes.points.iter().copied()).collect();
        points.sort_unstable();
        points.dedup();
        Self { shapes, edges, points }
    }

    /// Edges of triangles and segments, each once.
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    pub fn shapes(&self) -> &Shapes {
        &self.shapes
    }

    /// Edges that go through triangles, and the corners of those.
    pub fn tangled(&self, x: &[DVec3]) -> Vec<([u32; 2], [u32; 3])> {
        let mut found = Vec::new();
        self.for_each_through(x, |edge, triangle| {
            found.push((edge, self.shapes.triangles[triangle as usize]))
        });
        found
    }

    /// Intersections and depths of a state, by the model's numbers of particles [m].
    pub fn look(&self, x: &[DVec3]) -> Findings {
        let mut findings = Findings::default();
        self.for_each_through(x, |edge, triangle| {
            findings.intersections += 1;
            if findings.places.len() < PLACES {
                let things = [self.shapes.name_edge(edge), self.shapes.name_triangle(triangle)];
                let position = 0.5 * (x[edge[0] as usize] + x[edge[1] as usize]);
                findings.places.push(Place { things, position });
            }
        });
        self.for_each_near(x, |depth, _, things, position| {
            if depth > findings.max_depth {
                findings.max_depth = depth;
                findings.deepest = Some(Place { things: things(), position });
            }
        });
        findings
    }

    /// Pairs of bodies, or a body and itself, that are nearer than their thickness: the deepest place of each, with its depth as a share of it.
    pub fn touching(&self, x: &[DVec3]) -> Vec<(f64, Place)> {
        let mut found: BTreeMap<[u32; 2], (f64, Place)> = BTreeMap::new();
        self.for_each_near(x, |depth, [p, q], things, position| {
            let [a, b] = [p, q].map(|corner| self.shapes.bodies[corner as usize][0]);
            let bodies = [a.min(b), a.max(b)];
            let is_deeper = found.get(&bodies).is_none_or(|(deepest, _)| depth > *deepest);
            if depth > 0.0 && is_deeper {
                found.insert(bodies, (depth, Place { things: things(), position }));
            }
        });
        found.into_values().collect()
    }

    /// Pairs of closed curves that are linked otherwise than at the start.
    pub fn unlinked(&self, x: &[DVec3]) -> u64 {
        let both = self.linking(x).into_iter().zip(self.linking(&self.shapes.start));
        both.filter(|(now, then)| (now - then).abs() > LINKING_TOLERANCE).count() as u64
    }

    /// How many pairs went through each other on the straight way from one state to the next, and the first of them.
    pub fn crossings(&self, before: &[DVec3], after: &[DVec3]) -> (u64, Vec<Place>) {
        let (mut count, mut places) = (0, Vec::new());
        let both = |p: u32| [before[p as usize], after[p as usize]];
        let span = |list: &[u32]| Span::around(&list.iter().flat_map(|&p| both(p)).collect::<Vec<_>>(), 0.0);
        let mut found = |times: u32, things: [String; 2], position: DVec3| {
            count += u64::from(times);
            if places.len() < PLACES {
                places.push(Place { things, position });
            }
        };
        let triangles: Vec<Span> = self.shapes.triangles.iter().map(|t| span(t)).collect();
        let mut grid = Grid::new(&triangles);
        for &p in &self.points {
            for k in grid.overlapping(&span(&[p])) {
                let corners = self.shapes.triangles[k as usize];
                if self.shapes.meet(&[p], &corners) {
                    let four = [p, corners[0], corners[1], corners[2]];
                    let [from, to] = [0, 1].map(|end| four.map(|p| both(p)[end]));
                    let times = point_triangle_crossings(from, to);
                    if times > 0 {
                        let things = [self.shapes.name_point(p), self.shapes.name_triangle(k)];
                        found(times, things, to[0]);
                    }
                }
            }
        }
        let edges: Vec<Span> = self.edges.iter().map(|e| span(e)).collect();
        let mut grid = Grid::new(&edges);
        for (k, first) in (0..).zip(&self.edges) {
            for other in grid.overlapping(&edges[k as usize]).into_iter().filter(|&other| other > k) {
                let second = self.edges[other as usize];
                if self.shapes.meet(first, &second) {
                    let four = [first[0], first[1], second[0], second[1]];
                    let [from, to] = [0, 1].map(|end| four.map(|p| both(p)[end]));
                    let times = segment_segment_crossings(from, to);
                    if times > 0 {
                        found(times, [*first, second].map(|e| self.shapes.name_edge(e)), to[0]);
                    }
                }
            }
        }
        (count, places)
    }

    /// The linking numbers of all pairs of closed curves, in order.
    pub fn linking(&self, x: &[DVec3]) -> Vec<f64> {
        let curves = &self.shapes.curves;
        let points = |curve: &Vec<u32>| -> Vec<DVec3> { curve.iter().map(|&p| x[p as usize]).collect() };
        let curves: Vec<Vec<DVec3>> = curves.iter().map(points).collect();
        let pairs = (0..curves.len()).flat_map(|a| (a + 1..curves.len()).map(move |b| [a, b]));
        pairs.map(|[a, b]| geometry::linking(&curves[a], &curves[b])).collect()
    }

    fn for_each_through(&self, x: &[DVec3], mut found: impl FnMut([u32; 2], u32)) {
        let at = |p: u32| x[p as usize];
        let triangles: Vec<Span> =
            self.shapes.triangles.iter().map(|t| Span::around(&t.map(at), 0.0)).collect();
        let mut grid = Grid::new(&triangles);
        for &edge in &self.edges {
            for k in grid.overlapping(&Span::around(&edge.map(at), 0.0)) {
                let corners = self.shapes.triangles[k as usize];
                if self.shapes.meet(&edge, &corners)
                    && segment_through_triangle(edge.map(at), corners.map(at))
                {
                    found(edge, k);
                }
            }
        }
    }

    /// Every pair that is nearer than its thickness: the depth as a share of it, a corner of each side, names, and a place.
    fn for_each_near(
        &self,
        x: &[DVec3],
        mut found: impl FnMut(f64, [u32; 2], &dyn Fn() -> [String; 2], DVec3),
    ) {
        let (at, start) = (|p: u32| x[p as usize], |p: u32| self.shapes.start[p as usize]);
        let radius = |list: &[u32]| list.iter().map(|&p| self.shapes.radii[p as usize]).fold(0.0, f64::max);
        let depth = |thickness: f64, distance: f64, at_start: f64, same: bool| {
            let thickness = if same { thickness.min(START_SHARE * at_start) } else { thickness };
            if thickness > 0.0 { 1.0 - distance / thickness } else { 0.0 }
        };
        let triangles: Vec<Span> =
            self.shapes.triangles.iter().map(|t| Span::around(&t.map(at), radius(t))).collect();
        let mut grid = Grid::new(&triangles);
        for &p in &self.points {
            for k in grid.overlapping(&Span::around(&[at(p)], radius(&[p]))) {
                let corners = self.shapes.triangles[k as usize];
                let thickness = radius(&[p]) + radius(&corners);
                let distance = point_triangle(at(p), corners.map(at));
                if distance < thickness && self.shapes.meet(&[p], &corners) {
                    let same = self.shapes.same_body(p, corners[0]);
                    let at_start = point_triangle(start(p), corners.map(start));
                    let things = || [self.shapes.name_point(p), self.shapes.name_triangle(k)];
                    found(depth(thickness, distance, at_start, same), [p, corners[0]], &things, at(p));
                }
            }
        }
        let edges: Vec<Span> = self.edges.iter().map(|e| Span::around(&e.map(at), radius(e))).collect();
        let mut grid = Grid::new(&edges);
        for (k, &first) in (0..).zip(&self.edges) {
            for other in grid.overlapping(&edges[k as usize]).into_iter().filter(|&other| other > k) {
                let second = self.edges[other as usize];
                let thickness = radius(&first) + radius(&second);
                let distance = segment_segment(first.map(at), second.map(at));
                if distance < thickness && self.shapes.meet(&first, &second) {
                    let same = self.shapes.same_body(first[0], second[0]);
                    let at_start = segment_segment(first.map(start), second.map(start));
                    let things = || [first, second].map(|e| self.shapes.name_edge(e));
                    let corners = [first[0], second[0]];
                    found(depth(thickness, distance, at_start, same), corners, &things, at(first[0]));
                }
            }
        }
    }
}

/// Follows a run: compares each state with the one before and keeps the worst.
pub struct Watcher {
    verifier: Verifier,
    before: Option<Vec<DVec3>>,
    linked: Vec<f64>,
    pub report: Report,
}

/// The worst of all states so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    pub states: u64,
    /// Intersections in the worst state.
    pub intersections: u64,
    /// Crossings between all states together.
    pub crossings: u64,
    /// As [`Findings::max_depth`].
    pub max_depth: f64,
    /// Pairs of closed curves whose linking number is not what it was in the first state.
    pub unlinked: u64,
    /// The first places where something was wrong, with the state's number.
    pub places: Vec<(u64, Place)>,
}

impl Report {
    /// One line for a user.
    pub fn summary(&self) -> String {
        format!(
            "verified {} states: {} intersections in the worst, {} crossings in all, penetration {:.1} % of the thickness",
            self.states,
            self.intersections,
            self.crossings,
            1e2 * self.max_depth
        )
    }

    /// What went through what, a sentence each.
    pub fn problems(&self) -> Vec<String> {
        let counted = [
            (self.intersections, "edges go through triangles in the worst state"),
            (self.crossings, "pairs went through each other"),
            (self.unlinked, "pairs of closed curves are linked otherwise than at the start"),
        ];
        let places = self.places.iter().map(|(state, place)| {
            let ([first, second], p) = (&place.things, place.position);
            format!("state {state}: {first} and {second} at ({:.4}, {:.4}, {:.4})", p.x, p.y, p.z)
        });
        let counted = counted.into_iter().filter(|(count, _)| *count > 0);
        counted.map(|(count, what)| format!("{count} {what}")).chain(places).collect()
    }
}

/// By how much a linking number may differ from one state to another by rounding alone.
const LINKING_TOLERANCE: f64 = 0.1;

impl Watcher {
    pub fn new(shapes: Shapes) -> Self {
        Self { verifier: Verifier::new(shapes), before: None, linked: Vec::new(), report: Report::default() }
    }

    /// Goes on with the shapes of a model that was cut. The next state is compared with those after it only: what was one
    /// particle in the state before may be two.
    pub fn follow(&mut self, shapes: Shapes) {
        self.verifier = Verifier::new(shapes);
        self.before = None;
    }

    /// Checks the next state, by the model's numbers of particles [m].
    pub fn look(&mut self, x: &[DVec3]) {
        let findings = self.verifier.look(x);
        let report = &mut self.report;
        let mut places = findings.places;
        report.intersections = report.intersections.max(findings.intersections);
        report.max_depth = report.max_depth.max(findings.max_depth);
        let linked = self.verifier.linking(x);
        if let Some(before) = &self.before {
            let (crossings, crossed) = self.verifier.crossings(before, x);
            report.crossings += crossings;
            places.extend(crossed);
            let changed = linked
                .iter()
                .zip(&self.linked)
                .filter(|(now, then)| (**now - **then).abs() > LINKING_TOLERANCE);
            report.unlinked = report.unlinked.max(changed.count() as u64);
        } else {
            self.linked = linked;
        }
        let room = PLACES.saturating_sub(report.places.len());
        report.places.extend(places.into_iter().take(room).map(|place| (report.states, place)));
        report.states += 1;
        self.before = Some(x.to_vec());
    }
}
