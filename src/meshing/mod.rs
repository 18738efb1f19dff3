//! From any surface to a solid: tetrahedra, their files, and how well shaped they are.
//!
//! [`fill()`] makes a mesh of a triangle soup: [`soup`] welds and turns it, [`voxels`] and [`distance`] sample it, [`winding`] or
//! [`votes`] tell inside from outside, [`carve`] cuts the [`lattice`], and [`fit`] smooths it and lays it against the surface.
//! [`tet_file`] reads and writes Gmsh and TetGen meshes.

pub mod carve;
pub mod distance;
pub mod distance_field;
pub mod embed;
mod fill;
pub mod fit;
pub mod generate;
pub mod hull;
pub mod isosurface;
pub mod lattice;
pub mod mass;
mod obj;
mod patches;
pub mod quality;
pub mod shapes;
pub mod solid;
pub mod soup;
pub mod tet_file;
mod tet_groups;
pub mod tet_mesh;
pub mod triangle_mesh;
pub mod triangle_tree;
pub mod votes;
pub mod voxels;
mod wall;
pub mod winding;

pub use carve::Keep;
pub use embed::Embedding;
pub use fill::{FillOptions, FillReport, Filled, MOST_CELLS, Stage, fill};
pub use mass::MassProperties;
pub use obj::write_obj;
pub use patches::patches;
pub use quality::Quality;
pub use shapes::Shape;
pub use solid::Inside;
pub use wall::{Wall, WallError};

use crate::meshing::tet_mesh::TetMeshError;

/// Why a surface cannot be filled.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum MeshingError {
    #[error("the surface has no triangle with an area; give a surface")]
    Empty,
    #[error(
        "a triangle names vertex {vertex}, but there are {count} vertices (counted from 0); correct the index"
    )]
    Vertex { vertex: u32, count: usize },
    #[error("vertex {vertex} is not finite; correct it")]
    NotFinite { vertex: usize },
    #[error("resolution {resolution} is not within 1 to {MOST_CELLS} cells")]
    Resolution { resolution: u32 },
    #[error("a fill of {fill} is not within 0 to 1")]
    Fill { fill: f64 },
    #[error("the surface is {size:e} m large, not within 1e-12 m to 1e12 m; scale it to metres")]
    Size { size: f64 },
    #[error("{count} {what}; the limit is {limit}: lower the resolution")]
    TooLarge { what: &'static str, count: u64, limit: u64 },
    #[error(
        "the triangles cover {effort:.1e} voxels, one over the other; lower the resolution or remove doubled triangles"
    )]
    Effort { effort: f64 },
    #[error(
        "the surface encloses nothing that its voxels show; close it, give it thickness, or raise the resolution"
    )]
    NoInside,
    #[error("what the surface encloses is thinner than a cell of {cell:.3e} m; raise the resolution")]
    TooThin { cell: f64 },
    #[error("the mesh came out unsound: {0}; another resolution may help")]
    Unsound(TetMeshError),
}
