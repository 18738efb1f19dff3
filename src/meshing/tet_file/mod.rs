//! Files of tetrahedra: Gmsh `.msh` (2.2 and 4.1, ASCII) and TetGen `.node` with `.ele`. Hexahedra, prisms and pyramids of Gmsh are
//! split into tetrahedra.
//!
//! Physical groups of Gmsh, and regions and boundary markers of TetGen, become the named groups of the mesh. Never trust a
//! file: its size is checked before it is read, and every count in it before memory is taken. An error names the file,
//! the line and a cure.

mod gmsh;
mod gmsh_2;
mod gmsh_4;
mod gmsh_write;
mod lines;
mod split;
mod tetgen;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use glam::DVec3;

use crate::export::ExportError;
use crate::limits;
use crate::limits::bounded;
use crate::meshing::tet_mesh::{TetMesh, TetMeshError, volume};
use lines::Problem;

/// A file that was refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}{}: {problem}; {cure}", file.display(), line.map(|l| format!(":{l}")).unwrap_or_default())]
pub struct TetFileError {
    pub file: PathBuf,
    /// From 1, unless the whole file is meant.
    pub line: Option<usize>,
    pub problem: String,
    /// What would help.
    pub cure: String,
}

/// The kinds of file, with the version of the format to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TetFileKind {
    /// Gmsh 2.2, which most programs read.
    Gmsh2,
    /// Gmsh 4.1, which Gmsh writes.
    Gmsh4,
    /// TetGen: `.node` and `.ele`.
    Tetgen,
}

/// What to do about faults that have an obvious remedy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Faults {
    /// Refuse the mesh.
    #[default]
    Refuse,
    /// Turn inverted tetrahedra round, drop those without volume, and drop vertices that are in none.
    Repair,
}

impl TetFileKind {
    /// The kind that a name ends in; `.msh` counts as 4.1.
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "msh" => Some(Self::Gmsh4),
            "node" | "ele" => Some(Self::Tetgen),
            _ => None,
        }
    }
}

/// Reads a file of the kind its name ends in. The mesh has passed [`TetMesh::check`].
pub fn read(path: &Path, faults: Faults) -> Result<TetMesh, TetFileError> {
    match TetFileKind::of(path) {
        Some(TetFileKind::Tetgen) => {
            let [node, ele] = tetgen_paths(path);
            let nodes = text(&node)?;
            let mut raw = tetgen::nodes(&nodes).map_err(|p| at(&node, p))?;
            tetgen::elements(&text(&ele)?, &mut raw).map_err(|p| at(&ele, p))?;
            raw.finish(faults).map_err(|(part, p)| at(if part == Part::Vertex { &node } else { &ele }, p))
        }
        Some(_) => parse_gmsh(&text(path)?, faults).map_err(|p| at(path, p)),
        None => Err(at(
            path,
            Problem::new(
                None,
                "unknown kind of tetrahedral mesh",
                "use Gmsh (.msh) or TetGen (.node and .ele); \
                 `sinew mesh` makes tetrahedra of a surface (.obj, .ply, .stl)",
            ),
        )),
    }
}

fn parse_gmsh(text: &str, faults: Faults) -> Result<TetMesh, Problem> {
    gmsh::parse(text)?.finish(faults).map_err(|(_, problem)| problem)
}

/// Writes a mesh under its final name only when it is complete; TetGen's two files one after the other.
pub fn write(mesh: &TetMesh, path: &Path, kind: TetFileKind) -> Result<(), ExportError> {
    match kind {
        TetFileKind::Gmsh2 => gmsh_write::write_2(mesh, path),
        TetFileKind::Gmsh4 => gmsh_write::write_4(mesh, path),
        TetFileKind::Tetgen => tetgen::write(mesh, &tetgen_paths(path)),
    }
}

/// The two files of a TetGen mesh, whichever of them was named.
pub fn tetgen_paths(path: &Path) -> [PathBuf; 2] {
    [path.with_extension("node"), path.with_extension("ele")]
}

/// A name that may stand between quotation marks on one line.
fn quotable(name: &str) -> String {
    name.replace(['"', '\n', '\r'], "'")
}

fn at(file: &Path, Problem { line, problem, cure }: Problem) -> TetFileError {
    TetFileError { file: file.to_owned(), line, problem, cure }
}

fn text(path: &Path) -> Result<String, TetFileError> {
    let bytes = bounded(path, limits::TET_MESH_BYTES)
        .map_err(|problem| at(path, Problem::new(None, problem, "check the path and the file")))?;
    // Names may be in any encoding; the rest is ASCII or will be refused where it stands.
    Ok(match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    })
}

/// Which part of a mesh a problem is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Vertex,
    Tet,
}

/// A mesh as it was read, and where.
#[derive(Debug, Default)]
struct Raw {
    mesh: TetMesh,
    /// The line and the file's own number of each vertex.
    vertices: Vec<(u32, u64)>,
    /// The line and the file's own number of each tetrahedron.
    tets: Vec<(u32, u64)>,
    /// Which vertex a number of the file means.
    vertex_of: HashMap<u64, u32>,
}

impl Raw {
    fn add_vertex(&mut self, line: usize, number: u64, x: DVec3) -> Result<(), Problem> {
        let index = self.mesh.vertices.len() as u32;
        if let Some(other) = self.vertex_of.insert(number, index) {
            let first = self.vertices[other as usize].0;
            return Err(Problem::new(
                Some(line),
                format!("node {number} was already given in line {first}"),
                "number the nodes differently",
            ));
        }
        self.mesh.vertices.push(x);
        self.vertices.push((line as u32, number));
        Ok(())
    }

    fn vertex(&self, line: usize, number: u64) -> Result<u32, Problem> {
        self.vertex_of.get(&number).copied().ok_or_else(|| {
            let count = self.mesh.vertices.len();
            Problem::new(
                Some(line),
                format!("node {number} does not exist; the file gives {count} nodes"),
                "correct the number or export the mesh again",
            )
        })
    }

    fn add_tet(&mut self, line: usize, number: u64, corners: [u32; 4]) {
        self.mesh.tets.push(corners);
        self.tets.push((line as u32, number));
    }

    /// The mesh, checked; or what is wrong, with the line it stands in.
    fn finish(mut self, faults: Faults) -> Result<TetMesh, (Part, Problem)> {
        if faults == Faults::Repair {
            self.repair();
        }
        let Err(error) = self.mesh.check() else { return Ok(self.mesh) };
        let tet = |tet: usize| (Part::Tet, self.tets.get(tet));
        let (part, place) = match &error {
            TetMeshError::NotFinite { vertex } | TetMeshError::Unreferenced { vertex } => {
                (Part::Vertex, self.vertices.get(*vertex))
            }
            TetMeshError::OutOfRange { tet: t, .. }
            | TetMeshError::Repeated { tet: t, .. }
            | TetMeshError::Inverted { tet: t, .. }
            | TetMeshError::Flat { tet: t }
            | TetMeshError::CrowdedFace { tet: t } => tet(*t),
            TetMeshError::Empty | TetMeshError::Group { .. } => (Part::Tet, None),
        };
        let number = place.map(|&(_, number)| number).unwrap_or_default();
        // In the file's own numbers, which differ from ours.
        let problem = match &error {
            TetMeshError::Unreferenced { .. } => format!("node {number} belongs to no tetrahedron"),
            TetMeshError::Repeated { .. } => format!("tetrahedron {number} names a node twice"),
            TetMeshError::Inverted { volume, .. } => {
                format!("tetrahedron {number} is inverted: its volume is {volume:.3e} m³")
            }
            TetMeshError::Flat { .. } => format!("tetrahedron {number} has no volume"),
            TetMeshError::CrowdedFace { .. } => {
                format!("tetrahedron {number} is the third to share one of its faces")
            }
            other => other.to_string(),
        };
        let cure = match &error {
            TetMeshError::Empty => "mesh the volume, not only its surface",
            TetMeshError::CrowdedFace { .. } => "remove overlapping tetrahedra",
            TetMeshError::Inverted { .. }
            | TetMeshError::Flat { .. }
            | TetMeshError::Repeated { .. }
            | TetMeshError::Unreferenced { .. } => "`sinew mesh FILE --repair --out NEW` puts it right",
            _ => "export the mesh again",
        };
        Err((part, Problem::new(place.map(|&(line, _)| line as usize), problem, cure)))
    }

    fn repair(&mut self) {
        let mesh = &mut self.mesh;
        let loose: Vec<Vec<u32>> = mesh.groups.iter().map(|g| mesh.loose_vertices(g)).collect();
        let mut new_of_old = Vec::with_capacity(mesh.tets.len());
        let mut kept = Vec::with_capacity(mesh.tets.len());
        for tet in 0..mesh.tets.len() {
            if volume(mesh.corners(tet)) < 0.0 {
                mesh.tets[tet].swap(2, 3);
            }
            let whole = mesh.check_volume(tet).is_ok();
            new_of_old.push(whole.then_some(kept.len() as u32));
            if whole {
                kept.push(mesh.tets[tet]);
            }
        }
        let mut keep = new_of_old.iter();
        self.tets.retain(|_| keep.next().is_some_and(Option::is_some));
        mesh.tets = kept;
        // Vertices of tetrahedra that are gone go with them, unless they were named themselves.
        for (group, loose) in std::mem::take(&mut mesh.groups).into_iter().zip(loose) {
            let tets: Vec<u32> = group.tets.iter().filter_map(|&t| new_of_old[t as usize]).collect();
            mesh.add_to_group(&group.name, loose, tets);
        }
        mesh.drop_unused_vertices();
        // Lines of vertices no longer match; nothing is wrong with vertices after this.
        self.vertices.clear();
        mesh.groups.retain(|g| !(g.vertices.is_empty() && g.tets.is_empty()));
    }
}

#[cfg(test)]
mod tests;
