//! Nets: rods that share points. Rings, climbing nets, trees, trusses and chain mail.

mod build;
mod geometry;
mod graph;
mod graph_file;
mod shapes;

pub use geometry::{NetGeometry, NetHub, NetPair, NetSegment};
pub use graph::{Graph, GraphEdge, GraphJoint};
pub(super) use graph_file::read as read_graph;

use super::pin::Pin;
use super::rod::{AttachedWeight, RodMaterial};
use glam::DVec3;
use std::path::PathBuf;

/// A net of rods.
#[derive(Debug, Clone, PartialEq)]
pub struct Net {
    /// Unique over all bodies and colliders; if empty, the body is called `net 1`, `net 2`, …
    pub name: String,
    /// The centre lines at the start, in the local frame.
    pub shape: NetShape,
    /// Where the local origin is [m].
    pub position: DVec3,
    /// Rotation about x, then y, then z [degrees].
    pub rotation: DVec3,
    /// Size factor of the centre lines, at rest too; radii are not scaled.
    pub scale: f64,
    /// Initial velocity [m/s].
    pub velocity: DVec3,
    /// Initial angular velocity about the centre of mass [rad/s].
    pub spin: DVec3,
    /// sRGB, 0 to 1; by default from [`super::PALETTE`].
    pub colour: Option<[f64; 3]>,
    /// What the rods are made of; its radius is that of edges that have none of their own.
    pub material: RodMaterial,
    /// The shape without load.
    pub rest: NetRest,
    /// What holds rods together where three or more meet.
    pub junctions: Junctions,
    /// How the bending of a joint is measured.
    pub strain: JointStrain,
    /// Stiffness of joints of three and more segments, over that of the rods that meet there.
    pub joint_stiffness: f64,
    /// How the constraints are solved.
    pub method: NetMethod,
    /// Drag coefficient of the rods in the wind.
    pub drag: f64,
    /// Coulomb friction coefficient.
    pub friction: f64,
    /// What hangs on it.
    pub weight: Vec<AttachedWeight>,
    /// What holds points; frames stay free there.
    pub pin: Vec<Pin>,
    /// What holds points and the sections that meet there.
    pub clamp: Vec<Pin>,
    /// How clamps hold sections.
    pub clamps: Clamps,
}

impl Default for Net {
    fn default() -> Self {
        Self {
            name: String::new(),
            shape: NetShape::default(),
            position: DVec3::ZERO,
            rotation: DVec3::ZERO,
            scale: 1.0,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            colour: None,
            material: RodMaterial::default(),
            rest: NetRest::Shape,
            junctions: Junctions::Hub,
            strain: JointStrain::Relative,
            joint_stiffness: 1.0,
            method: NetMethod::default(),
            drag: 1.0,
            friction: 0.3,
            weight: Vec::new(),
            pin: Vec::new(),
            clamp: Vec::new(),
            clamps: Clamps::Wall,
        }
    }
}

/// The centre lines of a net, in its local frame.
#[derive(Debug, Clone, PartialEq)]
pub enum NetShape {
    /// A circle about z.
    Ring {
        /// Of the polygon's corners [m].
        radius: f64,
        /// Corners.
        segments: u32,
        /// Twist put in before the ends were joined, spread evenly; a load, not part of the rest shape [degrees].
        twist: f64,
    },
    /// A rectangular net in the x–y plane, centred.
    Grid {
        /// Width and height [m].
        size: [f64; 2],
        /// Meshes along both.
        cells: [u32; 2],
        /// Segments from knot to knot.
        segments: u32,
    },
    /// A radial net in the x–y plane: spokes from the centre, and rings.
    Web {
        /// Of the outermost ring [m].
        radius: f64,
        /// Rods from the centre outwards.
        spokes: u32,
        /// Rings; the last is the rim.
        rings: u32,
        /// Segments from knot to knot.
        segments: u32,
    },
    /// Rods that branch again and again, from the origin upwards.
    Tree {
        /// Of the trunk [m].
        length: f64,
        /// Times that branches branch.
        levels: u32,
        /// Branches at each fork.
        branches: u32,
        /// Between a branch and the direction of what it grows from [degrees].
        angle: f64,
        /// Length of a branch over that of what it grows from.
        ratio: f64,
        /// Radius likewise.
        thinning: f64,
        /// Segments of every branch.
        segments: u32,
    },
    /// A lattice girder along x: two chords, or four if it has a depth, with posts and diagonals.
    Truss {
        /// Length, height and depth; a depth of 0 is a plane truss [m].
        size: [f64; 3],
        /// Cells along the length.
        bays: u32,
        /// Segments of every bar.
        segments: u32,
    },
    /// Meridians from pole to pole of a ball about the origin, poles on y.
    Globe {
        /// [m].
        radius: f64,
        /// Rods between the poles.
        meridians: u32,
        /// Segments of every meridian.
        segments: u32,
    },
    /// Rings that hang in one another in the x–y plane, rows of them.
    Mail {
        /// Rings along x and y.
        rings: [u32; 2],
        /// Of a ring [m].
        radius: f64,
        /// Corners of a ring.
        segments: u32,
    },
    /// A graph of nodes and edges.
    Graph(Graph),
    /// A graph from a file.
    File {
        /// Ends in `.obj` for line elements; everything else is a graph in words.
        file: PathBuf,
        /// Segments of edges that name no number of their own.
        segments: u32,
    },
}

impl Default for NetShape {
    /// A ring of one metre across.
    fn default() -> Self {
        Self::Ring { radius: 0.5, segments: 24, twist: 0.0 }
    }
}

/// The shape of a net without load.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NetRest {
    /// As it starts.
    #[default]
    Shape,
    /// Rods are straight where two segments meet; junctions keep their angles.
    Straight,
}

/// What holds rods together where three or more meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Junctions {
    /// A rigid knot, to which each rod is fixed.
    #[default]
    Hub,
    /// An elastic joint between every two of the segments, as in Spillmann & Teschner 2009: stiffer the more of them meet.
    Pairs,
    /// The same, with the stiffness shared among the n − 1 joints of a segment.
    Shared,
}

/// How clamps hold the sections that meet at a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Clamps {
    /// As in a wall, to which each segment is fixed by half of its length.
    #[default]
    Wall,
    /// By the frames of the segments, as in Spillmann & Teschner 2009: a rod bends from its first segment's middle on.
    Frames,
}

/// How the bending of a joint is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum JointStrain {
    /// By the rotation from the rest orientation: full stiffness at any rest angle.
    #[default]
    Relative,
    /// By the difference of Darboux vectors, as in Spillmann & Teschner 2009: the stiffness falls like cos²(θ₀/2) with the rest angle.
    Darboux,
}

/// How the constraints of a net are solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord)]
pub enum NetMethod {
    /// No constraints: explicit forces and torques, at substeps below a limit. First, so that the frames of explicit nets follow
    /// those of explicit rods.
    Corde,
    /// All at once, by elimination; linear in the size of a net without loops.
    #[default]
    Direct,
    /// One by one, in colours.
    Coloured,
    /// Side by side, each with a share of the masses.
    Jacobi,
}
