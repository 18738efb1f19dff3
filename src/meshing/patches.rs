//! A cloud as a surface: a small triangle for each point, as large as the part of the surface that is its own.
//!
//! The triangles are not connected, but for the winding number they need not be: each shades the part of the sky that its point stands
//! for (Barill, Dickson, Schmidt, Levin, Jacobson 2018 take a dipole for it). Without normals there is no winding number, and lines vote.

use crate::cloud::{Cloud, PointGrid, thin};
use crate::math::eigen;
use crate::meshing::triangle_mesh::TriangleMesh;
use glam::{DVec2, DVec3};
use rayon::prelude::*;
use std::f64::consts::{PI, TAU};

/// Neighbours that tell how much of the surface is a point's own.
const NEIGHBOURS: usize = 8;
/// Points along the edge of a cell.
const PER_CELL: f64 = 2.0;
/// How often the search for neighbours may be widened twofold.
const WIDENED: usize = 12;

/// The triangles of a cloud that has passed [`Cloud::check_spread`], to be filled with so many cells along its longest side. Those of
/// clouds without normals face any side.
pub fn patches(cloud: &Cloud, cells: u32) -> TriangleMesh {
    let (low, high) = cloud.bounds();
    let spacing = (high - low).max_element() / (PER_CELL * f64::from(cells.max(1)));
    let thinned = thin(cloud, spacing);
    let grid = PointGrid::new(&thinned.points, 1.5 * spacing);
    let corners = |i: usize| -> [DVec3; 3] {
        let x = thinned.points[i];
        let near = neighbours(&grid, x, 1.5 * spacing);
        let radius = near.last().map_or(spacing, |d| d.length());
        let normal = thinned.normals.get(i).copied().unwrap_or_else(|| flattest(&near));
        // The circle of the farthest holds all of them; each has its share.
        let area = PI * radius * radius / near.len().max(1) as f64;
        let out = (4.0 * area / 27f64.sqrt()).sqrt();
        let along = normal.any_orthonormal_vector();
        let across = normal.cross(along);
        [0.0, 1.0, 2.0].map(|k| {
            let place = out * DVec2::from_angle(k * TAU / 3.0);
            x + place.x * along + place.y * across
        })
    };
    let corners: Vec<[DVec3; 3]> = (0..thinned.points.len()).into_par_iter().map(corners).collect();
    TriangleMesh {
        triangles: (0..corners.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect(),
        positions: corners.into_flattened(),
        texture_coordinates: None,
    }
}

/// The nearest points, nearest first, as seen from `x`, itself left out.
fn neighbours(grid: &PointGrid, x: DVec3, radius: f64) -> Vec<DVec3> {
    let mut reach = radius;
    let mut near: Vec<DVec3> = Vec::new();
    for _ in 0..WIDENED {
        near.clear();
        grid.around(x, reach, |y, _| {
            let d = y - x;
            if d.length_squared() <= reach * reach && d != DVec3::ZERO {
                near.push(d);
            }
        });
        if near.len() >= NEIGHBOURS {
            break;
        }
        reach *= 2.0;
    }
    near.sort_by(|a, b| a.length_squared().total_cmp(&b.length_squared()));
    near.truncate(NEIGHBOURS);
    near
}

/// The direction in which points spread least.
fn flattest(points: &[DVec3]) -> DVec3 {
    let mut products = [[0.0; 3]; 3];
    for d in points {
        let d = d.to_array();
        for i in 0..3 {
            for j in 0..3 {
                products[i][j] += d[i] * d[j];
            }
        }
    }
    DVec3::from(eigen::symmetric(products)[0].1)
}
