//! Attachments of soft bodies to rigid ones: which point of the rigid body holds which of the other.

use super::error::SceneError;
use super::join::{Bodies, Points, ResolvedPair, Result, refuse};
use super::nearest_point::{MaterialPoint, PointFinder};
use super::{Attach, AttachBy, AttachSide, RigidGeometry, RigidSolid, Selector};
use crate::meshing::triangle_tree::TriangleTree;
use crate::meshing::winding::Winding;
use glam::DVec3;

/// The side of a pair that is a point of a rigid body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ResolvedAnchor {
    /// Which of the scene's rigid bodies.
    pub rigid: u32,
    /// From its centre of mass along its principal axes [m].
    pub arm: DVec3,
    /// Whether it is the attachment's `b`.
    pub is_b: bool,
}

/// Distance over the size of a rigid body below which a particle is on its surface.
const ON_SURFACE: f64 = 1e-9;
/// The winding number from which on a point is inside.
const INSIDE: f64 = 0.5;

impl Bodies<'_> {
    /// Which rigid body a side names, if it is one.
    fn rigid(&self, side: &AttachSide) -> Option<u32> {
        self.geometry.rigid.iter().position(|body| body.name == side.body).map(|k| k as u32)
    }

    /// The pairs of an attachment to a rigid body; nothing if neither side is one.
    pub(super) fn anchors(&self, attach: &Attach) -> Result<Option<Vec<ResolvedPair>>> {
        let (rigid, is_b) = match [self.rigid(&attach.a), self.rigid(&attach.b)] {
            [None, None] => return Ok(None),
            [Some(_), Some(_)] => {
                return refuse("b", "is a rigid body, and so is `a`; join the two with a [[joint]]");
            }
            [Some(rigid), None] => (rigid, false),
            [None, Some(rigid)] => (rigid, true),
        };
        let (hard, hard_key) = if is_b { (&attach.b, "b") } else { (&attach.a, "a") };
        let (soft, soft_key) = if is_b { (&attach.a, "a") } else { (&attach.b, "b") };
        if hard.selector != Selector::ALL {
            let message = format!("is rigid: one particle, its centre; give `at`, or `{hard_key}` alone");
            return Err(SceneError::value("body", message).inside(hard_key));
        }
        let body = &self.geometry.rigid[rigid as usize];
        let fixed = hard.at.map(|at| body.nearest(at));
        let points = match soft.at.is_none() && soft.selector == Selector::ALL && !is_b {
            // As everywhere, a whole `b` gives its point nearest to that of `a`.
            true => {
                let (index, found) = self.find(soft).map_err(|e| e.inside(soft_key))?;
                let finder = PointFinder::new(found.positions, self.elements(index));
                let at = body.place(fixed.unwrap_or(DVec3::ZERO));
                Points { body: found, list: vec![finder.nearest(at).0] }
            }
            false => self.points(soft).map_err(|e| e.inside(soft_key))?,
        };
        if attach.by == AttachBy::Order && points.list.len() != 1 {
            let message =
                format!("joins {} points with one point of a rigid body; use \"nearest\"", points.list.len());
            return refuse("by", message);
        }
        let (_, centre) = self.find(hard)?;
        let pair = |k: usize| {
            let x = points.position(k);
            let mut arm = fixed.unwrap_or_else(|| body.nearest(x));
            let mut length = body.place(arm).distance(x);
            let keeps_place = fixed.is_none() && attach.length.is_none();
            if keeps_place && attach.within.is_none_or(|most| length <= most)
                || length < ON_SURFACE * body.reach()
            {
                (arm, length) = (body.orientation.conjugate() * (x - body.positions[0]), 0.0);
            }
            let (held, holds) =
                (points.list[k].shifted(points.body.start), MaterialPoint::particle(0).shifted(centre.start));
            ResolvedPair {
                points: if is_b { [held, holds] } else { [holds, held] },
                length,
                anchor: Some(ResolvedAnchor { rigid, arm, is_b }),
            }
        };
        Ok(Some((0..points.list.len()).map(pair).collect()))
    }
}

impl RigidGeometry {
    /// Where a point of the body starts, which is given along its principal axes [m].
    fn place(&self, arm: DVec3) -> DVec3 {
        self.positions[0] + self.orientation * arm
    }

    /// The point of the solid nearest to where something starts, along its principal axes [m].
    fn nearest(&self, x: DVec3) -> DVec3 {
        let local = self.orientation.conjugate() * (x - self.positions[0]);
        match self.solid {
            Some(RigidSolid::Box { half }) => local.clamp(-half, half),
            Some(RigidSolid::Capsule { radius, half_length }) => {
                let axis = DVec3::Y * local.y.clamp(-half_length, half_length);
                axis + (local - axis).clamp_length_max(radius)
            }
            None => {
                let triangles = (0..self.surface.triangles.len()).map(|t| self.surface.corners(t));
                let tree = TriangleTree::new(triangles.collect());
                match Winding::new(&tree).at(local) >= INSIDE {
                    true => local,
                    false => tree.nearest_point(local, 0).0,
                }
            }
        }
    }
}
