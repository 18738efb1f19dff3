//! Soft solids of tetrahedra.

use super::clusters::Clusters;
use super::pin::{Pin, Selector};
use crate::meshing::Shape;
use crate::meshing::tet_mesh::TetMesh;
use glam::DVec3;
use std::path::PathBuf;

/// A soft solid.
#[derive(Debug, Clone, PartialEq)]
pub struct Solid {
    /// Unique over all bodies and colliders; if empty, the body is called `solid 1`, `solid 2`, …
    pub name: String,
    /// The body at rest, in its local frame.
    pub shape: SolidShape,
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
    /// How the body is deformed when it starts.
    pub start: SolidStart,
    /// E, ν and ρ.
    pub material: SolidMaterial,
    /// The law of its tetrahedra.
    pub model: SolidModel,
    /// Shape matching in place of the tetrahedra's law.
    pub clusters: Option<Clusters>,
    /// What an inverted tetrahedron does.
    pub inversion: Inversion,
    /// What keeps areas and volumes of a body of springs.
    pub penalty: SpringPenalty,
    /// What slows its deformation down.
    pub damping: SolidDamping,
    /// Distance that contacts keep, from one surface to the other [m].
    pub thickness: f64,
    /// Coulomb friction coefficient.
    pub friction: f64,
    /// sRGB, 0 to 1; by default from [`super::PALETTE`].
    pub colour: Option<[f64; 3]>,
    /// What holds the body.
    pub pin: Vec<Pin>,
    /// What pulls at it.
    pub load: Vec<Load>,
}

impl Default for Solid {
    fn default() -> Self {
        Self {
            name: String::new(),
            shape: SolidShape::default(),
            position: DVec3::ZERO,
            rotation: DVec3::ZERO,
            scale: 1.0,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            start: SolidStart::default(),
            material: SolidMaterial::default(),
            model: SolidModel::default(),
            clusters: None,
            inversion: Inversion::default(),
            penalty: SpringPenalty::default(),
            damping: SolidDamping::default(),
            thickness: 0.001,
            friction: 0.3,
            colour: None,
            pin: Vec::new(),
            load: Vec::new(),
        }
    }
}

/// The shape of a solid at rest, in its local frame.
#[derive(Debug, Clone, PartialEq)]
pub enum SolidShape {
    /// A box around the origin.
    Box {
        /// Extent along x, y and z [m].
        size: DVec3,
        /// Cells along x, y and z, of five tetrahedra each.
        cells: [u32; 3],
    },
    /// A file of tetrahedra: Gmsh (`.msh`) or TetGen (`.node`, `.ele`).
    File {
        /// The file.
        file: PathBuf,
    },
    /// A surface from a file, filled with tetrahedra; it goes where they go.
    Surface {
        /// An OBJ, PLY or STL file; holes and flipped triangles are allowed.
        file: PathBuf,
        /// Cells of the lattice along the longest side.
        resolution: u32,
    },
    /// A built-in shape, filled with tetrahedra; its surface goes where they go.
    Filled {
        /// The shape.
        shape: Shape,
        /// Cells of the lattice along the longest side.
        resolution: u32,
    },
    /// A mesh made in code; the file format has no key for it.
    Tets(TetMesh),
}

impl Default for SolidShape {
    /// The reference block: a cubic metre of 4³ cells.
    fn default() -> Self {
        Self::Box { size: DVec3::ONE, cells: [4; 3] }
    }
}

/// How a body is deformed when it starts, in its local frame and about the middle of its bounds; it is then let go.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolidStart {
    /// Factors along x, y and z: 0 flattens, −1 mirrors.
    pub stretch: DVec3,
    /// Turn about x of one end against the other, growing evenly along x [degrees].
    pub twist: f64,
    /// Puts every vertex at a random place within the bounds.
    pub scatter: bool,
}

impl Default for SolidStart {
    fn default() -> Self {
        Self { stretch: DVec3::ONE, twist: 0.0, scatter: false }
    }
}

/// A force on some vertices of a solid, which stays the same however the body moves.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Load {
    /// Which vertices.
    pub selector: Selector,
    /// The sum over all of them [N]. Vertices share it by the area of the surface triangles between them, as an even
    /// traction; equally if there are none.
    pub force: DVec3,
}

/// What a solid is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolidMaterial {
    /// E [Pa].
    pub youngs_modulus: f64,
    /// ν, at least 0 and below 0.5.
    pub poisson_ratio: f64,
    /// ρ [kg/m³].
    pub density: f64,
}

impl Default for SolidMaterial {
    /// Soft foam rubber.
    fn default() -> Self {
        Self { youngs_modulus: 1e5, poisson_ratio: 0.3, density: 1000.0 }
    }
}

impl SolidMaterial {
    /// Lamé's λ and μ [Pa].
    pub fn lame(&self) -> [f64; 2] {
        let Self { youngs_modulus: e, poisson_ratio: nu, .. } = *self;
        [e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)), e / (2.0 * (1.0 + nu))]
    }
}

/// What slows a solid's deformation down.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SolidDamping {
    /// Rayleigh's damping of the mass: all motion [1/s].
    pub mass: f64,
    /// Rayleigh's damping of the stiffness: the rate of strain, as a time [s].
    pub stiffness: f64,
    /// Friction of every vertex with the world [kg/s].
    pub point: f64,
    /// Dampers along the edges.
    pub spring: Option<SpringDamping>,
    /// Towards the motion of the whole body.
    pub global: Option<ClusterDamping>,
    /// In every tetrahedron towards its own motion.
    pub local: Option<ClusterDamping>,
}

impl SolidDamping {
    /// Whether it acts on velocities rather than by forces.
    pub fn has_velocities(&self) -> bool {
        self.point > 0.0 || self.spring.is_some() || self.global.is_some() || self.local.is_some()
    }
}

/// Dampers along the edges of a solid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpringDamping {
    /// Force per difference of velocity [kg/s].
    pub coefficient: f64,
    /// How often in a substep.
    pub sweeps: u32,
    /// Only along the edge, which keeps angular momentum.
    pub projected: bool,
}

impl Default for SpringDamping {
    fn default() -> Self {
        Self { coefficient: 0.0, sweeps: 1, projected: true }
    }
}

/// Damping of velocities towards those of a cluster as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ClusterDamping {
    /// [1/s]; infinite stops everything in one substep.
    pub rate: f64,
    /// What keeps the spin.
    pub torque: Torque,
}

impl ClusterDamping {
    /// The share of the velocities that a substep takes away.
    pub fn share(&self, dt: f64) -> f64 {
        1.0 - (-self.rate * dt).exp()
    }
}

/// How damping spares the spin of a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Torque {
    /// Not at all.
    Lost,
    /// Along edges only (global damping).
    Edges,
    /// Towards the centre of mass only.
    Centre,
    /// By the least couples along the axes that keep it.
    Couples,
    /// All but rigid motion.
    #[default]
    Rigid,
}

impl Torque {
    /// Every way with its name in a scene file.
    pub const NAMES: [(&'static str, Self); 5] = [
        ("lost", Self::Lost),
        ("edges", Self::Edges),
        ("centre", Self::Centre),
        ("couples", Self::Couples),
        ("rigid", Self::Rigid),
    ];
}

/// The law of a solid's tetrahedra.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SolidModel {
    /// Infinitesimal strain: for small rotations, and the fastest.
    Linear,
    /// Infinitesimal strain in the frame of each tetrahedron's own rotation.
    #[default]
    Corotational,
    /// Stable neo-Hookean (Smith, de Goes, Kim 2018).
    NeoHookean,
    /// Springs along the edges, with penalties of areas and volumes: a baseline, whose moduli depend on the mesh.
    Springs,
    /// XPBD with one constraint for volume and one for shape (Macklin, Müller 2021).
    Position,
    /// XPBD with constraints on stretches and shears of the deformation gradient's columns, and on volume.
    Strain,
}

impl SolidModel {
    /// Every model with its name in a scene file.
    pub const NAMES: [(&'static str, Self); 6] = [
        ("linear", Self::Linear),
        ("corotational", Self::Corotational),
        ("neo_hookean", Self::NeoHookean),
        ("springs", Self::Springs),
        ("position", Self::Position),
        ("strain", Self::Strain),
    ];

    /// Whether its tetrahedra are forces for an integrator; the others are constraints.
    pub fn has_forces(self) -> bool {
        matches!(self, Self::Linear | Self::Corotational | Self::NeoHookean | Self::Springs)
    }
}

/// Penalties of [`SolidModel::Springs`], as energy per volume for a change by its own size.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SpringPenalty {
    /// Of the faces' areas [Pa].
    pub area: f64,
    /// Of the volume [Pa]; by default what gives the body its Poisson ratio.
    pub volume: Option<f64>,
}

/// Which of the three stretches of an inverted co-rotational tetrahedron is taken as the negative one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Inversion {
    /// That along which one of the vertices has the shortest way back through its opposite face; the vertex is remembered
    /// until the tetrahedron is upright.
    #[default]
    Travel,
    /// As `Travel`, without memory.
    Forgetful,
    /// The smallest.
    Smallest,
    /// The largest: how not to do it.
    Largest,
    /// None: the rotation becomes a reflection, which sees nothing wrong with an inverted tetrahedron.
    Ignore,
}

impl Inversion {
    /// Every strategy with its name in a scene file.
    pub const NAMES: [(&'static str, Self); 5] = [
        ("travel", Self::Travel),
        ("forgetful", Self::Forgetful),
        ("smallest", Self::Smallest),
        ("largest", Self::Largest),
        ("ignore", Self::Ignore),
    ];
}
