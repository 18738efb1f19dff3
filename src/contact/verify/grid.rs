//! Which boxes of one list overlap which of another: a hashed grid, so that large scenes are checked in linear time.

use glam::{DVec3, IVec3};
use std::collections::HashMap;

/// A box along the axes.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    pub low: DVec3,
    pub high: DVec3,
}

impl Span {
    /// Around points, and by `margin` larger on all sides.
    pub fn around(points: &[DVec3], margin: f64) -> Self {
        let low = points.iter().copied().fold(DVec3::INFINITY, DVec3::min);
        let high = points.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
        Self { low: low - margin, high: high + margin }
    }

    /// Also false where something is not a number.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.low.cmple(other.high).all() && other.low.cmple(self.high).all()
    }

    fn is_finite(&self) -> bool {
        self.low.is_finite() && self.high.is_finite()
    }
}

/// Cells along the longest box: what a long thin triangle may cost.
const MOST_CELLS: f64 = 32.0;
/// Cells from the origin at most, so that numbers of cells fit an integer.
const FARTHEST: f64 = 1e9;

/// Boxes sorted into the cells of a grid.
pub struct Grid<'a> {
    spans: &'a [Span],
    size: f64,
    cells: HashMap<IVec3, Vec<u32>>,
}

impl<'a> Grid<'a> {
    pub fn new(spans: &'a [Span]) -> Self {
        let sizes = || spans.iter().filter(|s| s.is_finite()).map(|s| (s.high - s.low).max_element());
        let (count, total) = sizes().fold((0.0, 0.0), |(n, sum), size| (n + 1.0, sum + size));
        let (longest, farthest) =
            spans.iter().filter(|s| s.is_finite()).fold((0.0f64, 0.0f64), |(l, f), s| {
                (l.max((s.high - s.low).max_element()), f.max(s.low.abs().max(s.high.abs()).max_element()))
            });
        let size = (2.0 * total / f64::max(count, 1.0)).max(longest / MOST_CELLS).max(farthest / FARTHEST);
        let mut grid = Self { spans, size: if size > 0.0 { size } else { 1.0 }, cells: HashMap::new() };
        for (number, span) in (0..).zip(spans).filter(|(_, span)| span.is_finite()) {
            grid.visit(span, |grid, cell| grid.cells.entry(cell).or_default().push(number));
        }
        grid
    }

    /// The boxes that overlap one, in the order of their numbers.
    pub fn overlapping(&mut self, span: &Span) -> Vec<u32> {
        let mut found = Vec::new();
        if span.is_finite() {
            self.visit(span, |grid, cell| {
                let near = grid.cells.get(&cell).into_iter().flatten();
                found.extend(near.filter(|&&k| grid.spans[k as usize].overlaps(span)));
            });
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn visit(&mut self, span: &Span, mut act: impl FnMut(&mut Self, IVec3)) {
        let cell = |p: DVec3| {
            (p / self.size).floor().clamp(DVec3::splat(-FARTHEST), DVec3::splat(FARTHEST)).as_ivec3()
        };
        let (low, high) = (cell(span.low), cell(span.high));
        for x in low.x..=high.x {
            for y in low.y..=high.y {
                for z in low.z..=high.z {
                    act(self, IVec3::new(x, y, z));
                }
            }
        }
    }
}
