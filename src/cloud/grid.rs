//! Points in the cells of a lattice, so that neighbours are found by looking at a few cells.

use glam::{DVec3, I64Vec3};

/// Cells per point at most; beyond, cells are made larger.
const MOST_CELLS: usize = 16;

/// Points sorted by cell, x fastest; within a cell they keep their order.
pub struct PointGrid {
    low: DVec3,
    cell: f64,
    size: [i64; 3],
    starts: Vec<u32>,
    /// The points and their numbers, cell by cell.
    points: Vec<(DVec3, u32)>,
}

impl PointGrid {
    /// Cells of the given size [m], which should be the distance that is asked for most. Points must be finite.
    pub fn new(points: &[DVec3], cell: f64) -> Self {
        let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let (low, high) = points.iter().fold(start, |(low, high), &x| (low.min(x), high.max(x)));
        let (low, extent) = if points.is_empty() { (DVec3::ZERO, DVec3::ZERO) } else { (low, high - low) };
        let most = (MOST_CELLS * points.len() + 64) as f64;
        let mut cell = cell.max(1e-12 * extent.max_element()).max(f64::MIN_POSITIVE);
        let count = |cell: f64| ((extent / cell).floor() + 1.0).element_product();
        while count(cell) > most {
            cell *= 1.5;
        }
        let size = ((extent / cell).floor().as_i64vec3() + 1).to_array();
        let mut grid = Self { low, cell, size, starts: Vec::new(), points: Vec::new() };
        let cells: Vec<usize> = points.iter().map(|&x| grid.number(grid.place(x).to_array())).collect();
        grid.starts = vec![0; (size[0] * size[1] * size[2]) as usize + 1];
        for &cell in &cells {
            grid.starts[cell + 1] += 1;
        }
        for i in 1..grid.starts.len() {
            grid.starts[i] += grid.starts[i - 1];
        }
        let mut next = grid.starts.clone();
        grid.points = vec![(DVec3::ZERO, 0); points.len()];
        for (i, (&x, cell)) in (0..).zip(points.iter().zip(cells)) {
            grid.points[next[cell] as usize] = (x, i);
            next[cell] += 1;
        }
        grid
    }

    fn place(&self, x: DVec3) -> I64Vec3 {
        let last = I64Vec3::from(self.size) - 1;
        ((x - self.low) / self.cell).floor().as_i64vec3().clamp(I64Vec3::ZERO, last)
    }

    fn number(&self, [x, y, z]: [i64; 3]) -> usize {
        ((z * self.size[1] + y) * self.size[0] + x) as usize
    }

    /// Calls `visit` with all points in the cells that a ball touches, some of them beyond it, always in the same order.
    pub fn around(&self, x: DVec3, radius: f64, mut visit: impl FnMut(DVec3, u32)) {
        let range = |k: usize| {
            let ends = [x[k] - radius, x[k] + radius].map(|c| ((c - self.low[k]) / self.cell).floor());
            // `as` saturates, so that no place is too far away.
            ((ends[0] as i64).max(0), (ends[1] as i64).min(self.size[k] - 1))
        };
        let [(x0, x1), (y0, y1), (z0, z1)] = [range(0), range(1), range(2)];
        if x0 > x1 {
            return;
        }
        for z in z0..=z1 {
            for y in y0..=y1 {
                let first = self.starts[self.number([x0, y, z])] as usize;
                let last = self.starts[self.number([x1, y, z]) + 1] as usize;
                self.points[first..last].iter().for_each(|&(point, i)| visit(point, i));
            }
        }
    }

    /// The nearest point within a distance, the first one of several, and its squared distance [m²].
    pub fn nearest(&self, x: DVec3, within: f64) -> Option<(u32, f64)> {
        let mut best = None;
        let (mut least, mut first) = (within * within, u32::MAX);
        self.around(x, within, |point, i| {
            let squared = point.distance_squared(x);
            if squared < least || (squared == least && i < first) {
                (least, first) = (squared, i);
                best = Some((i, squared));
            }
        });
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Random;

    #[test]
    fn the_nearest_of_all_points_is_found() {
        let mut random = Random(1);
        let points: Vec<DVec3> = (0..500).map(|_| random.vector() * DVec3::new(3.0, 1.0, 0.2)).collect();
        let grid = PointGrid::new(&points, 0.1);
        for _ in 0..300 {
            let x = random.vector() * 3.3 - 0.2;
            let squared = |i: u32| points[i as usize].distance_squared(x);
            let nearest = (0..500).min_by(|&a, &b| squared(a).total_cmp(&squared(b))).unwrap();
            let expected = (squared(nearest) <= 0.09).then_some((nearest, squared(nearest)));
            assert_eq!(grid.nearest(x, 0.3), expected);
        }
    }

    #[test]
    fn a_point_far_from_all_others_costs_no_memory() {
        let points = [DVec3::ZERO, DVec3::X, DVec3::splat(1e9)];
        let grid = PointGrid::new(&points, 0.01);
        assert!(grid.starts.len() < 200);
        assert_eq!(grid.nearest(DVec3::new(0.9, 0.0, 0.0), 0.5).unwrap().0, 1);
        assert_eq!(PointGrid::new(&[], 1.0).nearest(DVec3::ZERO, 9.0), None);
    }
}
