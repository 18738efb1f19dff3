//! The TOML scene format: what the user wrote, checked.
//!
//! [`Scene`] and the types below are plain structs with public fields, so a scene can come from a file
//! ([`Scene::load`]) or be written in code with `..Default::default()`; both go through [`Scene::validate`].
//! [`Scene::build`] turns it into geometry: world-space positions, triangles and pins resolved to particle
//! indices. The keys of the file format are the field names; `docs/scene-format.md` describes them.
//!
//! Everything is in SI units with y up. Angles are in degrees here and only here, because that is what people
//! write in a file; [`motion::rotation`] turns them into quaternions.

mod anchor;
mod attach;
mod bodies;
mod body;
mod build;
mod check;
mod checked;
mod clusters;
mod collider;
mod composite;
mod contact;
mod cut;
mod declared;
mod document;
mod error;
mod expect;
mod fabric;
mod field;
mod format;
mod geometry;
mod given_field;
mod join;
mod joint;
pub mod keys;
pub mod links;
mod load;
mod loading;
mod magnetise;
pub mod mesh_file;
pub mod motion;
mod nearest_point;
mod net;
mod pin;
mod probe;
mod problems;
mod read;
mod rigid;
mod rigid_cells;
mod rod;
mod rod_build;
mod rod_lines;
mod select;
mod solid;
mod solid_build;
mod view;
mod wood;
mod write;

pub use crate::meshing::triangle_mesh::{MeshEdge, MeshError, TriangleMesh};
pub use anchor::ResolvedAnchor;
pub use attach::{Attach, AttachBy, AttachSide, Seam};
pub use bodies::{Body, BodyTable, BuildContext, KINDS, Kind, Kinds, OtherBody};
pub use body::{Bending, Cloth, ClothShape, Masses, Points, PointsShape, TetheredTo, Tethers};
pub use checked::{Checked, ToChecked};
pub use clusters::{ClusterMode, ClusterRotation, Clusters, Plastic};
pub use collider::{Collider, ColliderShape};
pub use composite::{Composite, CompositeGeometry, CompositeShape, Crack};
pub use contact::{Contact, ContactPair, ContactStart};
pub use cut::{CellKind, Copy, Cut, CutCell, CutError};
pub use error::{Place, SceneError, SceneErrorKind};
pub use expect::{
    Expect, ExpectField, ExpectJoint, ExpectParticle, ExpectReaction, ExpectRigid, ParticleReference, Range,
};
pub use fabric::{
    ClothModel, ConjugateGradients, FABRICS, Fabric, FabricPreset, Integrator, Limiter, Preconditioner,
    StrainLimiting, StrainLimits,
};
pub use field::MagneticField;
pub use format::{description, fill_manual, json_schema};
pub use geometry::{
    ClothGeometry, Material, OtherGeometry, PointsGeometry, ResolvedPin, RodGeometry, SceneGeometry,
    SkinGeometry, SolidGeometry,
};
pub(crate) use given_field::VACUUM;
pub use given_field::{Field, FieldKind};
pub use join::{ResolvedJoin, ResolvedPair, merged};
pub use joint::{Joint, JointKind, Motor, ResolvedJoint};
pub use links::{Link, LinkKind};
pub use load::{Gas, LoadKey, LoadKind, Tendon, TendonPoint, TimedLoad};
pub use loading::{LoadedParticle, ResolvedLoad, ResolvedTendon};
pub use magnetise::{Follows, Magnetised, SoftCell};
#[doc(hidden)]
pub use motion::rotation;
pub use motion::{Keyframe, Pose};
pub use nearest_point::MaterialPoint;
pub use net::{
    Clamps, Graph, GraphEdge, GraphJoint, JointStrain, Junctions, Net, NetGeometry, NetHub, NetMethod,
    NetPair, NetRest, NetSegment, NetShape,
};
pub use pin::{Axes, Corner, Edge, Pin, Selector};
pub use probe::Probe;
pub use problems::{problems, problems_of};
pub use rigid::{Feature, Rigid, RigidGeometry, RigidPart, RigidShape, RigidSolid};
pub use rigid_cells::{MagnetCell, Susceptible};
pub use rod::{
    AttachedWeight, Copies, Hold, Rod, RodEnd, RodMaterial, RodMethod, RodRest, RodSection, RodShape,
};
pub use solid::{
    ClusterDamping, Inversion, Load, Solid, SolidDamping, SolidMaterial, SolidModel, SolidShape, SolidStart,
    SpringDamping, SpringPenalty, Torque,
};
pub use view::{Camera, ColourBy, Ground, PALETTE, Render, Theme, palette_colour};
pub use wood::{Wood, WoodProperties};

use std::path::{Path, PathBuf};

use glam::DVec3;

/// The version of the file format that this library reads.
pub const FORMAT: u32 = 1;

/// Everything the user wrote: bodies, colliders, solver settings, and how to look at and check the result.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// A short human title; may be empty.
    pub title: String,
    /// Gravitational acceleration [m/s²].
    pub gravity: DVec3,
    /// One step (frame) of the solver [s].
    pub time_step: f64,
    /// Substeps per step.
    pub substeps: u32,
    /// Whether there may be more substeps where loaded ropes and explicit rods need them. In a file this is what
    /// `substeps = "auto"` says, and a file that does not say how many.
    pub raise_substeps: bool,
    /// Steps of the frames of explicit rods and nets in a substep: frames that weigh little turn faster than particles move.
    pub frame_substeps: u32,
    /// Constraint iterations per substep.
    pub iterations: u32,
    /// Of the steps of what constraints move: 1 loses energy, 2 next to none.
    pub order: u32,
    /// How constraints are projected in parallel.
    pub solver: SolverKind,
    /// How the forces of finite-element sheets are integrated.
    pub integrator: Integrator,
    /// When the implicit integrators' solver stops.
    pub conjugate_gradients: ConjugateGradients,
    /// Of conjugate gradients.
    pub preconditioner: Preconditioner,
    /// Steps of Newton's method in a substep; by default what the integrator wants.
    pub newton: Option<u32>,
    /// How strain limits are enforced.
    pub strain_limiting: StrainLimiting,
    /// Over-relaxation ω in (0, 2); 1 is plain projection.
    pub relaxation: f64,
    /// Estimate of the spectral radius in [0, 1) for Chebyshev acceleration of Jacobi; 0 is off.
    pub chebyshev: f64,
    /// Velocity decay [1/s].
    pub damping: f64,
    /// How long a run lasts unless told otherwise [s].
    pub duration: f64,
    /// Seed of everything random.
    pub seed: u64,
    /// A checkpoint to begin with instead of the bodies' initial places.
    pub start_from: Option<PathBuf>,
    /// Moving air, if any.
    pub wind: Option<Wind>,
    /// Contact between bodies, if there is any.
    pub contact: Option<Contact>,
    /// The field that magnets are in, if there is any.
    pub magnetic_field: Option<MagneticField>,
    /// How much the field of cells taken together may be off, as a share.
    pub magnet_tolerance: f64,
    /// Where to look from.
    pub camera: Camera,
    /// How frames are drawn.
    pub render: Render,
    /// Sheets.
    pub cloth: Vec<Cloth>,
    /// Particles with explicit links.
    pub points: Vec<Points>,
    /// Ropes, wires, springs and hair.
    pub rod: Vec<Rod>,
    /// Rods that share points: rings, climbing nets, trees, trusses.
    pub net: Vec<Net>,
    /// Soft volumes.
    pub solid: Vec<Solid>,
    /// Bodies that do not bend.
    pub rigid: Vec<Rigid>,
    /// Bodies of bonded cells.
    pub composite: Vec<Composite>,
    /// Bodies of kinds that [`Scene::parse_with`] was given.
    pub other: Vec<OtherBody>,
    /// Obstacles.
    pub collider: Vec<Collider>,
    /// What joins bodies.
    pub attach: Vec<Attach>,
    /// What is sewn together.
    pub seam: Vec<Seam>,
    /// Joints of rigid bodies.
    pub joint: Vec<Joint>,
    /// What pulls and presses.
    pub load: Vec<TimedLoad>,
    /// Cables that pull.
    pub tendon: Vec<Tendon>,
    /// Particles whose motion is recorded.
    pub probe: Vec<Probe>,
    /// Magnetic fields, beside [`Self::magnetic_field`].
    pub field: Vec<Field>,
    /// Cloth and solids that are magnets.
    pub magnetise: Vec<Magnetised>,
    /// What a run must come out as, if the scene says so.
    pub expect: Option<Expect>,
}

impl Default for Scene {
    fn default() -> Self {
        Self {
            title: String::new(),
            gravity: DVec3::new(0.0, -9.81, 0.0),
            time_step: 1.0 / 60.0,
            substeps: 10,
            raise_substeps: false,
            frame_substeps: 1,
            iterations: 1,
            order: 1,
            solver: SolverKind::Coloured,
            integrator: Integrator::default(),
            conjugate_gradients: ConjugateGradients::default(),
            preconditioner: Preconditioner::default(),
            newton: None,
            strain_limiting: StrainLimiting::default(),
            relaxation: 1.0,
            chebyshev: 0.0,
            damping: 0.0,
            duration: 5.0,
            seed: 0,
            start_from: None,
            wind: None,
            contact: None,
            magnetic_field: None,
            magnet_tolerance: 1e-3,
            camera: Camera::default(),
            render: Render::default(),
            cloth: Vec::new(),
            points: Vec::new(),
            rod: Vec::new(),
            net: Vec::new(),
            solid: Vec::new(),
            rigid: Vec::new(),
            composite: Vec::new(),
            other: Vec::new(),
            collider: Vec::new(),
            attach: Vec::new(),
            seam: Vec::new(),
            joint: Vec::new(),
            load: Vec::new(),
            tendon: Vec::new(),
            probe: Vec::new(),
            field: Vec::new(),
            magnetise: Vec::new(),
            expect: None,
        }
    }
}

impl Scene {
    /// Reads and validates a scene file. Meshes are looked for beside it. [`Checked::load`] also keeps the geometry.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, SceneError> {
        Checked::load(path).map(Checked::into_scene)
    }

    /// Reads and validates the text of a scene; `file` is what messages call it, and relative mesh paths start
    /// at `base`.
    pub fn parse(text: &str, file: impl AsRef<Path>, base: impl AsRef<Path>) -> Result<Self, SceneError> {
        Self::parse_with(text, file, base, &Kinds::standard())
    }

    /// The same for scenes that may have other kinds of bodies.
    pub fn parse_with(
        text: &str,
        file: impl AsRef<Path>,
        base: impl AsRef<Path>,
        kinds: &Kinds,
    ) -> Result<Self, SceneError> {
        Checked::parse(text, file, base, kinds).map(Checked::into_scene)
    }

    /// Checks every value, reference, mesh file and limit.
    pub fn validate(&self) -> Result<(), SceneError> {
        self.build().map(drop)
    }

    /// Validates the scene and makes its geometry: world-space particles, meshes and resolved pins.
    pub fn build(&self) -> Result<SceneGeometry, SceneError> {
        check::scene(self)?;
        build::scene(self)
    }
}

/// How constraints are projected in parallel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SolverKind {
    /// Graph-coloured Gauss–Seidel: one pass per colour.
    #[default]
    Coloured,
    /// Every particle gathers and averages the corrections of its constraints.
    Jacobi,
}

/// Uniform wind with an optional gust.
#[derive(Debug, Clone, PartialEq)]
pub struct Wind {
    /// Velocity of the air [m/s].
    pub velocity: DVec3,
    /// Density of the air [kg/m³].
    pub density: f64,
    /// A periodic change of the wind's strength.
    pub gust: Option<Gust>,
}

impl Default for Wind {
    fn default() -> Self {
        Self { velocity: DVec3::ZERO, density: 1.225, gust: None }
    }
}

impl Wind {
    /// The velocity of the air at a time [s]: `velocity * (1 + amplitude * sin(2π time / period))` [m/s].
    pub fn velocity_at(&self, time: f64) -> DVec3 {
        match self.gust {
            None => self.velocity,
            Some(Gust { amplitude, period }) => {
                self.velocity * (1.0 + amplitude * (std::f64::consts::TAU * time / period).sin())
            }
        }
    }
}

/// A sinusoidal gust on top of the wind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gust {
    /// Fraction of the wind's velocity.
    pub amplitude: f64,
    /// Time from gust to gust [s].
    pub period: f64,
}
