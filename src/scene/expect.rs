//! What a run must come out as.

use glam::DVec3;

/// Statements about the state at one time, checked by `sinew run --expect` and by tests.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Expect {
    /// When [s]; by default the scene's duration.
    pub at: Option<f64>,
    /// Largest strain of any distance link in tension.
    pub max_stretch: Option<f64>,
    /// Total mechanical energy [J].
    pub energy: Range,
    /// Kinetic energy [J].
    pub kinetic_energy: Range,
    /// Length of the momentum [kg m/s].
    pub momentum: Range,
    /// Length of the angular momentum about the centre of mass [kg m²/s].
    pub spin: Range,
    /// Largest speed of any particle [m/s].
    pub max_speed: Option<f64>,
    /// Largest strain by which any triangle is beyond its limits, in every frame until then.
    pub max_violation: Option<f64>,
    /// Most tetrahedra that may be inside out.
    pub max_inverted: Option<f64>,
    /// Most times that inverted tetrahedra may have changed the stretch along which they are inverted.
    pub max_switches: Option<f64>,
    /// Largest compression of any tetrahedron: 1 is flat, more is inside out.
    pub max_compression: Option<f64>,
    /// Bending energy of rods and nets [J].
    pub bend_energy: Range,
    /// Twist energy of rods and nets [J].
    pub twist_energy: Range,
    /// Largest angle between a segment of a rod and its frame [degrees].
    pub max_misalignment: Option<f64>,
    /// Largest angle between neighbouring frames of a rod [degrees].
    pub max_joint_angle: Option<f64>,
    /// Most edges that may go through triangles.
    pub intersections: Option<f64>,
    /// Most pairs that may go through each other from one step to the next, since the start.
    pub crossings: Option<f64>,
    /// Most pairs of closed curves that may be linked otherwise than at the start.
    pub linking: Option<f64>,
    /// Deepest penetration of the thickness where bodies touch, as a share of it.
    pub max_depth: Option<f64>,
    /// Most times that the guard of contact may have held a particle back, since the start.
    pub max_held: Option<f64>,
    /// Pairs of bodies' parts that carry a force.
    pub contacts: Range,
    /// The sum of their normal forces [N].
    pub contact_force: Range,
    /// Pieces that bodies of bonded cells have come to.
    pub pieces: Range,
    /// Lowest y of any particle [m].
    pub lowest: Range,
    /// Highest y of any particle [m].
    pub highest: Range,
    /// Particles that must be inside boxes.
    pub particle: Vec<ExpectParticle>,
    /// What joints must carry and where they must stand.
    pub joint: Vec<ExpectJoint>,
    /// Forces of what holds bodies.
    pub reaction: Vec<ExpectReaction>,
    /// How rigid bodies must have turned, and what magnets must do to them.
    pub rigid: Vec<ExpectRigid>,
    /// Magnetic fields at points.
    pub field: Vec<ExpectField>,
}

/// How a rigid body must have turned, and what magnets and fields must do to it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ExpectRigid {
    /// Name of the body.
    pub body: String,
    /// From how it started [degrees].
    pub turned: Range,
    /// Length of the magnetic force [N].
    pub force: Range,
    /// Length of the magnetic torque about its centre [N m].
    pub torque: Range,
}

/// What the magnetic field at a point must be.
#[derive(Debug, Clone, PartialEq)]
pub struct ExpectField {
    /// [m].
    pub at: DVec3,
    /// Lowest components [T]; infinite ones do not limit.
    pub min: DVec3,
    /// Highest components [T].
    pub max: DVec3,
}

impl Default for ExpectField {
    fn default() -> Self {
        Self { at: DVec3::ZERO, min: DVec3::NEG_INFINITY, max: DVec3::INFINITY }
    }
}

/// What a joint must carry and where it must stand.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ExpectJoint {
    /// Name of the joint.
    pub joint: String,
    /// Length of its force [N].
    pub force: Range,
    /// Length of its torque [N m].
    pub torque: Range,
    /// Its angle [degrees], way or distance [m].
    pub position: Range,
    pub broken: Option<bool>,
}

/// A force of a pin, an attachment or a collider that must be within limits.
#[derive(Debug, Clone, PartialEq)]
pub struct ExpectReaction {
    /// What holds, as `body.pin1`, or the name of an attachment, seam or collider.
    pub of: String,
    /// Lowest components [N]; infinite ones do not limit.
    pub min: DVec3,
    /// Highest components [N].
    pub max: DVec3,
}

impl Default for ExpectReaction {
    fn default() -> Self {
        Self { of: String::new(), min: DVec3::NEG_INFINITY, max: DVec3::INFINITY }
    }
}

/// A closed range; the default contains every number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// Smallest value allowed.
    pub min: f64,
    /// Largest value allowed.
    pub max: f64,
}

impl Range {
    /// Every number.
    pub const ALL: Self = Self { min: f64::NEG_INFINITY, max: f64::INFINITY };

    /// Whether `x` is inside; NaN never is.
    pub fn contains(&self, x: f64) -> bool {
        self.min <= x && x <= self.max
    }
}

impl Default for Range {
    fn default() -> Self {
        Self::ALL
    }
}

/// A particle that must be inside a box.
#[derive(Debug, Clone, PartialEq)]
pub struct ExpectParticle {
    /// Name of the body.
    pub body: String,
    /// Which of its particles.
    pub particle: ParticleReference,
    /// Lowest corner [m]; infinite components do not limit.
    pub min: DVec3,
    /// Highest corner [m]; infinite components do not limit.
    pub max: DVec3,
}

/// One particle of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ParticleReference {
    /// By number.
    Index(u32),
    /// The one that starts nearest to a point in world space [m].
    Nearest(DVec3),
}

impl Default for ExpectParticle {
    fn default() -> Self {
        Self {
            body: String::new(),
            particle: ParticleReference::Index(0),
            min: DVec3::NEG_INFINITY,
            max: DVec3::INFINITY,
        }
    }
}
