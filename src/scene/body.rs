//! Bodies: cloth, and particles with explicit links.

use std::path::PathBuf;

use glam::DVec3;

use super::clusters::Clusters;
use super::fabric::{ClothModel, Fabric};
use super::pin::Pin;
use crate::meshing::triangle_mesh::TriangleMesh;

/// A sheet of cloth.
#[derive(Debug, Clone, PartialEq)]
pub struct Cloth {
    /// Unique over all bodies and colliders; if empty, the body is called `cloth 1`, `cloth 2`, …
    pub name: String,
    /// The sheet at rest, in its local frame.
    pub shape: ClothShape,
    /// Where the local origin is [m].
    pub position: DVec3,
    /// Rotation about x, then y, then z [degrees].
    pub rotation: DVec3,
    /// Size factor of the shape, at rest too.
    pub scale: f64,
    /// Initial velocity [m/s].
    pub velocity: DVec3,
    /// Initial angular velocity about the centre of mass [rad/s].
    pub spin: DVec3,
    /// Mass per area [kg/m²].
    pub density: f64,
    /// Distance that contacts keep [m].
    pub thickness: f64,
    /// sRGB, 0 to 1; by default from [`super::PALETTE`].
    pub colour: Option<[f64; 3]>,
    /// What resists stretching and shearing: the stiffnesses below, or the fabric.
    pub model: ClothModel,
    /// The law of [`ClothModel::Green`].
    pub fabric: Fabric,
    /// Metres per unit of the texture coordinates of a mesh that was cut flat as they lie; without, a mesh is at rest as
    /// it is.
    pub pattern: Option<f64>,
    /// How far the inner vertices of a grid or disc are moved at rest, over their shortest edge; 0 to 0.3.
    pub irregular: f64,
    /// Membrane stiffness in tension [N/m]; infinite is inextensible.
    pub stretch_stiffness: f64,
    /// Membrane stiffness in compression [N/m]; by default that of tension.
    pub compression_stiffness: Option<f64>,
    /// Membrane shear stiffness [N/m].
    pub shear_stiffness: f64,
    /// Which bending law.
    pub bending: Bending,
    /// Bending stiffness [N·m]; for [`Bending::Distance`] [N/m].
    pub bending_stiffness: f64,
    /// Resistance of each triangle's area: energy k (A − A₀)² / (2 A₀), k in [N/m]; 0 is off.
    pub area_stiffness: f64,
    /// Long-range tethers to the pins.
    pub tethers: Option<Tethers>,
    /// Whether a grid is pulled together by nets of every second, fourth, … thread before its links are solved.
    pub coarse_links: bool,
    /// Aerodynamic drag coefficient.
    pub drag: f64,
    /// Aerodynamic lift coefficient.
    pub lift: f64,
    /// Coulomb friction coefficient.
    pub friction: f64,
    /// What holds the sheet.
    pub pin: Vec<Pin>,
}

impl Default for Cloth {
    fn default() -> Self {
        Self {
            name: String::new(),
            shape: ClothShape::default(),
            position: DVec3::ZERO,
            rotation: DVec3::ZERO,
            scale: 1.0,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            density: 0.2,
            thickness: 0.001,
            colour: None,
            model: ClothModel::default(),
            fabric: Fabric::default(),
            pattern: None,
            irregular: 0.0,
            stretch_stiffness: 1000.0,
            compression_stiffness: None,
            shear_stiffness: 100.0,
            bending: Bending::Dihedral,
            bending_stiffness: 1e-4,
            area_stiffness: 0.0,
            tethers: None,
            coarse_links: false,
            drag: 1.0,
            lift: 0.5,
            friction: 0.3,
            pin: Vec::new(),
        }
    }
}

impl Cloth {
    /// Membrane stiffness in compression with its default applied [N/m].
    pub fn compression(&self) -> f64 {
        self.compression_stiffness.unwrap_or(self.stretch_stiffness)
    }
}

/// The shape of a sheet at rest, in its local frame.
#[derive(Debug, Clone, PartialEq)]
pub enum ClothShape {
    /// A rectangle in the xy-plane around the origin: weft along x, warp along y.
    Grid {
        /// Extent along x and y [m].
        size: [f64; 2],
        /// Cells along x and y; one more particle than cells each way.
        cells: [u32; 2],
    },
    /// A disc in the xy-plane around the origin.
    Disc {
        /// Radius [m].
        radius: f64,
        /// Rings of particles around the middle one.
        rings: u32,
    },
    /// Two rectangles in the xy-plane that share their edges: flat, with nothing inside yet.
    Cushion {
        /// Extent along x and y [m].
        size: [f64; 2],
        /// Cells along x and y of either sheet.
        cells: [u32; 2],
    },
    /// A closed sphere around the origin.
    Sphere {
        /// [m].
        radius: f64,
        /// How often each triangle of an icosahedron is cut into four.
        level: u32,
    },
    /// A mesh file: `.obj`, `.ply` or `.stl`.
    Mesh {
        /// The file; a scene file's relative paths have been resolved against its folder.
        file: PathBuf,
        /// Size factor of the file's units, 0.001 for millimetres.
        scale: f64,
    },
    /// A mesh made in code; the file format has no key for it.
    Triangles(TriangleMesh),
}

impl Default for ClothShape {
    /// One square metre in 20 × 20 cells.
    fn default() -> Self {
        Self::Grid { size: [1.0, 1.0], cells: [20, 20] }
    }
}

/// Which law resists bending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Bending {
    /// Quadratic energy of the mean curvature, for sheets that stretch little.
    Isometric,
    /// The angle between adjacent triangles.
    #[default]
    Dihedral,
    /// Distance links across two cells or two triangles.
    Distance,
    /// No resistance.
    None,
}

/// Long-range tethers: no particle gets further from a pin than the sheet allows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tethers {
    /// Largest distance as a multiple of the distance along the sheet at rest.
    pub slack: f64,
    /// Which pins they lead to.
    pub to: TetheredTo,
}

impl Default for Tethers {
    fn default() -> Self {
        Self { slack: 1.0, to: TetheredTo::default() }
    }
}

/// Which pins tethers lead to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TetheredTo {
    /// The nearest pinned particle.
    #[default]
    Nearest,
    /// The nearest of every group of pinned particles that hang together.
    Every,
}

/// Particles with explicit links, triangles and tetrahedra: chains, pendulums, teaching.
#[derive(Debug, Clone, PartialEq)]
pub struct Points {
    /// Unique over all bodies and colliders; if empty, the body is called `points 1`, `points 2`, …
    pub name: String,
    /// The particles and what joins them, in the local frame.
    pub shape: PointsShape,
    /// Where the local origin is [m].
    pub position: DVec3,
    /// Rotation about x, then y, then z [degrees].
    pub rotation: DVec3,
    /// Size factor of the shape, at rest too.
    pub scale: f64,
    /// Initial velocity [m/s].
    pub velocity: DVec3,
    /// Initial angular velocity about the centre of mass [rad/s].
    pub spin: DVec3,
    /// sRGB, 0 to 1; by default from [`super::PALETTE`].
    pub colour: Option<[f64; 3]>,
    /// Radius of a particle for contact and drawing [m].
    pub radius: f64,
    /// Compliance of every link in tension [m/N]; 0 is rigid.
    pub compliance: f64,
    /// Compliance of every link in compression [m/N], by default that of tension; infinite makes a rope.
    pub compression_compliance: Option<f64>,
    /// Compliance of every triangle's area, C = A − A₀ [m²]: [m³/N].
    pub area_compliance: f64,
    /// Compliance of every tetrahedron's volume, C = V − V₀ [m³]: [m⁵/N].
    pub volume_compliance: f64,
    /// Shape matching.
    pub clusters: Option<Clusters>,
    /// Coulomb friction coefficient.
    pub friction: f64,
    /// What holds the particles.
    pub pin: Vec<Pin>,
}

impl Default for Points {
    fn default() -> Self {
        Self {
            name: String::new(),
            shape: PointsShape::default(),
            position: DVec3::ZERO,
            rotation: DVec3::ZERO,
            scale: 1.0,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            colour: None,
            radius: 0.01,
            compliance: 0.0,
            compression_compliance: None,
            area_compliance: 0.0,
            volume_compliance: 0.0,
            clusters: None,
            friction: 0.3,
            pin: Vec::new(),
        }
    }
}

impl Points {
    /// Compliance in compression with its default applied [m/N].
    pub fn compression(&self) -> f64 {
        self.compression_compliance.unwrap_or(self.compliance)
    }
}

/// The particles of a [`Points`] body, in its local frame.
#[derive(Debug, Clone, PartialEq)]
pub enum PointsShape {
    /// Equal links on a straight line.
    Chain {
        /// First particle [m].
        from: DVec3,
        /// Last particle [m].
        to: DVec3,
        /// Number of links; one more particle than links.
        links: u32,
        /// Mass of the whole chain, shared equally by the particles [kg].
        mass: f64,
    },
    /// Particles one by one.
    List {
        /// Positions [m].
        points: Vec<DVec3>,
        /// Masses of the particles [kg].
        masses: Masses,
        /// Pairs of particles that keep their distance.
        links: Vec<[u32; 2]>,
        /// Triples of particles that keep their area.
        triangles: Vec<[u32; 3]>,
        /// Quadruples of particles that keep their volume.
        tetrahedra: Vec<[u32; 4]>,
    },
}

impl Default for PointsShape {
    /// A chain of one metre, one kilogram and twenty links along x.
    fn default() -> Self {
        Self::Chain { from: DVec3::ZERO, to: DVec3::X, links: 20, mass: 1.0 }
    }
}

/// Masses of listed particles.
#[derive(Debug, Clone, PartialEq)]
pub enum Masses {
    /// Every particle has the same mass [kg].
    Each(f64),
    /// One mass per particle [kg].
    List(Vec<f64>),
}
