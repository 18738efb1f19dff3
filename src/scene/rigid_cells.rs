//! The dipoles that a magnetised rigid body is made of.

use super::error::{SceneError, SceneErrorKind};
use super::{Rigid, RigidShape};
use crate::limits;
use crate::meshing::mass::MassProperties;
use crate::meshing::triangle_mesh::TriangleMesh;
use crate::meshing::triangle_tree::TriangleTree;
use crate::meshing::winding::Winding;
use glam::{DVec3, UVec3};
use std::f64::consts::PI;

/// A dipole of a magnet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MagnetCell {
    /// Where it is [m].
    pub arm: DVec3,
    /// [A m²].
    pub moment: DVec3,
    /// Edge of the cube that it stands for [m].
    pub edge: f64,
    /// Nearer to another cell than the sum of both, its field does not grow [m].
    pub radius: f64,
}

/// Cells along the longest edge of what is no ball.
const CELLS: u32 = 6;
/// Points along each edge of a cell by which its share of the body is found.
const SAMPLES: u32 = 4;

impl Rigid {
    /// The cells in the local frame, whose moments add up to `moment` [A m²]. `unit` is the solid with a density of 1.
    pub(super) fn magnet_cells(
        &self,
        surface: &TriangleMesh,
        unit: &MassProperties,
        moment: DVec3,
    ) -> Result<Vec<MagnetCell>, SceneError> {
        let is_ball = matches!(self.shape, RigidShape::Sphere { .. });
        let is_box = matches!(self.shape, RigidShape::Box { .. });
        let is_dipole = self.remanence.is_none();
        let along = self.cells.unwrap_or(if is_ball || is_dipole { 1 } else { CELLS });
        if moment == DVec3::ZERO {
            return Ok(Vec::new());
        }
        if is_dipole || along == 1 && !is_box {
            let radius = (0.75 * unit.mass / PI).cbrt();
            return Ok(vec![MagnetCell { arm: unit.centre, moment, edge: 2.0 * radius, radius }]);
        }
        let (low, high) = match self.shape {
            RigidShape::Sphere { radius } => (DVec3::splat(-radius), DVec3::splat(radius)),
            _ => surface
                .positions
                .iter()
                .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x))),
        };
        let size = high - low;
        let edge = size.max_element() / f64::from(along);
        let counts = (size / edge).round().max(DVec3::ONE).as_uvec3();
        let total: u64 = counts.to_array().iter().map(|&n| u64::from(n)).product();
        if total > limits::MAGNET_CELLS as u64 {
            let fits = f64::from(along) * (limits::MAGNET_CELLS as f64 / total as f64).cbrt();
            let message = format!(
                "would divide this body into {total} cells; the limit is {}, which {} along the longest edge fit",
                limits::MAGNET_CELLS,
                fits.floor()
            );
            return Err(SceneError::at(SceneErrorKind::Limit, "cells", message));
        }
        let step = size / counts.as_dvec3();
        let shares = self.shares(surface, low, step, counts);
        let whole: f64 = shares.iter().map(|(_, share)| share).sum();
        let radius = 0.5 * step.element_product().cbrt();
        let cell = |&(arm, share): &(DVec3, f64)| MagnetCell {
            arm,
            moment: moment * (share / whole),
            edge: step.max_element(),
            radius,
        };
        let cells: Vec<MagnetCell> = shares.iter().map(cell).collect();
        if cells.is_empty() {
            let message = format!("of {along} finds nothing of this thin body; take more");
            return Err(SceneError::value("cells", message));
        }
        Ok(cells)
    }

    /// The middle of what each cell has of the body, and how much that is.
    fn shares(&self, surface: &TriangleMesh, low: DVec3, step: DVec3, counts: UVec3) -> Vec<(DVec3, f64)> {
        let cells = (0..counts.z)
            .flat_map(|k| (0..counts.y).flat_map(move |j| (0..counts.x).map(move |i| UVec3::new(i, j, k))));
        let corner = |cell: UVec3| low + step * cell.as_dvec3();
        let tree;
        let winding;
        let is_inside: Box<dyn Fn(DVec3) -> bool> = match self.shape {
            RigidShape::Box { .. } => return cells.map(|cell| (corner(cell) + 0.5 * step, 1.0)).collect(),
            RigidShape::Sphere { radius } => Box::new(move |x| x.length() < radius),
            RigidShape::Capsule { radius, length } => Box::new(move |x| {
                let along = x.y.clamp(-0.5 * length, 0.5 * length);
                (x - along * DVec3::Y).length() < radius
            }),
            RigidShape::Mesh { .. } | RigidShape::Triangles(_) => {
                tree = TriangleTree::new((0..surface.triangles.len()).map(|t| surface.corners(t)).collect());
                winding = Winding::new(&tree);
                Box::new(|x| winding.at(x) > 0.5)
            }
        };
        let share = |cell: UVec3| {
            let (mut sum, mut count) = (DVec3::ZERO, 0);
            for n in 0..SAMPLES.pow(3) {
                let place = UVec3::new(n % SAMPLES, n / SAMPLES % SAMPLES, n / SAMPLES / SAMPLES);
                let x = corner(cell) + step * ((place.as_dvec3() + 0.5) / f64::from(SAMPLES));
                if is_inside(x) {
                    sum += x;
                    count += 1;
                }
            }
            (count > 0).then(|| (sum / f64::from(count), f64::from(count)))
        };
        cells.filter_map(share).collect()
    }
}
