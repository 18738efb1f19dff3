//! What a soup encloses, as voxels: which are inside, and a smooth distance to the boundary between.

use glam::{DVec3, UVec3};
use rayon::prelude::*;

use super::soup::Soup;
use super::voxels::{self, Grid};
use super::winding::Winding;
use super::{MeshingError, distance, votes};
use crate::meshing::triangle_tree::TriangleTree;

/// How to tell inside from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Inside {
    /// The winding number if most of the surface is connected, otherwise votes.
    #[default]
    Auto,
    /// The generalised winding number: right for overlapping parts, hollows and small holes.
    Winding,
    /// Votes of lines in 13 directions: needs no orientation, and copes with half of the surface missing.
    Votes,
}

/// The share of connected edges above which the winding number is trusted. A surface that lacks a tenth of its
/// patches still has a winding number of 0.9 in its middle; orientation is known only where triangles are connected.
const CONNECTED: f64 = 0.9;
/// Where the winding number says inside.
const HALF: f64 = 0.5;
/// Empty voxels around the surface for the winding number.
const MARGIN: u32 = 3;
/// Empty space around the surface for votes, on each side, as a share of the grid: d_min is a share of the
/// largest distance, so it must not depend on how the surface was cut out.
const VOTE_MARGIN: f64 = 0.2;
/// Voxels that marking may look at; beyond, the triangles must be huge and many.
const MOST_EFFORT: f64 = 2e10;
/// Voxels of a grid. At most 14 bytes are taken for each at any time.
pub const MOST_VOXELS: u64 = 1 << 26;

/// A soup, filled.
pub struct Solid<'a> {
    pub soup: &'a Soup,
    tree: TriangleTree,
    pub grid: Grid,
    pub inside: Vec<bool>,
    /// Distance to the boundary of the inside voxels, negative inside, a little smoothed [voxels].
    field: Vec<f32>,
    /// How inside and outside were told apart; never [`Inside::Auto`].
    pub method: Inside,
}

impl<'a> Solid<'a> {
    /// Fills a soup with voxels, `along` of them on the longest side of its box.
    pub fn new(soup: &'a Soup, along: u32, inside: Inside) -> Result<Self, MeshingError> {
        if soup.triangles.is_empty() {
            return Err(MeshingError::Empty);
        }
        let method = match inside {
            Inside::Auto if soup.closed >= CONNECTED => Inside::Winding,
            Inside::Auto => Inside::Votes,
            chosen => chosen,
        };
        let grid = grid(soup, along, method)?;
        let effort = voxels::effort(&grid, &soup.triangles);
        if effort > MOST_EFFORT {
            return Err(MeshingError::Effort { effort });
        }
        let tree = TriangleTree::new(soup.triangles.clone());
        let marked = voxels::mark(&grid, &soup.triangles);
        let squared = distance::transform(grid.size, |i| marked[i]);
        let inside = match method {
            Inside::Votes => votes::inside(grid.size, &squared, votes::D_MIN),
            _ => wound(&grid, &squared, &Winding::new(&tree), soup.closed == 1.0),
        };
        drop((marked, squared));
        if !inside.contains(&true) {
            return Err(MeshingError::NoInside);
        }
        let field = signed_distance(grid.size, &inside);
        Ok(Self { soup, tree, grid, inside, field, method })
    }

    /// Volume of the voxels inside [m³].
    pub fn volume(&self) -> f64 {
        let count = self.inside.par_iter().filter(|&&inside| inside).count();
        count as f64 * self.grid.spacing.powi(3)
    }

    /// The point of the boundary where `x`, which should be near, belongs, and a triangle near it to start the next search from.
    ///
    /// That is a point of the surface, or, where a hole was closed, of the boundary of the voxels.
    pub fn project(&self, x: DVec3, guess: u32) -> (DVec3, u32) {
        /// The surface is not farther than this from the boundary of the voxels that it made [voxels].
        const SAME: f64 = 1.25;
        const STEPS: usize = 3;
        let mut y = x;
        for _ in 0..STEPS {
            let (value, gradient) = self.sample(y);
            let squared = gradient.length_squared();
            if squared < 0.1 {
                break;
            }
            y -= gradient * (value * self.grid.spacing / squared);
        }
        let (point, triangle) = self.tree.nearest_point(y, guess);
        let near = point.distance(y) <= SAME * self.grid.spacing;
        (if near { point } else { y }, triangle)
    }

    /// The unit normal of a triangle that [`Self::project`] has told.
    pub fn normal(&self, triangle: u32) -> DVec3 {
        self.tree.normal(triangle)
    }

    /// The point of the surface at `x`, and its triangle, if there is one within a quarter of a voxel: what is rounded in the voxels
    /// is sharp here.
    pub fn sharp_point(&self, x: DVec3, guess: u32) -> Option<(DVec3, u32)> {
        let (point, triangle) = self.tree.nearest_point(x, guess);
        (point.distance(x) <= 0.25 * self.grid.spacing).then_some((point, triangle))
    }

    /// How far `x` is above the plane of a triangle [m].
    pub fn height(&self, x: DVec3, triangle: u32) -> f64 {
        self.normal(triangle).dot(x - self.tree.corners(triangle)[0])
    }

    /// The smoothed distance [voxels] and its gradient [voxels per voxel], trilinear.
    fn sample(&self, x: DVec3) -> (f64, DVec3) {
        let grid = &self.grid;
        let place = (x - grid.origin) / grid.spacing;
        let corner = place.floor().clamp(DVec3::ZERO, (grid.size - 2).as_dvec3());
        let t = (place - corner).clamp(DVec3::ZERO, DVec3::ONE);
        let first = grid.number(corner.as_uvec3());
        let [nx, nxy] = [grid.size.x as usize, (grid.size.x * grid.size.y) as usize];
        let at = |b: usize| f64::from(self.field[first + (b & 1) + (b >> 1 & 1) * nx + (b >> 2) * nxy]);
        let v: [f64; 8] = std::array::from_fn(at);
        let lerp = |a: f64, b: f64, t: f64| a + (b - a) * t;
        let x_lines = [0, 2, 4, 6].map(|b| lerp(v[b], v[b + 1], t.x));
        let y_lines = [lerp(x_lines[0], x_lines[1], t.y), lerp(x_lines[2], x_lines[3], t.y)];
        let slope = |step: usize, starts: [usize; 4], s: f64, t: f64| {
            let d = starts.map(|b| v[b + step] - v[b]);
            lerp(lerp(d[0], d[1], s), lerp(d[2], d[3], s), t)
        };
        let gradient = DVec3::new(
            slope(1, [0, 2, 4, 6], t.y, t.z),
            slope(2, [0, 1, 4, 5], t.x, t.z),
            slope(4, [0, 1, 2, 3], t.x, t.y),
        );
        (lerp(y_lines[0], y_lines[1], t.z), gradient)
    }
}

fn grid(soup: &Soup, along: u32, method: Inside) -> Result<Grid, MeshingError> {
    let extent = soup.high - soup.low;
    let longest = extent.max_element();
    // Sizes whose cubes neither overflow nor vanish.
    if !(1e-12..=1e12).contains(&longest) {
        return Err(MeshingError::Size { size: longest });
    }
    let spacing = longest / f64::from(along);
    let voxels = (extent / spacing).ceil().as_uvec3().max(UVec3::ONE);
    let margin = match method {
        Inside::Votes => {
            let all = f64::from(along) / (1.0 - 2.0 * VOTE_MARGIN);
            ((all * VOTE_MARGIN).ceil() as u32).max(MARGIN)
        }
        _ => MARGIN,
    };
    let size = voxels + 2 * margin;
    let middle = 0.5 * (soup.low + soup.high);
    let grid = Grid { origin: middle - 0.5 * spacing * (size - 1).as_dvec3(), spacing, size };
    if grid.count() > MOST_VOXELS {
        return Err(MeshingError::TooLarge { what: "voxels", count: grid.count(), limit: MOST_VOXELS });
    }
    Ok(grid)
}

/// Where the winding number is at least ½.
///
/// Only the surface changes it if there is no hole: a closed surface is asked once for each connected part of the voxels that it
/// does not touch.
fn wound(grid: &Grid, squared: &[u32], winding: &Winding, closed: bool) -> Vec<bool> {
    let asked = |number: usize| winding.at(grid.centre(grid.voxel(number))) >= HALF;
    if !closed {
        return (0..squared.len()).into_par_iter().map(asked).collect();
    }
    let mut inside: Vec<bool> =
        squared.par_iter().enumerate().map(|(number, &d)| d == 0 && asked(number)).collect();
    let mut seen: Vec<bool> = squared.par_iter().map(|&d| d == 0).collect();
    let mut pending = Vec::new();
    for first in 0..squared.len() {
        if seen[first] {
            continue;
        }
        let here = asked(first);
        seen[first] = true;
        pending.push(first);
        while let Some(number) = pending.pop() {
            inside[number] = here;
            let voxel = grid.voxel(number);
            let strides = [1, grid.size.x as usize, (grid.size.x * grid.size.y) as usize];
            for (axis, stride) in strides.into_iter().enumerate() {
                let back = (voxel[axis] > 0).then(|| number - stride);
                let on = (voxel[axis] + 1 < grid.size[axis]).then(|| number + stride);
                for next in back.into_iter().chain(on) {
                    if !seen[next] {
                        seen[next] = true;
                        pending.push(next);
                    }
                }
            }
        }
    }
    inside
}

/// The signed distance to the faces between inside and outside voxels, smoothed over about one voxel so that their steps vanish.
fn signed_distance(size: UVec3, inside: &[bool]) -> Vec<f32> {
    let outward = distance::transform(size, |i| inside[i]);
    let mut field: Vec<f32> = outward.par_iter().map(|&d| (d as f32).sqrt() - 0.5).collect();
    drop(outward);
    let inward = distance::transform(size, |i| !inside[i]);
    field.par_iter_mut().zip(&inward).zip(inside).for_each(|((value, &d), &inside)| {
        if inside {
            *value = 0.5 - (d as f32).sqrt();
        }
    });
    drop(inward);
    smooth(size, &mut field);
    field
}

/// One binomial filter (1, 4, 6, 4, 1)/16 along each axis; the rim of the grid keeps its values.
fn smooth(size: UVec3, field: &mut [f32]) {
    let [nx, ny, _] = size.to_array().map(|n| n as usize);
    field.par_chunks_mut(nx * ny).for_each(|layer| {
        let mut line = Vec::new();
        for y in 0..ny {
            let row = y * nx;
            filter(&mut line, nx, |x| layer[row + x]);
            layer[row..row + nx].copy_from_slice(&line);
        }
        for x in 0..nx {
            filter(&mut line, ny, |y| layer[y * nx + x]);
            (0..ny).for_each(|y| layer[y * nx + x] = line[y]);
        }
    });
    let mut rows: Vec<Vec<&mut [f32]>> = (0..ny).map(|_| Vec::new()).collect();
    for layer in field.chunks_exact_mut(nx * ny) {
        rows.iter_mut().zip(layer.chunks_exact_mut(nx)).for_each(|(rows, row)| rows.push(row));
    }
    rows.par_iter_mut().for_each(|rows| {
        let mut line = Vec::new();
        for x in 0..nx {
            filter(&mut line, rows.len(), |z| rows[z][x]);
            (0..rows.len()).for_each(|z| rows[z][x] = line[z]);
        }
    });
}

fn filter(line: &mut Vec<f32>, length: usize, value: impl Fn(usize) -> f32) {
    line.clear();
    for i in 0..length {
        let clamped = |offset: isize| value(i.saturating_add_signed(offset).min(length - 1));
        let sum = clamped(-2) + clamped(2) + 4.0 * (clamped(-1) + clamped(1)) + 6.0 * value(i);
        line.push(sum / 16.0);
    }
}
