//! The signed distance to a closed triangle mesh, baked on a grid: negative inside.
//!
//! Every node holds the exact distance to the nearest triangle. The sign is that of the winding number, which
//! also gets overlapping shells right (a figure put together from closed parts is inside where any part is), and it is
//! found without a tolerance: the mesh is cut by each layer z = const of nodes into closed polygons, and each row of nodes
//! counts the polygon sides it crosses. Both triangles of an edge compute its cut from the same two numbers in the same
//! order, so the polygons close bit for bit and no row can lose count.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};

use glam::{DVec3, UVec3};
use rayon::prelude::*;
use thiserror::Error;

use super::triangle_tree::TriangleTree;

/// Cells between the mesh and the edge of the grid, on each side.
pub const PADDING: u32 = 3;
/// Fewest nodes along the longest side: one cell for the mesh and the padding.
pub const MIN_RESOLUTION: u32 = 2 * PADDING + 2;
/// Most nodes along the longest side. The values then take at most 256³ · 4 bytes = 64 MiB; baking takes about
/// 300 bytes per triangle besides.
pub const MAX_RESOLUTION: u32 = 256;
/// Sizes [m] whose squares and products neither overflow nor vanish, in f64 while baking and in f32 as stored.
const SIZES: RangeInclusive<f64> = 1e-12..=1e12;
/// A body whose volume is a smaller part of its bounding cube has no inside that f64 can tell.
const FLAT: f64 = 1e-12;

/// Why a mesh has no distance field.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum DistanceFieldError {
    #[error(
        "distance field: resolution {0} is not within {MIN_RESOLUTION} to {MAX_RESOLUTION} nodes; \
         choose a number in that range (64 suits most shapes)"
    )]
    Resolution(u32),
    #[error("distance field: the mesh has no triangle with three different corners; give a closed surface")]
    Empty,
    #[error(
        "distance field: triangle {triangle} uses vertex {vertex}, but there are only {vertex_count} vertices, \
         numbered from 0; correct the index"
    )]
    OutOfRange { triangle: usize, vertex: u32, vertex_count: usize },
    #[error("distance field: vertex {0} has a coordinate that is not a finite number; correct the vertex")]
    NotFinite(u32),
    #[error(
        "distance field: the mesh is not closed: the edge from {from} to {to} belongs to {count} triangle(s); \
         close the hole, or thicken an open surface into a shell"
    )]
    Open { from: DVec3, to: DVec3, count: usize },
    #[error(
        "distance field: the triangles on the edge from {from} to {to} face different ways; \
         make the normals of the mesh consistent"
    )]
    Inconsistent { from: DVec3, to: DVec3 },
    #[error("distance field: the mesh encloses no volume; give it thickness")]
    Flat,
    #[error("distance field: the mesh is {0:e} m large, not within 1e-12 m to 1e12 m; scale it to metres")]
    Size(f64),
    #[error("distance field: cancelled")]
    Cancelled,
}

/// Signed distances [m] on a regular grid of nodes, negative inside.
#[derive(Debug, Clone, PartialEq)]
pub struct DistanceField {
    /// Position of node (0, 0, 0) [m].
    pub origin: DVec3,
    /// Distance between neighbouring nodes [m].
    pub spacing: f64,
    /// Nodes along x, y and z.
    pub size: [u32; 3],
    /// `values[(z * size[1] + y) * size[0] + x]` [m].
    pub values: Vec<f32>,
}

/// The spacing of the nodes for a mesh of this extent, and how many there are each way.
fn grid(extent: DVec3, resolution: u32) -> (f64, [u32; 3]) {
    let spacing = extent.max_element() / f64::from(resolution - 1 - 2 * PADDING);
    let cells = (extent / spacing).ceil().as_uvec3();
    // Rounding may ask for one cell more than the longest side has.
    (spacing, (cells + UVec3::splat(2 * PADDING + 1)).min(UVec3::splat(resolution)).to_array())
}

/// How many values the field of a mesh has.
pub fn value_count(positions: &[DVec3], resolution: u32) -> u64 {
    let low = positions.iter().copied().fold(DVec3::INFINITY, DVec3::min);
    let high = positions.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
    grid(high - low, resolution.clamp(MIN_RESOLUTION, MAX_RESOLUTION)).1.into_iter().map(u64::from).product()
}

impl DistanceField {
    /// Bakes the field with `resolution` nodes along the longest side of the mesh, padding included.
    ///
    /// Vertices in the same place count as one, so triangle soups such as STL files are welcome. Features thinner than
    /// the spacing are not resolved: choose it from the thinnest wall that must hold. Inside overlapping shells the
    /// sign is right, but the magnitude is the distance to the nearest triangle, even one buried in the union.
    pub fn bake(
        positions: &[DVec3],
        triangles: &[[u32; 3]],
        resolution: u32,
    ) -> Result<Self, DistanceFieldError> {
        Self::bake_unless_cancelled(positions, triangles, resolution, &AtomicBool::new(false))
    }

    /// As [`Self::bake`], but gives up with [`DistanceFieldError::Cancelled`] soon after `cancel` becomes true.
    pub fn bake_unless_cancelled(
        positions: &[DVec3],
        triangles: &[[u32; 3]],
        resolution: u32,
        cancel: &AtomicBool,
    ) -> Result<Self, DistanceFieldError> {
        if !(MIN_RESOLUTION..=MAX_RESOLUTION).contains(&resolution) {
            return Err(DistanceFieldError::Resolution(resolution));
        }
        let surface = Surface::new(positions, triangles)?;
        let (low, high) = surface.bounds();
        let extent = high - low;
        let (spacing, size) = grid(extent, resolution);
        let slack = size.map(|n| f64::from(n - 1) * spacing);
        let mut field = Self {
            // Centred, so that a symmetric mesh gets a symmetric field.
            origin: 0.5 * (low + high) - 0.5 * DVec3::from(slack),
            spacing,
            size,
            values: Vec::new(),
        };
        let tree = TriangleTree::new(surface.corners().collect());
        let [nx, ny, nz] = size.map(|n| n as usize);
        let mut values = vec![0.0f32; nx * ny * nz];
        values.par_chunks_mut(nx * ny).enumerate().try_for_each(|(k, layer)| {
            if cancel.load(Ordering::Relaxed) {
                return Err(DistanceFieldError::Cancelled);
            }
            field.bake_layer(k, &surface, &tree, layer);
            Ok(())
        })?;
        field.values = values;
        Ok(field)
    }

    fn bake_layer(&self, k: usize, surface: &Surface, tree: &TriangleTree, layer: &mut [f32]) {
        let nx = self.size[0] as usize;
        let rows = surface.crossings(self.node([0, 0, k]), self.spacing, self.size[1] as usize);
        let mut row_guess = 0;
        for (j, (row, crossings)) in layer.chunks_exact_mut(nx).zip(&rows).enumerate() {
            let mut winding = 0;
            let mut passed = crossings.iter().peekable();
            let mut guess = row_guess;
            for (i, value) in row.iter_mut().enumerate() {
                let x = self.node([i, j, k]);
                while let Some(crossing) = passed.next_if(|c| c.x < x.x) {
                    winding += crossing.turn;
                }
                // The nearest triangle of the last node is near this one too.
                let nearest = tree.nearest(x, guess);
                guess = nearest.triangle;
                if i == 0 {
                    row_guess = guess;
                }
                let distance = nearest.distance_squared.sqrt() as f32;
                *value = if winding == 0 { distance } else { -distance };
            }
        }
    }

    fn node(&self, index: [usize; 3]) -> DVec3 {
        self.origin + self.spacing * DVec3::from(index.map(|i| i as f64))
    }

    /// The corner opposite to `origin` [m].
    pub fn end(&self) -> DVec3 {
        self.node(self.size.map(|n| n as usize - 1))
    }

    /// Trilinear signed distance at `x` [m].
    ///
    /// Beyond the grid it is the value at the nearest point of the grid plus the way there: continuous, positive and
    /// not less than the true distance. The error within is of the order spacing² / (4 R) on a surface of radius R.
    pub fn sample(&self, x: DVec3) -> f64 {
        let inside = x.clamp(self.origin, self.end());
        let (corner, t) = self.cell(inside);
        let v = self.corners(corner);
        let along_x = [0, 2, 4, 6].map(|i| lerp(v[i], v[i + 1], t.x));
        let along_y = [0, 2].map(|i| lerp(along_x[i], along_x[i + 1], t.y));
        lerp(along_y[0], along_y[1], t.z) + x.distance(inside)
    }

    /// The gradient of [`Self::sample`]: outward, of length about 1 but not normalised, and it jumps between cells.
    pub fn gradient(&self, x: DVec3) -> DVec3 {
        let inside = x.clamp(self.origin, self.end());
        let (corner, t) = self.cell(inside);
        let v = self.corners(corner);
        let bilinear = |a: [f64; 4], s: f64, t: f64| lerp(lerp(a[0], a[1], s), lerp(a[2], a[3], s), t);
        let slope =
            |ends: [[usize; 2]; 4], s, t| bilinear(ends.map(|[a, b]| v[b] - v[a]), s, t) / self.spacing;
        let gradient = DVec3::new(
            slope([[0, 1], [2, 3], [4, 5], [6, 7]], t.y, t.z),
            slope([[0, 2], [1, 3], [4, 6], [5, 7]], t.x, t.z),
            slope([[0, 4], [1, 5], [2, 6], [3, 7]], t.x, t.y),
        );
        // Where an axis is clamped the grid's value does not change along it; the way to the grid does.
        let free = DVec3::select(x.cmpeq(inside), gradient, DVec3::ZERO);
        free + (x - inside).normalize_or_zero()
    }

    /// The cell that holds a point of the grid, and the place within it, 0 to 1 along each axis.
    fn cell(&self, x: DVec3) -> ([usize; 3], DVec3) {
        let place = (x - self.origin) / self.spacing;
        let last = DVec3::from(self.size.map(|n| f64::from(n - 2)));
        // `as` turns NaN into 0: a point that is not a number gets no panic, and NaN as its distance.
        let corner = place.floor().clamp(DVec3::ZERO, last);
        (corner.to_array().map(|c| c as usize), place - corner)
    }

    /// The values at the corners of a cell, x fastest.
    fn corners(&self, [i, j, k]: [usize; 3]) -> [f64; 8] {
        let [nx, ny, _] = self.size.map(|n| n as usize);
        let first = (k * ny + j) * nx + i;
        [0, 1, nx, nx + 1, nx * ny, nx * ny + 1, nx * ny + nx, nx * ny + nx + 1]
            .map(|offset| f64::from(self.values[first + offset]))
    }
}

fn lerp(a: f64, b: f64, t: f64) -> f64 {
    a + (b - a) * t
}

/// A closed mesh with welded vertices.
struct Surface {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
}

/// Where a row of nodes passes through the surface, and by how much the winding number changes there.
struct Crossing {
    x: f64,
    turn: i32,
}

impl Surface {
    fn new(positions: &[DVec3], triangles: &[[u32; 3]]) -> Result<Self, DistanceFieldError> {
        let vertex_count = positions.len();
        let mut number_at = HashMap::new();
        let mut vertices = Vec::new();
        let mut welded = Vec::with_capacity(triangles.len());
        for (triangle, corners) in triangles.iter().enumerate() {
            let mut numbers = [0; 3];
            for (number, &vertex) in numbers.iter_mut().zip(corners) {
                let &x = positions.get(vertex as usize).ok_or(DistanceFieldError::OutOfRange {
                    triangle,
                    vertex,
                    vertex_count,
                })?;
                if !x.is_finite() {
                    return Err(DistanceFieldError::NotFinite(vertex));
                }
                // Adding 0 makes −0 and 0 the same bits.
                let place = (x + DVec3::ZERO).to_array().map(f64::to_bits);
                *number = *number_at.entry(place).or_insert_with(|| {
                    vertices.push(x);
                    vertices.len() as u32 - 1
                });
            }
            let [a, b, c] = numbers;
            // A collapsed triangle bounds nothing, and its edges cancel: leaving it out opens no hole.
            if a != b && b != c && c != a {
                welded.push(numbers);
            }
        }
        let surface = Self { vertices, triangles: welded };
        surface.check()?;
        Ok(surface)
    }

    /// Closed means: along every edge as many triangles run one way as the other.
    fn check(&self) -> Result<(), DistanceFieldError> {
        if self.triangles.is_empty() {
            return Err(DistanceFieldError::Empty);
        }
        let mut edges: Vec<([u32; 2], i32)> = self
            .triangles
            .iter()
            .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
            .map(|[a, b]| ([a.min(b), a.max(b)], if a < b { 1 } else { -1 }))
            .collect();
        edges.par_sort_unstable();
        for group in edges.chunk_by(|a, b| a.0 == b.0) {
            if group.iter().map(|&(_, direction)| direction).sum::<i32>() != 0 {
                let [from, to] = group[0].0.map(|v| self.vertices[v as usize]);
                let count = group.len();
                return Err(if count % 2 == 1 {
                    DistanceFieldError::Open { from, to, count }
                } else {
                    DistanceFieldError::Inconsistent { from, to }
                });
            }
        }
        let (low, high) = self.bounds();
        let side = (high - low).max_element();
        if !SIZES.contains(&side) {
            return Err(DistanceFieldError::Size(side));
        }
        let volume: f64 = self
            .corners()
            .map(|[a, b, c]| ((a - low) / side).dot(((b - low) / side).cross((c - low) / side)) / 6.0)
            .sum();
        if volume.abs() <= FLAT {
            return Err(DistanceFieldError::Flat);
        }
        Ok(())
    }

    fn bounds(&self) -> (DVec3, DVec3) {
        self.vertices
            .iter()
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), &x| (low.min(x), high.max(x)))
    }

    fn corners(&self) -> impl Iterator<Item = [DVec3; 3]> {
        self.triangles.iter().map(|t| t.map(|v| self.vertices[v as usize]))
    }

    /// The crossings of each row y = `first.y` + j `spacing` in the layer z = `first.z`, by ascending x.
    fn crossings(&self, first: DVec3, spacing: f64, row_count: usize) -> Vec<Vec<Crossing>> {
        let mut rows: Vec<Vec<Crossing>> = Vec::new();
        rows.resize_with(row_count, Vec::new);
        for &triangle in &self.triangles {
            let Some([a, b]) = self.cut(triangle, first.z) else {
                continue;
            };
            let row_of = |y: f64| (y - first.y) / spacing;
            // One row more on each side, so that rounding here cannot lose a row: the comparison below decides.
            let begin = (row_of(a.y.min(b.y)).floor() - 1.0).max(0.0) as usize;
            let end = (row_of(a.y.max(b.y)).ceil() + 2.0).max(0.0) as usize;
            for (j, row) in rows.iter_mut().enumerate().take(end).skip(begin) {
                // The very expression that gives a node its y.
                let y = first.y + spacing * j as f64;
                let turn = i32::from(b.y > y) - i32::from(a.y > y);
                if turn != 0 {
                    let x = lerp(a.x, b.x, (y - a.y) / (b.y - a.y));
                    row.push(Crossing { x, turn });
                }
            }
        }
        for row in &mut rows {
            row.sort_unstable_by(|a, b| a.x.total_cmp(&b.x).then(a.turn.cmp(&b.turn)));
        }
        rows
    }

    /// The segment in which the layer at height z cuts a triangle, from the edge that rises through it to the edge that
    /// falls. A vertex in the layer counts as below it, for every triangle alike.
    fn cut(&self, triangle: [u32; 3], z: f64) -> Option<[DVec3; 2]> {
        let above = triangle.map(|v| self.vertices[v as usize].z > z);
        let edge = |k: usize| (k, (k + 1) % 3);
        let passing = |from: bool| (0..3).map(edge).find(|&(k, l)| above[k] == from && above[l] != from);
        let (rising, falling) = (passing(false)?, passing(true)?);
        let point = |(k, l): (usize, usize)| {
            // From the lower-numbered vertex, so that both triangles of the edge get the same bits.
            let (v, w) = (triangle[k].min(triangle[l]), triangle[k].max(triangle[l]));
            let (v, w) = (self.vertices[v as usize], self.vertices[w as usize]);
            v + (w - v) * ((z - v.z) / (w.z - v.z))
        };
        Some([point(rising), point(falling)])
    }
}

#[cfg(test)]
#[path = "distance_field_tests.rs"]
mod tests;
