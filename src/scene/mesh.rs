//! Triangle meshes.

use glam::DVec3;

/// A triangle mesh: particles of a sheet, or the surface of a collider.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TriangleMesh {
    /// Vertices [m].
    pub positions: Vec<DVec3>,
    /// Vertices of each triangle, counter-clockwise seen from the front.
    pub triangles: Vec<[u32; 3]>,
    /// One pair per vertex, if the file had them.
    pub texture_coordinates: Option<Vec<[f64; 2]>>,
}
