//! A solid of one scan: what stands before a wall, closed by the wall.
//!
//! The wall is the plane in which most points lie. The scan becomes a picture of depths, as its scanner saw it; holes in it are filled
//! from their borders, coarse to fine. A place is inside if it is behind what was seen and before the wall.

use crate::cloud::{Cloud, thin};
use crate::math::eigen;
use crate::math::random::Random;
use crate::meshing::isosurface::isosurface;
use crate::meshing::lattice::Lattice;
use crate::meshing::tet_mesh::TetMesh;
use crate::meshing::triangle_mesh::TriangleMesh;
use glam::{DMat3, DVec2, DVec3, UVec3};

/// A plane n·x = offset; n points from the wall to the scanner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wall {
    pub normal: DVec3,
    /// [m]
    pub offset: f64,
    /// Root mean square distance of its points from it [m].
    pub noise: f64,
}

/// Why a scan and its wall make no solid.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum WallError {
    #[error(
        "no wall is seen: at most {share:.0} % of the points lie in one plane; scan more of the wall around the body"
    )]
    NoWall { share: f64 },
    #[error("nothing stands out of the wall by more than {height:.1e} m; is the body in the scan?")]
    NoBody { height: f64 },
}

/// Planes through three points that are tried.
const TRIALS: usize = 400;
/// Points nearer to a plane than this share of the scan's diagonal are on it.
const FLAT: f64 = 0.006;
/// The least share of points on a wall.
const LEAST: f64 = 0.1;
/// Points of a wall are within this many times its noise.
const DEVIATIONS: f64 = 4.0;
/// Most pixels of the picture of depths along either side.
const MOST_PIXELS: f64 = 512.0;
/// Points of a pixel, on average.
const PER_PIXEL: f64 = 2.0;
/// Cells of the surface in a cell of the solid.
const FINER: u32 = 2;

impl Wall {
    /// The wall of a scan (by random sampling, Fischler, Bolles 1981, always with the same numbers).
    pub fn of(cloud: &Cloud) -> Result<Self, WallError> {
        let near = FLAT * cloud.diagonal();
        let points = thin(cloud, near).points;
        let mut random = Random(1);
        let mut best: (usize, Option<(DVec3, f64)>) = (0, None);
        for _ in 0..TRIALS {
            let mut pick =
                || points[((random.number() * points.len() as f64) as usize).min(points.len() - 1)];
            let [a, b, c] = [pick(), pick(), pick()];
            let Some(normal) = (b - a).cross(c - a).try_normalize() else { continue };
            let offset = normal.dot(a);
            let count = points.iter().filter(|x| (normal.dot(**x) - offset).abs() <= near).count();
            if count > best.0 {
                best = (count, Some((normal, offset)));
            }
        }
        let share = best.0 as f64 / points.len() as f64;
        let (mut normal, mut offset) =
            best.1.filter(|_| share >= LEAST).ok_or(WallError::NoWall { share: 100.0 * share })?;
        let mut reach = near;
        let mut noise = 0.0;
        for _ in 0..4 {
            let on: Vec<DVec3> =
                cloud.points.iter().copied().filter(|x| (normal.dot(*x) - offset).abs() <= reach).collect();
            let middle = on.iter().sum::<DVec3>() / on.len().max(1) as f64;
            let [(least, across), ..] = eigen::symmetric(products(&on, middle));
            noise = (least / on.len().max(1) as f64).max(0.0).sqrt();
            normal = DVec3::from(across);
            offset = normal.dot(middle);
            reach = (DEVIATIONS * noise).clamp(1e-3 * near, near);
        }
        if normal.dot(cloud.viewpoint) < offset {
            (normal, offset) = (-normal, -offset);
        }
        Ok(Self { normal, offset, noise })
    }

    /// How far a place is before the wall [m].
    pub fn height(&self, x: DVec3) -> f64 {
        self.normal.dot(x) - self.offset
    }

    /// The closed surface of what stands before the wall, for so many cells along its longest side.
    pub fn body(&self, cloud: &Cloud, cells: u32) -> Result<TriangleMesh, WallError> {
        let lowest = (DEVIATIONS * self.noise).max(0.5 * FLAT * cloud.diagonal());
        let stands: Vec<DVec3> = cloud.points.iter().copied().filter(|x| self.height(*x) > lowest).collect();
        if stands.len() < 10 {
            return Err(WallError::NoBody { height: lowest });
        }
        let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let feet = stands.iter().map(|&x| x - self.height(x) * self.normal);
        let (low, high) = stands.iter().copied().chain(feet).fold(start, |(l, h), x| (l.min(x), h.max(x)));
        let cell = (high - low).max_element() / f64::from(FINER * cells.max(4));
        let margin = 2.5 * cell;
        let size = ((high - low + 2.0 * margin) / cell).ceil();
        let lattice = Lattice {
            origin: low - margin,
            cell: DVec3::splat(cell),
            cells: UVec3::from(size.to_array().map(|n| n as u32)),
        };
        let picture = Depths::of(cloud, self, lowest, 2.0 * cell);
        let field = |x: DVec3| {
            let before = picture.before(x).unwrap_or(2.0 * cell);
            before.max(-self.height(x)).clamp(-2.0 * cell, 2.0 * cell)
        };
        Ok(isosurface(&lattice, field))
    }

    /// Names the vertices of a body that lie at the wall, within a quarter of a cell [m].
    pub fn name_back(&self, mesh: &mut TetMesh, cell: f64) {
        let at_wall = |v: &u32| self.height(mesh.vertices[*v as usize]).abs() <= 0.25 * cell;
        let vertices: Vec<u32> = (0..mesh.vertices.len() as u32).filter(at_wall).collect();
        mesh.add_to_group(BACK, vertices, []);
    }
}

/// The group of the vertices at the wall.
pub const BACK: &str = "back";

/// Sums of the products of coordinates about a place.
fn products(points: &[DVec3], middle: DVec3) -> [[f64; 3]; 3] {
    let mut sums = [[0.0; 3]; 3];
    for &x in points {
        let d = (x - middle).to_array();
        for i in 0..3 {
            for j in 0..3 {
                sums[i][j] += d[i] * d[j];
            }
        }
    }
    sums
}

/// One over the depth in each pixel of a picture, as the scanner saw it: a plane has no bend in it then.
struct Depths {
    eye: DVec3,
    /// The line of sight is the third column.
    frame: DMat3,
    low: DVec2,
    pixel: f64,
    size: [usize; 2],
    inverse: Vec<f64>,
}

impl Depths {
    /// What is lower than `lowest` above the wall is wall, and is put so far behind it that noise makes no body.
    fn of(cloud: &Cloud, wall: &Wall, lowest: f64, behind: f64) -> Self {
        let eye = cloud.viewpoint;
        let sight = (cloud.centroid() - eye).normalize_or(-wall.normal);
        let along = sight.any_orthonormal_vector();
        let frame = DMat3::from_cols(along, sight.cross(along), sight);
        let seen = |x: DVec3| {
            let local = frame.transpose() * (x - eye);
            (local.truncate() / local.z, local.z)
        };
        let visible: Vec<(DVec2, f64, bool)> = cloud
            .points
            .iter()
            .map(|&x| {
                if wall.height(x) > lowest {
                    (x, false)
                } else {
                    (x - (wall.height(x) + behind) * wall.normal, true)
                }
            })
            .map(|(x, is_wall)| (seen(x), is_wall))
            .filter(|((_, depth), _)| *depth > 0.0)
            .map(|((place, depth), is_wall)| (place, 1.0 / depth, is_wall))
            .collect();
        let start = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        let (low, high) = visible.iter().fold(start, |(l, h), (x, ..)| (l.min(*x), h.max(*x)));
        let extent = high - low;
        let wanted = (extent.element_product() * PER_PIXEL / visible.len().max(1) as f64).sqrt();
        let pixel = wanted.max(extent.max_element() / MOST_PIXELS).max(f64::MIN_POSITIVE);
        let size = (extent / pixel).to_array().map(|n| n as usize + 1);
        let mut sums = vec![[0.0; 2]; size[0] * size[1]];
        for &(x, inverse, is_wall) in &visible {
            let [u, v] = ((x - low) / pixel).to_array().map(|c| c as usize);
            let sum = &mut sums[v.min(size[1] - 1) * size[0] + u.min(size[0] - 1)];
            // A pixel that shows body and wall is of the body.
            let weight = if is_wall { 1e-3 } else { 1.0 };
            sum[0] += weight * inverse;
            sum[1] += weight;
        }
        let mut inverse = fill_holes(&sums, size);
        close_outside(&sums, size, &mut inverse);
        Self { eye, frame, low, pixel, size, inverse }
    }

    /// How far a place is before what was seen there, along the line of sight, negative behind it [m]. Nothing beyond the picture.
    fn before(&self, x: DVec3) -> Option<f64> {
        let local = self.frame.transpose() * (x - self.eye);
        let place = (local.truncate() / local.z - self.low) / self.pixel - 0.5;
        let last = DVec2::new(self.size[0] as f64 - 1.0, self.size[1] as f64 - 1.0);
        if local.z <= 0.0 || place.cmplt(DVec2::splat(-0.5)).any() || place.cmpgt(last + 0.5).any() {
            return None;
        }
        let place = place.clamp(DVec2::ZERO, last);
        let corner = place.floor().min((last - 1.0).max(DVec2::ZERO));
        let t = place - corner;
        let [u, v] = corner.to_array().map(|c| c as usize);
        let at = |i: usize, j: usize| {
            self.inverse[(v + j).min(self.size[1] - 1) * self.size[0] + (u + i).min(self.size[0] - 1)]
        };
        let row = |j: usize| at(0, j) + (at(1, j) - at(0, j)) * t.x;
        let inverse = row(0) + (row(1) - row(0)) * t.y;
        (inverse > 0.0).then(|| 1.0 / inverse - local.z)
    }
}

/// Means where there are points; elsewhere what coarser pictures show, smoothed (pull-push, Gortler et al. 1996).
fn fill_holes(sums: &[[f64; 2]], [width, height]: [usize; 2]) -> Vec<f64> {
    let known: Vec<bool> = sums.iter().map(|s| s[1] > 0.0).collect();
    let mut values: Vec<f64> = sums.iter().map(|s| if s[1] > 0.0 { s[0] / s[1] } else { 0.0 }).collect();
    if known.iter().all(|k| *k) || (width == 1 && height == 1) {
        return values;
    }
    let half = [width.div_ceil(2), height.div_ceil(2)];
    let mut coarse = vec![[0.0; 2]; half[0] * half[1]];
    for y in 0..height {
        for x in 0..width {
            let i = y * width + x;
            if known[i] {
                let sum = &mut coarse[y / 2 * half[0] + x / 2];
                sum[0] += values[i];
                sum[1] += 1.0;
            }
        }
    }
    let coarse = fill_holes(&coarse, half);
    for y in 0..height {
        for x in 0..width {
            if !known[y * width + x] {
                values[y * width + x] = coarse[y / 2 * half[0] + x / 2];
            }
        }
    }
    // Each hole becomes as smooth as a membrane over its border.
    const ROUNDS: usize = 12;
    for _ in 0..ROUNDS {
        for y in 0..height {
            for x in 0..width {
                if known[y * width + x] {
                    continue;
                }
                let beside = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
                let inside = beside.iter().filter(|(x, y)| *x < width && *y < height);
                let (sum, count) =
                    inside.fold((0.0, 0.0), |(s, n), (x, y)| (s + values[y * width + x], n + 1.0));
                values[y * width + x] = sum / count;
            }
        }
    }
    values
}

/// Nothing is known beyond the points: a hole has points on both sides, along its row and along its column.
fn close_outside(sums: &[[f64; 2]], [width, height]: [usize; 2], inverse: &mut [f64]) {
    let known = |x: usize, y: usize| sums[y * width + x][1] > 0.0;
    let rows: Vec<_> = (0..height).map(|y| ends((0..width).map(|x| known(x, y)))).collect();
    let columns: Vec<_> = (0..width).map(|x| ends((0..height).map(|y| known(x, y)))).collect();
    for y in 0..height {
        for x in 0..width {
            if !(rows[y].contains(&x) && columns[x].contains(&y)) {
                inverse[y * width + x] = 0.0;
            }
        }
    }
}

fn ends(known: impl Iterator<Item = bool>) -> std::ops::Range<usize> {
    let places: Vec<usize> = known.enumerate().filter(|(_, k)| *k).map(|(i, _)| i).collect();
    places.first().copied().unwrap_or(0)..places.last().map_or(0, |last| last + 1)
}
