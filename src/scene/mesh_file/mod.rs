//! Mesh files: OBJ, PLY and STL.
//!
//! Never trust a file: its size is checked before it is read, and every count in it before memory is taken.

mod obj;
mod ply;
mod stl;

use std::path::{Path, PathBuf};

use crate::limits;
use crate::meshing::triangle_mesh::{MeshError, TriangleMesh};

/// A mesh file that was refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("mesh file `{}`: {error}", file.display())]
pub struct MeshFileError {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it.
    #[source]
    pub error: MeshError,
}

/// The kinds of mesh file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeshFileKind {
    /// Wavefront OBJ.
    Obj,
    /// Stanford PLY, text or binary.
    Ply,
    /// STL, text or binary; equal vertices are welded.
    Stl,
}

/// Reads a mesh file of the kind its name ends in. The mesh has passed [`TriangleMesh::check`].
pub fn read(path: &Path) -> Result<TriangleMesh, MeshFileError> {
    let checked = |mesh: TriangleMesh| mesh.check().map(|()| mesh);
    load(path).and_then(checked).map_err(|error| MeshFileError { file: path.to_owned(), error })
}

/// Reads a mesh file as a triangle soup: it has passed [`TriangleMesh::check_soup`] only.
pub fn read_soup(path: &Path) -> Result<TriangleMesh, MeshFileError> {
    let checked = |mesh: TriangleMesh| mesh.check_soup().map(|()| mesh);
    load(path).and_then(checked).map_err(|error| MeshFileError { file: path.to_owned(), error })
}

fn load(path: &Path) -> Result<TriangleMesh, MeshError> {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    let kind = match extension.to_ascii_lowercase().as_str() {
        "obj" => MeshFileKind::Obj,
        "ply" => MeshFileKind::Ply,
        "stl" => MeshFileKind::Stl,
        _ => return Err(MeshError::UnknownKind),
    };
    let bytes = referred(path).map_err(MeshError::Unreadable)?;
    parse_unchecked(&bytes, kind)
}

/// Reads a mesh from the bytes of a file. The mesh has passed [`TriangleMesh::check`].
pub fn parse(bytes: &[u8], kind: MeshFileKind) -> Result<TriangleMesh, MeshError> {
    let mesh = parse_unchecked(bytes, kind)?;
    mesh.check()?;
    Ok(mesh)
}

fn parse_unchecked(bytes: &[u8], kind: MeshFileKind) -> Result<TriangleMesh, MeshError> {
    match kind {
        MeshFileKind::Obj => obj::parse(bytes),
        MeshFileKind::Ply => ply::parse(bytes),
        MeshFileKind::Stl => stl::parse(bytes),
    }
}

/// The contents of a mesh or graph that a scene refers to. A scene that comes with the program has no folder beside it to
/// look in, and its files come along.
pub(crate) fn referred(path: &Path) -> Result<Vec<u8>, String> {
    let built_in = crate::scenes::file(path).filter(|_| !path.exists());
    built_in.map_or_else(|| limits::bounded(path, limits::MESH_BYTES), |text| Ok(text.into()))
}

fn malformed(line: Option<usize>, message: impl Into<String>) -> MeshError {
    MeshError::Malformed { line, message: message.into() }
}

fn check_count(what: &'static str, count: u64, limit: u64) -> Result<(), MeshError> {
    if count > limit {
        return Err(MeshError::TooLarge { what, count, limit });
    }
    Ok(())
}

/// Splits a convex polygon into a fan of triangles around its first corner.
fn add_polygon(mesh: &mut TriangleMesh, corners: &[u32], line: Option<usize>) -> Result<(), MeshError> {
    if corners.len() < 3 {
        return Err(malformed(line, format!("a face has {} corners", corners.len())));
    }
    check_count("corners of one face", corners.len() as u64, limits::POLYGON_CORNERS as u64)?;
    let count = mesh.triangles.len() + corners.len() - 2;
    check_count("triangles", count as u64, limits::TRIANGLES)?;
    mesh.triangles.extend(fan(corners));
    Ok(())
}

/// The triangles of a polygon, from something at each of its corners.
fn fan<T: Copy>(corners: &[T]) -> impl Iterator<Item = [T; 3]> + '_ {
    corners[1..].windows(2).map(|pair| [corners[0], pair[0], pair[1]])
}
