//! Colliders: obstacles that move only as they are told.

use std::path::PathBuf;

use glam::DVec3;

use super::bodies::label;
use super::motion::{Keyframe, rotation};
use crate::meshing::triangle_mesh::TriangleMesh;

/// An obstacle.
#[derive(Debug, Clone, PartialEq)]
pub struct Collider {
    /// Unique over all bodies and colliders; if empty, it is called `collider 1`, `collider 2`, …
    pub name: String,
    /// The solid, in its local frame.
    pub shape: ColliderShape,
    /// Where the local origin is [m].
    pub position: DVec3,
    /// Rotation about x, then y, then z [degrees].
    pub rotation: DVec3,
    /// Coulomb friction coefficient.
    pub friction: f64,
    /// sRGB, 0 to 1; by default a neutral grey.
    pub colour: Option<[f64; 3]>,
    /// Where the collider goes; empty keeps it still. See [`super::motion`].
    pub motion: Vec<Keyframe>,
    /// Centre of the motion's rotation [m]; by default `position`.
    pub pivot: Option<DVec3>,
}

impl Default for Collider {
    fn default() -> Self {
        Self {
            name: String::new(),
            shape: ColliderShape::default(),
            position: DVec3::ZERO,
            rotation: DVec3::ZERO,
            friction: 0.3,
            colour: None,
            motion: Vec::new(),
            pivot: None,
        }
    }
}

impl Collider {
    /// The name, or `collider n` for the unnamed collider at `index` of the scene's list.
    pub fn label(&self, index: usize) -> String {
        label(&self.name, "collider", index)
    }

    /// Centre of the motion's rotation with its default applied [m].
    pub fn pivot(&self) -> DVec3 {
        self.pivot.unwrap_or(self.position)
    }

    /// The height of a plane that lies level, faces up and does not move [m].
    pub fn level(&self) -> Option<f64> {
        /// How far the normal's y may be from 1.
        const LEVEL: f64 = 1e-9;
        let ColliderShape::Plane { normal, offset } = self.shape else { return None };
        let up = rotation(self.rotation) * normal.normalize();
        (self.motion.is_empty() && up.y > 1.0 - LEVEL).then_some(self.position.y + offset)
    }
}

/// The solid of a collider, in its local frame.
#[derive(Debug, Clone, PartialEq)]
pub enum ColliderShape {
    /// The half-space normal · x ≤ offset.
    Plane {
        /// Outward direction; any length but zero.
        normal: DVec3,
        /// Signed distance from the local origin along the unit normal [m].
        offset: f64,
    },
    /// A ball around the origin.
    Sphere {
        /// Radius [m].
        radius: f64,
    },
    /// A cuboid around the origin.
    Box {
        /// Edge lengths [m].
        size: DVec3,
    },
    /// A capsule around the origin, along y.
    Capsule {
        /// Radius [m].
        radius: f64,
        /// Distance between the centres of the two caps [m].
        length: f64,
    },
    /// A closed mesh file: `.obj`, `.ply` or `.stl`.
    Mesh {
        /// The file; a scene file's relative paths have been resolved against its folder.
        file: PathBuf,
        /// Size factor of the file's units, 0.001 for millimetres.
        scale: f64,
        /// Cells of the distance field along the longest side.
        resolution: u32,
    },
    /// A closed mesh made in code; the file format has no key for it.
    Triangles {
        /// The surface, wound counter-clockwise seen from outside.
        mesh: TriangleMesh,
        /// Cells of the distance field along the longest side.
        resolution: u32,
    },
}

impl ColliderShape {
    /// Nodes of the distance field along its longest side, of meshes.
    pub(super) fn resolution(&self) -> Option<u32> {
        match self {
            Self::Mesh { resolution, .. } | Self::Triangles { resolution, .. } => Some(*resolution),
            Self::Plane { .. } | Self::Sphere { .. } | Self::Box { .. } | Self::Capsule { .. } => None,
        }
    }
}

impl Default for ColliderShape {
    /// A floor.
    fn default() -> Self {
        Self::Plane { normal: DVec3::Y, offset: 0.0 }
    }
}
