//! From a surface to a mesh: voxels, inside and outside, lattice, smoothing, fitting.

use crate::export::si;
use std::fmt;

use glam::{DVec3, UVec3};
use serde::Serialize;

use super::MeshingError;
use super::carve::{Keep, carve};
use super::fit::Fit;
use super::lattice::Lattice;
use super::quality::Quality;
use super::solid::{Inside, Solid};
use super::soup::Soup;
use crate::meshing::tet_mesh::TetMesh;
use crate::meshing::triangle_mesh::TriangleMesh;

/// Most cells along the longest side.
pub const MOST_CELLS: u32 = 256;
/// Voxels along the edge of a cell, if memory allows.
const VOXELS_PER_CELL: u32 = 4;
/// Fewest voxels along the longest side: a coarse mesh of a fine surface needs them too.
const FEWEST_VOXELS: u32 = 64;
/// Voxels for which a cell gets its full share of them.
const GOOD_VOXELS: f64 = (1u64 << 25) as f64;

/// How to fill a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FillOptions {
    /// Cells of the lattice along the longest side of the surface.
    pub resolution: u32,
    /// How to tell inside from outside.
    pub inside: Inside,
    /// The share of its voxels that must be inside for a tetrahedron to stay.
    pub fill: f64,
    /// Rounds of smoothing.
    pub smoothing: u32,
    /// Rounds of fitting the boundary to the surface.
    pub fitting: u32,
    /// Which parts to keep.
    pub keep: Keep,
    /// Where the lattice lies, in cells, from where the surface's box would put it.
    pub shift: DVec3,
}

impl Default for FillOptions {
    fn default() -> Self {
        Self {
            resolution: 32,
            inside: Inside::Auto,
            fill: 0.5,
            smoothing: 2,
            fitting: 20,
            keep: Keep::Largest,
            shift: DVec3::ZERO,
        }
    }
}

/// What is being done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    Soup,
    Voxels,
    Lattice,
    Smoothing,
    Fitting,
    Quality,
}

impl Stage {
    /// All, in order.
    pub const ALL: [Self; 6] =
        [Self::Soup, Self::Voxels, Self::Lattice, Self::Smoothing, Self::Fitting, Self::Quality];

    /// What to show.
    pub fn name(self) -> &'static str {
        match self {
            Self::Soup => "welding the surface",
            Self::Voxels => "telling inside from outside",
            Self::Lattice => "carving the lattice",
            Self::Smoothing => "smoothing",
            Self::Fitting => "fitting to the surface",
            Self::Quality => "measuring",
        }
    }
}

/// A mesh and how it came about.
#[derive(Debug, Clone, PartialEq)]
pub struct Filled {
    pub mesh: TetMesh,
    pub report: FillReport,
}

/// How a mesh came about.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FillReport {
    /// Triangles of the surface that have an area.
    pub triangles: usize,
    /// Triangles without area, which were left out.
    pub triangles_dropped: usize,
    /// Triangles that faced against their neighbours.
    pub triangles_turned: usize,
    /// The share of the surface's edges, by length, that are closed.
    pub closed: f64,
    /// How inside and outside were told apart.
    pub inside: Inside,
    /// Voxels along each axis.
    pub voxels: [u32; 3],
    /// Cells of the lattice along each axis.
    pub cells: [u32; 3],
    /// The edge of a cell [m].
    pub cell: f64,
    /// Tetrahedra dropped because they hung together with the rest by less than a face.
    pub tets_dropped: usize,
    /// Volume that the surface encloses if it is closed, otherwise that of the voxels inside [m³].
    pub volume_wanted: f64,
    /// The volume of the mesh over that, less one.
    pub volume_error: f64,
    /// Root mean square distance of the boundary's vertices from the surface, over the edge of a cell.
    pub distance: f64,
    pub quality: Quality,
}

/// Fills a surface with tetrahedra. `progress` hears what is done and which part of it, 0 to 1.
///
/// The mesh has passed [`TetMesh::check`]. What is thinner than a cell may be lost.
pub fn fill(
    surface: &TriangleMesh,
    options: &FillOptions,
    progress: &(dyn Fn(Stage, f64) + Sync),
) -> Result<Filled, MeshingError> {
    check(surface, options)?;
    progress(Stage::Soup, 0.0);
    let soup = Soup::new(surface);
    progress(Stage::Voxels, 0.0);
    let solid = Solid::new(&soup, voxels_along(&soup, options.resolution), options.inside)?;
    progress(Stage::Lattice, 0.0);
    let lattice = lattice(&soup, options);
    let carved = carve(&lattice, &solid, options.fill, options.keep)?;
    let tets_dropped = carved.dropped;
    let mut fit = Fit::new(carved);
    for round in 0..options.smoothing {
        progress(Stage::Smoothing, f64::from(round) / f64::from(options.smoothing));
        fit.smooth();
    }
    for round in 0..options.fitting {
        progress(Stage::Fitting, f64::from(round) / f64::from(options.fitting));
        fit.fit(&solid);
    }
    progress(Stage::Quality, 0.0);
    let distance = fit.distance(&solid) / lattice.cell.x;
    let mesh = fit.mesh;
    mesh.check().map_err(MeshingError::Unsound)?;
    let quality = Quality::of(&mesh);
    let volume_wanted = if soup.closed == 1.0 { soup.volume() } else { solid.volume() };
    let report = FillReport {
        triangles: soup.triangles.len(),
        triangles_dropped: soup.dropped,
        triangles_turned: soup.turned,
        closed: soup.closed,
        inside: solid.method,
        voxels: solid.grid.size.to_array(),
        cells: lattice.cells.to_array(),
        cell: lattice.cell.x,
        tets_dropped,
        volume_wanted,
        volume_error: quality.volume / volume_wanted - 1.0,
        distance,
        quality,
    };
    progress(Stage::Quality, 1.0);
    Ok(Filled { mesh, report })
}

fn check(surface: &TriangleMesh, options: &FillOptions) -> Result<(), MeshingError> {
    if !(1..=MOST_CELLS).contains(&options.resolution) {
        return Err(MeshingError::Resolution { resolution: options.resolution });
    }
    if !(0.0..=1.0).contains(&options.fill) {
        return Err(MeshingError::Fill { fill: options.fill });
    }
    let count = surface.positions.len();
    let bad = surface.triangles.iter().flatten().find(|&&v| v as usize >= count);
    if let Some(&vertex) = bad {
        return Err(MeshingError::Vertex { vertex, count });
    }
    if let Some(vertex) = surface.positions.iter().position(|x| !x.is_finite()) {
        return Err(MeshingError::NotFinite { vertex });
    }
    Ok(())
}

/// As many voxels as a cell should have, or as fit.
fn voxels_along(soup: &Soup, resolution: u32) -> u32 {
    let extent = soup.high - soup.low;
    let shape = extent / extent.max_element();
    // Votes need a margin of a third of the longest side on each side; the winding number needs next to none.
    let count = |along: u32| {
        let along = f64::from(along);
        (shape * along + 2.0 * along / 3.0).to_array().iter().product::<f64>()
    };
    let wanted = (VOXELS_PER_CELL * resolution).max(FEWEST_VOXELS);
    let fits = (1..=VOXELS_PER_CELL).rev().map(|v| v * resolution).find(|&along| count(along) <= GOOD_VOXELS);
    if count(wanted) <= GOOD_VOXELS { wanted } else { fits.unwrap_or(resolution) }
}

fn lattice(soup: &Soup, options: &FillOptions) -> Lattice {
    let extent = soup.high - soup.low;
    let cell = extent.max_element() / f64::from(options.resolution);
    /// Sides that are a whole number of cells but for rounding get no cell more.
    const SLACK: f64 = 1e-6;
    let shifted = UVec3::from(options.shift.to_array().map(|s| u32::from(s != 0.0)));
    let cells = (extent / cell - SLACK).ceil().as_uvec3().max(UVec3::ONE) + shifted;
    let middle = 0.5 * (soup.low + soup.high) + cell * options.shift.fract();
    Lattice { origin: middle - 0.5 * cell * cells.as_dvec3(), cell: DVec3::splat(cell), cells }
}

impl fmt::Display for FillReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let method = match self.inside {
            Inside::Votes => "votes of 13 directions",
            _ => "winding number",
        };
        writeln!(
            f,
            "surface: {} triangles ({} turned round, {} without area), {:.1} % of its edges closed",
            self.triangles,
            self.triangles_turned,
            self.triangles_dropped,
            100.0 * self.closed
        )?;
        let [vx, vy, vz] = self.voxels;
        let [cx, cy, cz] = self.cells;
        writeln!(
            f,
            "inside by {method} on {vx} x {vy} x {vz} voxels; lattice of {cx} x {cy} x {cz} cells of {}",
            si(self.cell, "m")
        )?;
        writeln!(
            f,
            "volume {:+.2} % of what is enclosed; boundary {:.3} cells from the surface; {} loose tetrahedra dropped",
            100.0 * self.volume_error,
            self.distance,
            self.tets_dropped
        )?;
        write!(f, "{}", self.quality)
    }
}
