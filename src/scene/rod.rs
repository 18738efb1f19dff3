//! Rods: ropes, cables, wires, springs and hair.

use std::path::PathBuf;

use glam::DVec3;

use super::motion::Keyframe;
use super::pin::{Pin, Selector};

/// A rod, or a field of equal rods.
#[derive(Debug, Clone, PartialEq)]
pub struct Rod {
    /// Unique over all bodies and colliders; if empty, the body is called `rod 1`, `rod 2`, …
    pub name: String,
    /// The centre line at the start, in the local frame.
    pub shape: RodShape,
    /// Where the local origin is [m].
    pub position: DVec3,
    /// Rotation about x, then y, then z [degrees].
    pub rotation: DVec3,
    /// Size factor of the centre line, at rest too; the radius is not scaled.
    pub scale: f64,
    /// Initial velocity [m/s].
    pub velocity: DVec3,
    /// Initial angular velocity about the centre of mass [rad/s].
    pub spin: DVec3,
    /// sRGB, 0 to 1; by default from [`super::PALETTE`].
    pub colour: Option<[f64; 3]>,
    /// What it is made of.
    pub material: RodMaterial,
    /// What its shape is without load.
    pub rest: RodRest,
    /// Where the first axis of the first section points, as near as the section's plane allows, in the local frame; by default
    /// anywhere in that plane.
    pub normal: Option<DVec3>,
    /// Twist put in at the start, spread evenly from start to end; it is a load, not part of the rest shape [degrees].
    pub twist: f64,
    /// How its constraints are solved.
    pub method: RodMethod,
    /// The first point.
    pub start: RodEnd,
    /// The last point.
    pub end: RodEnd,
    /// Equal rods beside the first, in rows.
    pub copies: Copies,
    /// Drag coefficient in the wind.
    pub drag: f64,
    /// Coulomb friction coefficient.
    pub friction: f64,
    /// Remanence along the axes of its segments, the third of which is along the rod, in pieces of equal length [T].
    pub remanence: Vec<DVec3>,
    /// What hangs on it, apart from the weights of its ends.
    pub weight: Vec<AttachedWeight>,
    /// What else holds points of the rod; frames stay free there.
    pub pin: Vec<Pin>,
}

impl Default for Rod {
    fn default() -> Self {
        Self {
            name: String::new(),
            shape: RodShape::default(),
            position: DVec3::ZERO,
            rotation: DVec3::ZERO,
            scale: 1.0,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            colour: None,
            material: RodMaterial::default(),
            rest: RodRest::Shape,
            normal: None,
            twist: 0.0,
            method: RodMethod::Direct,
            start: RodEnd::default(),
            end: RodEnd::default(),
            copies: Copies::default(),
            drag: 1.0,
            friction: 0.3,
            remanence: Vec::new(),
            weight: Vec::new(),
            pin: Vec::new(),
        }
    }
}

/// The centre line of a rod, in its local frame.
#[derive(Debug, Clone, PartialEq)]
pub enum RodShape {
    /// Equal segments on a straight line.
    Line {
        /// First point [m].
        from: DVec3,
        /// Last point [m].
        to: DVec3,
        /// Number of segments; one more point than segments.
        segments: u32,
    },
    /// A line through points.
    Polyline {
        /// The points [m].
        points: Vec<DVec3>,
        /// Segments of equal length along the line instead of one per given point.
        segments: Option<u32>,
    },
    /// A smooth curve through points.
    Spline {
        /// The points [m].
        points: Vec<DVec3>,
        /// Segments of equal length along the curve.
        segments: u32,
    },
    /// The lines of a file, each a rod.
    File {
        /// Ends in `.obj` for line elements; everything else is a graph in words, as for nets.
        file: PathBuf,
        /// Segments of equal length along each line instead of one from point to point.
        segments: Option<u32>,
    },
    /// A helix about the y axis that climbs from y = 0, beginning at (radius, 0, 0).
    Helix {
        /// Of the centre line [m].
        radius: f64,
        /// Climb per turn [m].
        pitch: f64,
        /// Turns about the axis; negative for a left-handed helix.
        turns: f64,
        /// Number of segments.
        segments: u32,
    },
}

impl Default for RodShape {
    /// One metre along x in twenty segments.
    fn default() -> Self {
        Self::Line { from: DVec3::ZERO, to: DVec3::X, segments: 20 }
    }
}

/// A round, solid cross-section of an elastic material.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RodMaterial {
    /// Of the cross-section [m].
    pub radius: f64,
    /// [kg/m³].
    pub density: f64,
    /// E, of bending, and of stretch unless [`Self::stretch_modulus`] says otherwise [Pa].
    pub youngs_modulus: f64,
    /// G, of twist and shear [Pa]; by default E/(2 (1 + ν)).
    pub shear_modulus: Option<f64>,
    /// ν, if G is not given.
    pub poisson_ratio: f64,
    /// E of stretch [Pa]: ropes and cables resist a pull far more than bending.
    pub stretch_modulus: Option<f64>,
    /// κ, what keeps the frames along the rod [N]; by default from G and the section.
    pub shear_stiffness: Option<f64>,
    /// How stiffness and inertia follow from the radius.
    pub section: RodSection,
    /// EI about the section's first and second axis, if it is not that of the radius [N m²].
    pub bending_stiffness: Option<[f64; 2]>,
    /// GJ, likewise [N m²].
    pub twist_stiffness: Option<f64>,
    /// α: the frames' inertia against bending is that of the section times this; by default it is m l²/4 if that is more.
    pub frame_inertia: Option<f64>,
    /// γₜ of [`RodMethod::Corde`], friction of stretch [kg m/s].
    pub stretch_friction: f64,
    /// γᵣ of [`RodMethod::Corde`], friction of bending and twist [kg m³/s].
    pub bend_friction: f64,
}

/// How stiffness and inertia follow from the radius of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RodSection {
    /// Second moments of a disc: π r⁴/4 and π r⁴/2.
    #[default]
    Round,
    /// As printed in Spillmann 2008, (3.10): r² where a disc has r⁴. Its table of materials only makes sense with it.
    Printed,
}

/// Timoshenko's shear coefficient of a circle with ν = 0.3; it hardly depends on ν.
const SHEAR_COEFFICIENT: f64 = 0.89;

impl Default for RodMaterial {
    fn default() -> Self {
        Self::ROPE
    }
}

impl RodMaterial {
    /// What the presets leave alone.
    const PLAIN: Self = Self {
        radius: 0.005,
        density: 1000.0,
        youngs_modulus: 1e6,
        shear_modulus: None,
        poisson_ratio: 0.4,
        stretch_modulus: None,
        shear_stiffness: None,
        section: RodSection::Round,
        bending_stiffness: None,
        twist_stiffness: None,
        frame_inertia: None,
        stretch_friction: 0.0,
        bend_friction: 0.0,
    };
    /// A braided rope: strong, limp.
    pub const ROPE: Self = Self {
        radius: 0.005,
        density: 1100.0,
        youngs_modulus: 5e6,
        poisson_ratio: 0.4,
        stretch_modulus: Some(5e8),
        ..Self::PLAIN
    };
    /// An electric cable: copper strands in a rubber sheath.
    pub const CABLE: Self = Self {
        radius: 0.004,
        density: 2500.0,
        youngs_modulus: 8e7,
        poisson_ratio: 0.4,
        stretch_modulus: Some(5e9),
        ..Self::PLAIN
    };
    /// Spring steel.
    pub const STEEL_WIRE: Self =
        Self { radius: 0.001, density: 7850.0, youngs_modulus: 2e11, poisson_ratio: 0.29, ..Self::PLAIN };
    /// Soft rubber.
    pub const RUBBER: Self =
        Self { radius: 0.005, density: 1100.0, youngs_modulus: 2e6, poisson_ratio: 0.49, ..Self::PLAIN };
    /// Human hair.
    pub const HAIR: Self =
        Self { radius: 4e-5, density: 1320.0, youngs_modulus: 4e9, poisson_ratio: 0.4, ..Self::PLAIN };
    /// Nylon monofilament, as plectra are cut from and lutes are strung with.
    pub const PLECTRUM_THREAD: Self =
        Self { radius: 2.5e-4, density: 1140.0, youngs_modulus: 3e9, poisson_ratio: 0.39, ..Self::PLAIN };
    /// Spillmann 2008, table 3.2: ropes.
    pub const PRINTED_ROPE: Self = Self {
        radius: 0.01,
        density: 1300.0,
        youngs_modulus: 5e5,
        shear_modulus: Some(5e5),
        stretch_modulus: Some(2e7),
        shear_stiffness: Some(1e5),
        section: RodSection::Printed,
        frame_inertia: Some(0.01),
        stretch_friction: 1e-5,
        bend_friction: 1e-6,
        ..Self::PLAIN
    };
    /// Spillmann 2008, table 3.2: the comparison with the reference model.
    pub const PRINTED_COMPARISON: Self = Self {
        youngs_modulus: 1e6,
        shear_modulus: Some(4e6),
        stretch_modulus: Some(1e9),
        shear_stiffness: Some(1e6),
        ..Self::PRINTED_ROPE
    };
    /// Spillmann 2008, table 3.2: wires.
    pub const PRINTED_WIRE: Self = Self {
        radius: 0.001,
        density: 7860.0,
        youngs_modulus: 2e8,
        shear_modulus: Some(1e8),
        stretch_modulus: Some(1e8),
        shear_stiffness: Some(3e5),
        stretch_friction: 5e-8,
        bend_friction: 1e-8,
        ..Self::PRINTED_ROPE
    };
    /// Spillmann 2008, table 3.2: threads.
    pub const PRINTED_THREAD: Self = Self {
        radius: 0.001,
        youngs_modulus: 10.0,
        shear_modulus: Some(10.0),
        stretch_modulus: Some(2e4),
        shear_stiffness: Some(100.0),
        stretch_friction: 1e-6,
        bend_friction: 1e-7,
        ..Self::PRINTED_ROPE
    };
    /// The presets by the names that a scene file uses.
    pub const PRESETS: [(&'static str, Self); 10] = [
        ("rope", Self::ROPE),
        ("cable", Self::CABLE),
        ("steel_wire", Self::STEEL_WIRE),
        ("rubber", Self::RUBBER),
        ("hair", Self::HAIR),
        ("plectrum_thread", Self::PLECTRUM_THREAD),
        ("printed_rope", Self::PRINTED_ROPE),
        ("printed_comparison", Self::PRINTED_COMPARISON),
        ("printed_wire", Self::PRINTED_WIRE),
        ("printed_thread", Self::PRINTED_THREAD),
    ];

    /// G with its default applied [Pa].
    pub fn shear(&self) -> f64 {
        self.shear_modulus.unwrap_or(0.5 * self.youngs_modulus / (1.0 + self.poisson_ratio))
    }

    /// A = π r² [m²].
    pub fn area(&self) -> f64 {
        std::f64::consts::PI * self.radius * self.radius
    }

    /// I = π r⁴/4 [m⁴], or what was printed for it.
    pub fn second_moment(&self) -> f64 {
        match self.section {
            RodSection::Round => 0.25 * self.area() * self.radius * self.radius,
            RodSection::Printed => 0.25 * self.area(),
        }
    }

    /// K = (EI, EI, GJ) with I = π r⁴/4 and J = π r⁴/2, or as they are given [N m²].
    pub fn bending_stiffness(&self) -> DVec3 {
        let second_moment = self.second_moment();
        let [first, second] = self.bending_stiffness.unwrap_or([self.youngs_modulus * second_moment; 2]);
        DVec3::new(first, second, self.twist_stiffness.unwrap_or(2.0 * self.shear() * second_moment))
    }

    /// (κ, κ, EA): shear and stretch stiffness [N]. Shear follows the stiffer of the two moduli of E, so that the frames of a
    /// rope stay along it.
    pub fn stretch_stiffness(&self) -> DVec3 {
        let stretch = self.stretch_modulus.unwrap_or(self.youngs_modulus);
        let plain = SHEAR_COEFFICIENT * self.shear() * (stretch / self.youngs_modulus).max(1.0) * self.area();
        let shear = self.shear_stiffness.unwrap_or(plain);
        DVec3::new(shear, shear, stretch * self.area())
    }
}

/// The shape of a rod without load.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum RodRest {
    /// As it starts.
    #[default]
    Shape,
    /// Straight and without twist.
    Straight,
    /// The same curvature everywhere: about the section's first and second axis, and twist [1/m].
    Curved(DVec3),
}

/// How the constraints of a rod are solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord)]
pub enum RodMethod {
    /// All at once, by elimination along the rod.
    #[default]
    Direct,
    /// One by one: every second at a time.
    Coloured,
    /// Side by side, each with a share of the masses.
    Jacobi,
    /// No constraints: explicit forces and torques, at substeps below a limit.
    Corde,
}

/// One end of a rod.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RodEnd {
    /// What holds it.
    pub hold: Hold,
    /// Where it goes, if it is held; empty keeps it still. See [`super::motion`].
    pub motion: Vec<Keyframe>,
    /// Centre of the motion's rotation [m]; by default the end itself.
    pub pivot: Option<DVec3>,
    /// When it is let go [s]; `None` is never.
    pub release: Option<f64>,
    /// Mass attached to the end [kg].
    pub weight: f64,
    /// What pulls at the end [N].
    pub force: DVec3,
    /// What turns the section at the end, in the world [N m].
    pub torque: DVec3,
    /// Whether the torque turns with the section; otherwise it is fixed in the world.
    pub torque_follows: bool,
}

/// A mass on each of some points of a rod or net.
#[derive(Debug, Clone, PartialEq)]
pub struct AttachedWeight {
    pub selector: Selector,
    /// Of each [kg].
    pub mass: f64,
}

/// What holds the end of a rod.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Hold {
    /// Nothing.
    #[default]
    Free,
    /// The point, as in a ball joint.
    Pinned,
    /// The point and the section, as in a wall.
    Clamped,
    /// The point and the frame of the segment at it, as in Spillmann 2008: the rod bends from that segment's middle on.
    Framed,
}

/// Equal rods in rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Copies {
    /// Rods along the first and the second step.
    pub count: [u32; 2],
    /// From rod to rod along the two directions, in the world [m].
    pub steps: [DVec3; 2],
}

impl Default for Copies {
    /// One rod.
    fn default() -> Self {
        Self { count: [1, 1], steps: [DVec3::X, DVec3::Z] }
    }
}

impl Copies {
    /// Rods in all.
    pub fn total(&self) -> u64 {
        u64::from(self.count[0]) * u64::from(self.count[1])
    }
}
