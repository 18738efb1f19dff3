//! The dipoles that a magnetised rigid body is made of.

use super::error::{SceneError, SceneErrorKind};
use super::{Rigid, RigidShape};
use crate::limits;
use crate::meshing::mass::MassProperties;
use crate::meshing::triangle_mesh::TriangleMesh;
use crate::meshing::triangle_tree::TriangleTree;
use crate::meshing::winding::Winding;
use glam::{DQuat, DVec3, UVec3};
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

/// How a body without a moment of its own answers to a field.
#[derive(Debug, Clone, PartialEq)]
pub struct Susceptible {
    /// χ: magnetisation over the field within.
    pub susceptibility: f64,
    /// Edges of the cells along the grid's axes [m].
    pub step: DVec3,
    /// Of the grid in which the cells are.
    pub counts: UVec3,
    /// Where in it each cell is.
    pub places: Vec<UVec3>,
    /// Of the body, for each cell [m³].
    pub volume: f64,
    /// How the grid is turned against the axes along which cells have their arms.
    pub turn: DQuat,
}

/// Cells along the longest edge of what is no ball, of magnets and of what fields magnetise.
const CELLS: u32 = 6;
const SUSCEPTIBLE_CELLS: u32 = 5;
/// Cells that are nearer than this many edges are taken to be so far apart: as dipoles they would act on each other as no bodies do.
const NEAREST: f64 = 1.05;
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
            return Ok(vec![whole(unit, moment)]);
        }
        let (low, size, counts) = self.grid(surface, along, limits::MAGNET_CELLS)?;
        let step = size / counts.as_dvec3();
        let shares = self.shares(surface, low, step, counts);
        let whole: f64 = shares.iter().map(|(_, _, share)| share).sum();
        let radius = 0.5 * step.element_product().cbrt();
        let cell = |&(_, arm, share): &(UVec3, DVec3, f64)| MagnetCell {
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

    /// The cells of a body that a field magnetises, in the local frame.
    pub(super) fn susceptible_cells(
        &self,
        surface: &TriangleMesh,
        unit: &MassProperties,
    ) -> Result<Option<(Vec<MagnetCell>, Susceptible)>, SceneError> {
        let Some(susceptibility) = self.susceptibility.filter(|&chi| chi != 0.0) else { return Ok(None) };
        let is_ball = matches!(self.shape, RigidShape::Sphere { .. });
        let along = self.cells.unwrap_or(if is_ball { 1 } else { SUSCEPTIBLE_CELLS });
        let given = |cells: Vec<MagnetCell>, step, counts, places: Vec<UVec3>| {
            let volume = unit.mass / cells.len() as f64;
            let turn = DQuat::IDENTITY;
            Ok(Some((cells, Susceptible { susceptibility, step, counts, places, volume, turn })))
        };
        if along == 1 {
            if !is_ball {
                let message = "of 1 magnetise a ball alone in one piece; give this body 2 or more";
                return Err(SceneError::value("cells", message));
            }
            return given(vec![whole(unit, DVec3::ZERO)], DVec3::ONE, UVec3::ONE, vec![UVec3::ZERO]);
        }
        let (low, size, counts) = self.grid(surface, along, limits::SUSCEPTIBLE_CELLS)?;
        let step = size / counts.as_dvec3();
        let shares = self.shares(surface, low, step, counts);
        let most = shares.iter().map(|(_, _, share)| *share).fold(0.0, f64::max);
        let kept = shares.iter().filter(|(_, _, share)| *share >= 0.5 * most);
        let places: Vec<UVec3> = kept.map(|(place, ..)| *place).collect();
        let radius = 0.5 * NEAREST * step.element_product().cbrt();
        let cell = |place: &UVec3| MagnetCell {
            arm: low + step * (place.as_dvec3() + 0.5),
            moment: DVec3::ZERO,
            edge: step.max_element(),
            radius,
        };
        if places.is_empty() {
            let message = format!("of {along} finds nothing of this thin body; take more");
            return Err(SceneError::value("cells", message));
        }
        given(places.iter().map(cell).collect(), step, counts, places)
    }

    /// The lowest corner and the size of the box around the body, and how it is divided into so many cells along its longest edge.
    fn grid(
        &self,
        surface: &TriangleMesh,
        along: u32,
        limit: usize,
    ) -> Result<(DVec3, DVec3, UVec3), SceneError> {
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
        if total > limit as u64 {
            let fits = f64::from(along) * (limit as f64 / total as f64).cbrt();
            let message = format!(
                "would divide this body into {total} cells; the limit is {limit}, which {} along the longest edge fit",
                fits.floor()
            );
            return Err(SceneError::at(SceneErrorKind::Limit, "cells", message));
        }
        Ok((low, size, counts))
    }

    /// Which cells have something of the body, the middle of that, and how much it is.
    fn shares(
        &self,
        surface: &TriangleMesh,
        low: DVec3,
        step: DVec3,
        counts: UVec3,
    ) -> Vec<(UVec3, DVec3, f64)> {
        let cells = (0..counts.z)
            .flat_map(|k| (0..counts.y).flat_map(move |j| (0..counts.x).map(move |i| UVec3::new(i, j, k))));
        let corner = |cell: UVec3| low + step * cell.as_dvec3();
        let tree;
        let winding;
        let is_inside: Box<dyn Fn(DVec3) -> bool> = match self.shape {
            RigidShape::Box { .. } => {
                return cells.map(|cell| (cell, corner(cell) + 0.5 * step, 1.0)).collect();
            }
            RigidShape::Sphere { radius } => Box::new(move |x| x.length() < radius),
            RigidShape::Capsule { radius, length } => Box::new(move |x| {
                let along = x.y.clamp(-0.5 * length, 0.5 * length);
                (x - along * DVec3::Y).length() < radius
            }),
            _ => {
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
            (count > 0).then(|| (cell, sum / f64::from(count), f64::from(count)))
        };
        cells.filter_map(share).collect()
    }
}

/// One dipole for all of a body.
fn whole(unit: &MassProperties, moment: DVec3) -> MagnetCell {
    let radius = (0.75 * unit.mass / PI).cbrt();
    MagnetCell { arm: unit.centre, moment, edge: 2.0 * radius, radius }
}
