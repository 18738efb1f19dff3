//! Surfaces out, as Wavefront OBJ.

use std::io::Write;
use std::path::Path;

use crate::export::{AtomicFile, ExportError};
use crate::meshing::triangle_mesh::TriangleMesh;

/// Writes vertices and triangles; coordinates have the digits that give the same f64 back.
pub fn write_obj(mesh: &TriangleMesh, path: &Path) -> Result<(), ExportError> {
    AtomicFile::write_with(path, |f| {
        for x in &mesh.positions {
            writeln!(f, "v {} {} {}", x.x, x.y, x.z)?;
        }
        for triangle in &mesh.triangles {
            let [a, b, c] = triangle.map(|v| v + 1);
            writeln!(f, "f {a} {b} {c}")?;
        }
        Ok(())
    })
}
