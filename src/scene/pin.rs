//! Pins: what holds, moves and lets go of particles.

use glam::DVec3;

use super::motion::Keyframe;

/// Holds some particles of a body at their initial places, moves them, and may let them go.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pin {
    /// Which particles.
    pub selector: Selector,
    /// Particles that the selector finds and the pin does not hold, by number.
    pub except: Vec<u32>,
    /// Compliance of the attachment [m/N]; 0 fixes the particle, more is a spring to the (moving) point.
    pub compliance: f64,
    /// Along which axes of the world it holds.
    pub axes: Axes,
    /// Where the pinned points go; empty keeps them still. See [`super::motion`].
    pub motion: Vec<Keyframe>,
    /// Centre of the motion's rotation [m]; by default the centroid of the selected particles.
    pub pivot: Option<DVec3>,
    /// When the pin lets go [s]; `None` is never.
    pub release: Option<f64>,
}

/// Axes of the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Axes {
    X,
    Y,
    Z,
    Xy,
    Yz,
    Xz,
    #[default]
    All,
}

impl Axes {
    /// 1 for x, 2 for y, 4 for z.
    pub fn bits(self) -> u32 {
        match self {
            Self::X => 1,
            Self::Y => 2,
            Self::Z => 4,
            Self::Xy => 3,
            Self::Yz => 6,
            Self::Xz => 5,
            Self::All => 7,
        }
    }
}

/// Which particles of a body.
#[derive(Debug, Clone, PartialEq)]
pub enum Selector {
    /// Corners of a grid.
    Corners(Vec<Corner>),
    /// An edge of a grid, or the rim of a disc.
    Edge(Edge),
    /// Particles by number.
    Indices(Vec<u32>),
    /// All particles that start inside a box in world space, faces included.
    Box {
        /// Lowest corner [m].
        min: DVec3,
        /// Highest corner [m].
        max: DVec3,
    },
    /// The vertices of a named group of a solid's mesh.
    Group(String),
    /// The one particle that starts nearest to a point in world space [m]; of equals the first.
    Nearest(DVec3),
}

impl Selector {
    /// Every particle.
    pub const ALL: Self = Self::Box { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY };
}

impl Default for Selector {
    fn default() -> Self {
        Self::Indices(vec![0])
    }
}

/// A corner of a grid, seen with x to the right and y up in its local frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Corner {
    /// Lowest x, highest y.
    TopLeft,
    /// Highest x, highest y.
    TopRight,
    /// Lowest x, lowest y.
    BottomLeft,
    /// Highest x, lowest y.
    BottomRight,
}

/// An edge of a grid, seen as in [`Corner`], or the rim of a disc.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    /// Highest y of a grid.
    Top,
    /// Lowest y of a grid.
    Bottom,
    /// Lowest x of a grid.
    Left,
    /// Highest x of a grid.
    Right,
    /// The outermost ring of a disc.
    Rim,
}
