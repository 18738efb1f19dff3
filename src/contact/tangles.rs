//! Bodies that go through each other at the start, where a scene allows it: what is caught has no contact with the other side, and no guard,
//! until it has come apart.
//!
//! What is caught is what the other body cuts off from the larger rest, and the ends of the edges that go through it: of two pieces of a body, the
//! smaller one is on the wrong side (as in Baraff, Witkin, Kass 2003). A tangle is one body's part in another, or in itself. Each has a bit in two masks of every corner:
//! whether it is caught, and whether it is of the other side. A pair of which one side is caught in the other is left alone. Beyond
//! [`TANGLES`] of them several share a bit, and come free together.

use super::verify::{Shapes, Verifier};
use crate::model::Model;
use crate::scene::ContactStart;
use glam::DVec3;
use std::collections::{BTreeMap, BTreeSet};

/// Tangles that are told from each other.
const TANGLES: usize = 32;

/// Tangles that a corner is caught in, and those whose other side it is on.
pub type Marks = [u32; 2];

/// An edge that goes through a triangle.
type Through = ([u32; 2], [u32; 3]);

/// The marks of a model's corners as it starts; none where its scene allows no tangles.
pub fn at_start(model: &Model, corners: usize) -> Vec<Marks> {
    let mut marks = vec![[0; 2]; corners];
    if model.settings.contact.as_ref().is_none_or(|contact| contact.start != ContactStart::Allow) {
        return marks;
    }
    let shapes = Shapes::whole(model);
    let start = shapes.start.clone();
    mark(&Verifier::new(shapes), &start, &mut marks);
    marks
}

/// Marks what goes through what.
fn mark(verifier: &Verifier, x: &[DVec3], marks: &mut [Marks]) {
    let shapes = verifier.shapes();
    let body = |p: u32| shapes.bodies[p as usize][0];
    let mut tangles: BTreeMap<[u32; 2], Vec<Through>> = BTreeMap::new();
    for (edge, triangle) in verifier.tangled(x) {
        let [a, b] = [body(edge[0]), body(triangle[0])];
        for sides in BTreeSet::from([[a, b], [b, a]]) {
            tangles.entry(sides).or_default().push((edge, triangle));
        }
    }
    for (number, ([caught, other], through)) in tangles.into_iter().enumerate() {
        let bit = 1 << (number % TANGLES);
        for p in piece(verifier, caught, other, &through) {
            marks[p as usize][0] |= bit;
        }
        for p in (0..shapes.start.len()).filter(|&p| body(p as u32) == other) {
            marks[p][1] |= bit;
        }
    }
}

/// The corners of a body that are caught in another, or in itself.
fn piece(verifier: &Verifier, caught: u32, other: u32, through: &[Through]) -> BTreeSet<u32> {
    let body = |p: u32| verifier.shapes().bodies[p as usize][0];
    let (mut corners, mut cut) = (BTreeSet::new(), BTreeSet::new());
    for (edge, triangle) in through {
        if body(edge[0]) == caught && body(triangle[0]) == other {
            corners.extend(edge);
            cut.insert(*edge);
        }
        if body(triangle[0]) == caught && body(edge[0]) == other {
            corners.extend(triangle);
        }
    }
    let edges = || verifier.edges().iter().filter(|edge| body(edge[0]) == caught);
    let (mut whole, mut pieces) = (Sets::default(), Sets::default());
    for edge in edges() {
        whole.join(*edge);
        if !cut.contains(edge) {
            pieces.join(*edge);
        }
    }
    let ends: BTreeSet<u32> = edges().flatten().copied().collect();
    let mut sizes: BTreeMap<u32, BTreeMap<u32, usize>> = BTreeMap::new();
    for &p in &ends {
        *sizes.entry(whole.first(p)).or_default().entry(pieces.first(p)).or_default() += 1;
    }
    for p in ends {
        // The largest piece of what hangs together; of equal ones the first.
        let largest = sizes[&whole.first(p)].iter().max_by_key(|(first, size)| (**size, u32::MAX - **first));
        if largest.is_some_and(|(first, _)| *first != pieces.first(p)) {
            corners.insert(p);
        }
    }
    corners
}

/// Corners that hang together, by the first of each set.
#[derive(Default)]
struct Sets {
    parents: BTreeMap<u32, u32>,
}

impl Sets {
    fn first(&mut self, p: u32) -> u32 {
        let mut root = p;
        while let Some(&parent) = self.parents.get(&root).filter(|&&parent| parent != root) {
            root = parent;
        }
        self.parents.insert(p, root);
        root
    }

    fn join(&mut self, [a, b]: [u32; 2]) {
        let [a, b] = [a, b].map(|p| self.first(p));
        self.parents.insert(a.max(b), a.min(b));
    }
}

/// Corners that are still caught.
pub fn left(marks: &[Marks]) -> usize {
    marks.iter().filter(|[caught, _]| *caught != 0).count()
}

/// Takes away the marks of what has come apart; false if nothing has.
pub fn release(verifier: &Verifier, x: &[DVec3], marks: &mut [Marks]) -> bool {
    let all = marks.iter().fold(0, |all, [caught, _]| all | caught);
    let of = |corners: &[u32], marks: &[Marks]| {
        corners.iter().fold([0; 2], |sum, &p| [0, 1].map(|k| sum[k] | marks[p as usize][k]))
    };
    let still = verifier.tangled(x).iter().fold(0, |still, (edge, triangle)| {
        let [a, b] = [of(edge, marks), of(triangle, marks)];
        still | a[0] & b[1] | b[0] & a[1]
    });
    let free = all & !still;
    for mark in marks.iter_mut().filter(|_| free != 0) {
        *mark = mark.map(|bits| bits & !free);
    }
    free != 0
}
