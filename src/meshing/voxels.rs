//! A grid of cubic voxels and the surface in it.
//!
//! A voxel is marked when a triangle comes within half its space diagonal of its centre, so that the marked voxels are
//! watertight wherever the surface is: no path from face to face leads through them. Neither orientation nor connection of
//! the triangles matters.

use glam::{DVec3, IVec3, UVec3};
use rayon::prelude::*;

use crate::meshing::triangle_tree::distance_squared;

/// Where voxels lie, x fastest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    /// The centre of voxel (0, 0, 0) [m].
    pub origin: DVec3,
    /// The edge of a voxel [m].
    pub spacing: f64,
    /// Voxels along each axis.
    pub size: UVec3,
}

impl Grid {
    pub fn count(&self) -> u64 {
        self.size.to_array().iter().map(|&n| u64::from(n)).product()
    }

    pub fn centre(&self, voxel: UVec3) -> DVec3 {
        self.origin + self.spacing * voxel.as_dvec3()
    }

    /// The number of a voxel of the grid.
    pub fn number(&self, voxel: UVec3) -> usize {
        let [nx, ny] = [self.size.x as usize, self.size.y as usize];
        (voxel.z as usize * ny + voxel.y as usize) * nx + voxel.x as usize
    }

    /// The inverse of [`Self::number`].
    pub fn voxel(&self, number: usize) -> UVec3 {
        let [nx, ny] = [self.size.x as usize, self.size.y as usize];
        UVec3::new((number % nx) as u32, (number / nx % ny) as u32, (number / nx / ny) as u32)
    }

    /// The voxel whose centre is nearest to a point; nothing beyond the grid.
    pub fn nearest(&self, x: DVec3) -> Option<UVec3> {
        let place = ((x - self.origin) / self.spacing).round();
        let inside = place.cmpge(DVec3::ZERO).all() && place.cmplt(self.size.as_dvec3()).all();
        inside.then(|| place.as_uvec3())
    }

    /// The voxels whose centres lie within a box, from the first to the last along each axis; empty if last < first.
    pub fn range(&self, low: DVec3, high: DVec3) -> [IVec3; 2] {
        // `as` saturates, so that no box is too far away.
        let first = ((low - self.origin) / self.spacing).ceil().max(DVec3::ZERO).as_ivec3();
        let last = ((high - self.origin) / self.spacing).floor().as_ivec3();
        [first, last.min(self.size.as_ivec3() - 1)]
    }
}

/// Layers that one thread marks at a time. Each looks at every triangle once.
const SLAB: usize = 8;

/// Which voxels the triangles touch.
pub fn mark(grid: &Grid, triangles: &[[DVec3; 3]]) -> Vec<bool> {
    let layer = (grid.size.x * grid.size.y) as usize;
    let mut marked = vec![false; grid.count() as usize];
    marked.par_chunks_mut(SLAB * layer).enumerate().for_each(|(slab, marked)| {
        let first = slab * SLAB;
        let last = first + marked.len() / layer - 1;
        for triangle in triangles {
            mark_triangle(grid, triangle, [first as i32, last as i32], marked);
        }
    });
    marked
}

/// Half the space diagonal of a voxel, and a little for rounding.
fn reach(grid: &Grid) -> f64 {
    0.5 * 3f64.sqrt() * grid.spacing * (1.0 + 1e-9)
}

fn bounds(triangle: &[DVec3; 3]) -> (DVec3, DVec3) {
    let [a, b, c] = *triangle;
    (a.min(b).min(c), a.max(b).max(c))
}

/// Marks what a triangle touches within the layers of a slab; `marked` begins with the first of them.
fn mark_triangle(grid: &Grid, triangle: &[DVec3; 3], layers: [i32; 2], marked: &mut [bool]) {
    let reach = reach(grid);
    let (low, high) = bounds(triangle);
    let [first, last] = grid.range(low - reach, high + reach);
    let (z_first, z_last) = (first.z.max(layers[0]), last.z.min(layers[1]));
    if z_first > z_last {
        return;
    }
    let [a, b, c] = *triangle;
    // A triangle without area has no plane; its box is as small as its edge then.
    let normal = (b - a).cross(c - a).normalize_or_zero();
    let [nx, ny] = [grid.size.x as usize, grid.size.y as usize];
    for z in z_first..=z_last {
        for y in first.y..=last.y {
            let start = grid.centre(UVec3::new(0, y as u32, z as u32));
            let Some([x_first, x_last]) = near_plane(grid, start, a, normal, reach, [first.x, last.x]) else {
                continue;
            };
            let row = ((z - layers[0]) as usize * ny + y as usize) * nx;
            for x in x_first..=x_last {
                let place = &mut marked[row + x as usize];
                let centre = start + DVec3::new(grid.spacing * f64::from(x), 0.0, 0.0);
                *place = *place || distance_squared(centre, triangle) <= reach * reach;
            }
        }
    }
}

/// The part of a row of voxels that lies within reach of a plane: a large slanted triangle fills little of its box.
fn near_plane(
    grid: &Grid,
    start: DVec3,
    point: DVec3,
    normal: DVec3,
    reach: f64,
    [first, last]: [i32; 2],
) -> Option<[i32; 2]> {
    // |height + slope i| ≤ reach for voxel i.
    let height = normal.dot(start - point);
    let slope = normal.x * grid.spacing;
    if slope.abs() < 1e-6 * grid.spacing {
        let most = height.abs() - slope.abs() * f64::from(last);
        return (most <= reach && first <= last).then_some([first, last]);
    }
    let ends = [(-reach - height) / slope, (reach - height) / slope];
    let low = (ends[0].min(ends[1]) - 1e-6).ceil() as i32;
    let high = (ends[0].max(ends[1]) + 1e-6).floor() as i32;
    let (low, high) = (low.max(first), high.min(last));
    (low <= high).then_some([low, high])
}

/// About how many voxels marking has to look at: the rows of each triangle's box, and the area within it.
pub fn effort(grid: &Grid, triangles: &[[DVec3; 3]]) -> f64 {
    let each = |triangle: &[DVec3; 3]| {
        let (low, high) = bounds(triangle);
        let size = (high - low) / grid.spacing + 3.0;
        size.y * size.z + size.x * (size.y + size.z)
    };
    triangles.par_iter().map(each).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meshing::generate::icosphere;

    fn grid(n: u32) -> Grid {
        Grid { origin: DVec3::splat(-1.0), spacing: 2.0 / f64::from(n - 1), size: UVec3::splat(n) }
    }

    /// The rows are cut short where the plane is far; that must not lose a voxel.
    #[test]
    fn marking_agrees_with_testing_every_voxel() {
        let sphere = icosphere(0.7, 1);
        let mut triangles: Vec<[DVec3; 3]> = (0..sphere.triangles.len()).map(|t| sphere.corners(t)).collect();
        // One that is as large as the grid, one in a plane of voxels, one that is a line, one beyond the grid.
        triangles.push([DVec3::splat(-0.9), DVec3::new(0.9, 0.8, -0.3), DVec3::new(-0.2, 0.9, 0.9)]);
        triangles.push([DVec3::ZERO, DVec3::X, DVec3::Y]);
        triangles.push([DVec3::ZERO, DVec3::ONE, DVec3::splat(0.5)]);
        triangles.push([DVec3::splat(5.0), DVec3::new(5.0, 6.0, 5.0), DVec3::new(6.0, 5.0, 5.0)]);
        let grid = grid(21);
        let marked = mark(&grid, &triangles);
        let limit = reach(&grid) * reach(&grid);
        for (number, &marked) in marked.iter().enumerate() {
            let centre = grid.centre(grid.voxel(number));
            let near = triangles.iter().any(|t| distance_squared(centre, t) <= limit);
            assert_eq!(marked, near, "{centre}");
        }
    }

    #[test]
    fn voxels_are_numbered_and_found() {
        let grid = Grid { origin: DVec3::ONE, spacing: 0.5, size: UVec3::new(3, 4, 5) };
        for number in 0..60 {
            assert_eq!(grid.number(grid.voxel(number)), number);
            assert_eq!(grid.nearest(grid.centre(grid.voxel(number)) + 0.2), Some(grid.voxel(number)));
        }
        assert_eq!(grid.nearest(DVec3::ZERO), None);
        assert_eq!(grid.nearest(DVec3::NAN), None);
        let [first, last] = grid.range(DVec3::splat(1.4), DVec3::splat(9.0));
        assert_eq!((first, last), (IVec3::ONE, IVec3::new(2, 3, 4)));
    }
}
