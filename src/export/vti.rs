//! A vector field on a regular grid as a VTK image (`.vti`), which ParaView opens.

use super::{AtomicFile, ExportError};
use glam::DVec3;
use std::io::Write;
use std::path::Path;

/// A vector at each point of a grid; x runs fastest, then y.
#[derive(Debug, Clone, PartialEq)]
pub struct VectorGrid<'a> {
    /// What the vectors are called.
    pub name: &'a str,
    /// Points along each axis.
    pub counts: [u32; 3],
    /// The first point [m].
    pub origin: DVec3,
    /// From point to point [m].
    pub spacing: DVec3,
    pub vectors: &'a [DVec3],
}

/// Writes a grid as text, with all digits of an f64.
pub fn write_vti(path: impl AsRef<Path>, grid: &VectorGrid<'_>) -> Result<(), ExportError> {
    let path = path.as_ref();
    let points: u64 = grid.counts.iter().map(|&n| u64::from(n)).product();
    if points != grid.vectors.len() as u64 {
        let message = format!("{} vectors for a grid of {points} points", grid.vectors.len());
        return Err(ExportError::content(path, message));
    }
    let [x, y, z] = grid.counts.map(|n| n.saturating_sub(1));
    let triple = |v: DVec3| format!("{:e} {:e} {:e}", v.x, v.y, v.z);
    let (origin, spacing, name) = (triple(grid.origin), triple(grid.spacing), grid.name);
    AtomicFile::write_with(path, |file| {
        writeln!(file, "<?xml version=\"1.0\"?>")?;
        writeln!(file, "<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\">")?;
        writeln!(
            file,
            "<ImageData WholeExtent=\"0 {x} 0 {y} 0 {z}\" Origin=\"{origin}\" Spacing=\"{spacing}\">"
        )?;
        writeln!(file, "<Piece Extent=\"0 {x} 0 {y} 0 {z}\"><PointData Vectors=\"{name}\">")?;
        writeln!(
            file,
            "<DataArray type=\"Float64\" Name=\"{name}\" NumberOfComponents=\"3\" format=\"ascii\">"
        )?;
        for &vector in grid.vectors {
            writeln!(file, "{}", triple(vector))?;
        }
        writeln!(file, "</DataArray>\n</PointData></Piece>\n</ImageData>\n</VTKFile>")
    })
}
