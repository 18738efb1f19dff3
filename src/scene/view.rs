//! Where to look from and how frames are drawn.

use super::{Collider, Scene};
use glam::DVec3;

/// A camera; what is left out is chosen so that the whole scene is in view.
#[derive(Debug, Clone, PartialEq)]
pub struct Camera {
    /// Where the eye is [m].
    pub eye: Option<DVec3>,
    /// What it looks at [m].
    pub target: Option<DVec3>,
    /// Which way is up.
    pub up: DVec3,
    /// Vertical field of view [degrees].
    pub field_of_view: f64,
    /// Turn about `up` through the target [degrees/s].
    pub orbit: f64,
}

impl Default for Camera {
    fn default() -> Self {
        Self { eye: None, target: None, up: DVec3::Y, field_of_view: 40.0, orbit: 0.0 }
    }
}

/// How frames are drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Render {
    /// Width and height [pixels].
    pub size: [u32; 2],
    /// Frames per second of simulated time [1/s].
    pub frames_per_second: f64,
    /// What colours show.
    pub colour: ColourBy,
    /// Values at the two ends of the colour scale [m/s, 1 or J/m]; by default those of the frame.
    pub range: Option<[f64; 2]>,
    /// The ground that is drawn.
    pub ground: Ground,
    /// Background and ground.
    pub theme: Theme,
}

impl Default for Render {
    fn default() -> Self {
        Self {
            size: [1280, 720],
            frames_per_second: 30.0,
            colour: ColourBy::Body,
            range: None,
            ground: Ground::Solid,
            theme: Theme::Light,
        }
    }
}

/// The ground that is drawn. [`Scene::ground_height`] tells where.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Ground {
    /// The highest level plane among the colliders; none if there is no such plane.
    #[default]
    Solid,
    /// At this height [m], whether anything is solid there or not.
    At(f64),
    Hidden,
}

impl Scene {
    /// The height at which the ground is drawn [m].
    pub fn ground_height(&self) -> Option<f64> {
        match self.render.ground {
            Ground::Solid => self.collider.iter().filter_map(Collider::level).max_by(f64::total_cmp),
            Ground::At(height) => Some(height),
            Ground::Hidden => None,
        }
    }
}

/// What colours show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ColourBy {
    /// Which body it is.
    #[default]
    Body,
    /// What the last iteration of a step still had to correct [m].
    Error,
    /// A field that is declared by this name, by a family or for all of them.
    Field(&'static str),
}

impl ColourBy {
    /// The words of scene files.
    pub const NAMES: [(&'static str, Self); 16] = [
        ("body", Self::Body),
        ("velocity", Self::Field("velocity")),
        ("strain", Self::Field("strain")),
        ("stretch", Self::Field("stretch")),
        ("bend", Self::Field("bend")),
        ("twist", Self::Field("twist")),
        ("weft", Self::Field("weft")),
        ("warp", Self::Field("warp")),
        ("shear", Self::Field("shear")),
        ("stress", Self::Field("stress")),
        ("energy", Self::Field("energy")),
        ("error", Self::Error),
        ("frame", Self::Field("frame")),
        ("misalignment", Self::Field("misalignment")),
        ("damage", Self::Field("damage")),
        ("utilisation", Self::Field("utilisation")),
    ];
}

/// Background and ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// Dark things on a light background.
    #[default]
    Light,
    /// Light things on a dark background.
    Dark,
}

/// Body colours (sRGB) for scenes that name none: muted, similar in lightness, told apart by the colour-blind.
pub const PALETTE: [[f64; 3]; 8] = [
    [0.80, 0.29, 0.25],
    [0.22, 0.49, 0.72],
    [0.90, 0.62, 0.22],
    [0.25, 0.60, 0.53],
    [0.58, 0.40, 0.67],
    [0.55, 0.60, 0.24],
    [0.84, 0.50, 0.63],
    [0.45, 0.40, 0.36],
];

/// The palette's colour for the body at `index`, counted over all bodies.
pub fn palette_colour(index: usize) -> [f64; 3] {
    PALETTE[index % PALETTE.len()]
}
