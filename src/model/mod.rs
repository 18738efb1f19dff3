//! A scene made ready to run: elements ordered, coloured and linked to their particles.
//!
//! A [`Model`] never changes while it runs. Bodies are prepared one by one and only then put together, so that
//! adding a body changes nothing for the others, to the bit.

pub mod advice;
mod body;
pub mod colliders;
pub mod colouring;
pub mod composites;
pub mod elements;
pub mod elimination;
pub mod frames;
pub mod graph;
pub mod incidence;
pub mod joins;
pub mod joints;
pub mod loadings;
pub mod magnets;
pub mod nets;
pub mod ordering;
pub mod rigid;
pub mod rods;
mod sizes;
pub mod skins;
pub mod solids;
mod source;
pub mod tracks;

pub use body::Body;
pub use source::Source;

use crate::limits;
use crate::scene::{
    ConjugateGradients, CutError, Fabric, Integrator, Preconditioner, RodMethod, SceneError, SoftCell,
    SolidDamping, SolidModel, SolverKind, StrainLimiting, StrainLimits,
};
use colliders::Collider;
use composites::CellBody;
use elements::{Elements, LinkMaterial, Pin, Tet};
use glam::DVec3;
use joins::Joins;
use joints::Joints;
use loadings::Loading;
use magnets::{FieldSource, Magnet};
use nets::Nets;
use ordering::Permutation;
use rigid::RigidBody;
use rods::Rods;
use skins::Skins;
use solids::SolidLaw;
use std::ops::Range;
use tracks::Tracks;

/// Why a scene cannot be made into a model.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    #[error(transparent)]
    Scene(#[from] SceneError),
    #[error("a cut of {0}")]
    Cut(#[from] CutError),
    #[error("body `{body}`: {problem}")]
    Body { body: String, problem: String },
    #[error(
        "{count} edges go through triangles at the start, the first at {at}: {places}; move the bodies apart (`start = \"separate\"` in \
         `[contact]` tries), let them come apart by themselves with `start = \"allow\"`, or pass through each other with `touch = false` in a \
         `[[contact.pair]]`"
    )]
    Start { count: u64, at: DVec3, places: String },
    #[error("collider `{collider}`: {problem}")]
    Collider { collider: String, problem: String },
    #[error(
        "the scene has {count} different link materials; the limit is {limit}: give bodies the same stiffness"
    )]
    Materials { count: usize, limit: usize },
    #[error(
        "the motions of the scene take {records} records, one for each keyframe and for every 10° of rotation; the limit is \
         {}: turn less, or move fewer things by keyframes",
        limits::ALL_MOTION_RECORDS
    )]
    Motions { records: u64 },
    #[error(
        "the magnets of the scene have {cells} cells in all; the limit is {limit}: give fewer `cells` to each"
    )]
    MagnetCells { cells: usize, limit: usize },
    #[error("the scene has {cells} bonded cells in all; the limit is {}: make `cell` larger", limits::CELLS)]
    Cells { cells: usize },
    #[error(
        "the bodies with a `susceptibility` have {cells} cells in all; the limit is {limit}: give fewer `cells` to each"
    )]
    SusceptibleCells { cells: usize, limit: usize },
    #[error(
        "{magnets} magnets and {cells} triangles and tetrahedra of `[[magnetise]]` make {} pairs; the limit is {limit}: take coarser bodies, or magnetise less of them",
        cells * magnets
    )]
    SoftPairs { cells: usize, magnets: usize, limit: usize },
    #[error(
        "the scene has no bodies: add a [[cloth]], [[points]], [[rod]], [[net]], [[solid]], [[rigid]] or [[composite]] table"
    )]
    Empty,
}

/// How the solver is set up; from the scene, and the same on every backend.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    pub gravity: DVec3,
    /// One step [s].
    pub time_step: f64,
    pub substeps: u32,
    /// Of explicit rods and nets, in each substep.
    pub frame_substeps: u32,
    pub iterations: u32,
    /// Of the positions and velocities that constraints make: 1 or 2.
    pub order: u32,
    pub solver: SolverKind,
    pub integrator: Integrator,
    pub conjugate_gradients: ConjugateGradients,
    pub preconditioner: Preconditioner,
    /// Steps of Newton's method in a substep.
    pub newton: u32,
    pub strain_limiting: StrainLimiting,
    pub relaxation: f64,
    pub chebyshev: f64,
    /// [1/s].
    pub damping: f64,
    pub wind: Option<crate::scene::Wind>,
    /// Contact between bodies, if there is any.
    pub contact: Option<crate::scene::Contact>,
    /// How much the field of cells taken together may be off, as a share.
    pub magnet_tolerance: f64,
}

/// A particle whose motion is recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    pub name: String,
    /// By the model's numbers.
    pub particle: u32,
}

impl Settings {
    /// Whether positions follow backward differentiation of second order.
    pub fn is_second_order(&self) -> bool {
        self.order == 2
    }

    /// One substep [s].
    pub fn substep(&self) -> f64 {
        self.time_step / f64::from(self.substeps)
    }

    /// Takes as many substeps as it takes for none to be longer than this [s], or as many as there may be.
    pub fn raise(&mut self, longest: Option<f64>) {
        let wanted = longest.map_or(0.0, |longest| (self.time_step / longest).ceil());
        self.substeps = self.substeps.max(wanted.min(f64::from(limits::SUBSTEPS)) as u32);
    }
}

/// Particles, in the model's numbering.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Particles {
    pub positions: Vec<DVec3>,
    pub velocities: Vec<DVec3>,
    /// [kg]; also of pinned particles.
    pub masses: Vec<f64>,
    /// [1/kg]; 0 for rigid pins.
    pub inverse_masses: Vec<f64>,
    /// Contact radius [m].
    pub radii: Vec<f64>,
    pub friction: Vec<f64>,
}

/// Values that bodies of a kind from outside the library give to its family, one for each particle of the model; NaN for those of
/// other bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct Given {
    pub name: &'static str,
    pub values: Vec<f64>,
}

/// A scene prepared.
#[derive(Clone, Debug)]
pub struct Model {
    pub settings: Settings,
    pub bodies: Vec<Body>,
    /// From the user's numbering (old) to the model's (new).
    pub order: Permutation,
    pub particles: Particles,
    /// The elements of each body, sorted, by the model's particle numbers.
    pub elements: Vec<Elements>,
    pub materials: Vec<LinkMaterial>,
    /// What finite-element sheets are made of.
    pub fabrics: Vec<Fabric>,
    /// What solids are made of.
    pub solid_materials: Vec<SolidLaw>,
    /// Rigid pins first.
    pub pins: Vec<Pin>,
    pub tracks: Tracks,
    /// The damping of each body that is a solid.
    pub solid_damping: Vec<Option<SolidDamping>>,
    /// Particles and the forces that the scene puts on them [N].
    pub loads: Vec<(u32, DVec3)>,
    /// Surface triangles of all bodies, by the model's particle numbers, with their body.
    pub triangles: Vec<[u32; 3]>,
    /// Drag and lift coefficient of each body.
    pub aerodynamics: Vec<[f64; 2]>,
    /// Links of bodies without surface, for drawing, by the model's particle numbers.
    pub segments: Vec<[u32; 2]>,
    pub tetrahedra: Vec<[u32; 4]>,
    /// Detailed surfaces of bodies, drawn instead of their own.
    pub skins: Skins,
    pub rods: Rods,
    pub nets: Nets,
    pub rigid: Vec<RigidBody>,
    /// Bodies of bonded cells.
    pub composites: Vec<CellBody>,
    /// Rigid bodies come first, then segments of rods.
    pub magnets: Vec<Magnet>,
    /// Triangles and tetrahedra that are magnets, by the model's numbers.
    pub soft_magnets: Vec<SoftCell>,
    /// Fields that the scene gives.
    pub field_sources: Vec<FieldSource>,
    pub colliders: Vec<Collider>,
    /// Values of particles that bodies give to families from outside the library.
    pub given: Vec<Given>,
    /// Attachments and seams.
    pub joins: Joins,
    /// Of rigid bodies.
    pub joints: Joints,
    /// Loads that may change with time.
    pub loadings: Vec<Loading>,
    /// Particles that the scene's expectations are about, by the model's numbers.
    pub expected: Vec<u32>,
    pub probes: Vec<Probe>,
    /// What it is made of, and what of that was cut.
    pub source: Source,
}

impl Model {
    pub fn particle_count(&self) -> usize {
        self.particles.positions.len()
    }

    /// Constraints of all families, without pins.
    pub fn constraint_count(&self) -> usize {
        let rods =
            self.rods.frames.iter().map(|f| usize::from(!f.is_wall()) + usize::from(f.joint.is_some()));
        let tets = (0..self.elements.len()).map(|body| self.tets_of(body, |law| !law.has_forces()).len());
        self.elements.iter().map(Elements::count).sum::<usize>()
            + tets.sum::<usize>()
            + rods.sum::<usize>()
            + self.nets.joints.len()
    }

    /// What the tetrahedra of a body are made of.
    pub fn solid_law(&self, body: usize) -> Option<&SolidLaw> {
        let tet = self.elements[body].tets.first()?;
        Some(&self.solid_materials[tet.material as usize])
    }

    /// The tetrahedra of a body, if its law is one of these.
    pub fn tets_of(&self, body: usize, is_wanted: impl Fn(SolidModel) -> bool) -> &[Tet] {
        match self.solid_law(body) {
            Some(law) if is_wanted(law.model) => &self.elements[body].tets,
            _ => &[],
        }
    }

    /// The frames of explicit rods, and after them those of explicit nets.
    pub fn explicit_frames(&self) -> Range<u32> {
        let rods = self.rods.frames_of_method(RodMethod::Corde);
        let nets = self.nets.explicit_frames();
        match (rods.is_empty(), nets.is_empty()) {
            (_, true) => rods,
            (true, false) => nets,
            (false, false) => rods.start..nets.end,
        }
    }

    /// The values of particles that bodies give by this name.
    pub fn given(&self, name: &str) -> Option<&[f64]> {
        self.given.iter().find(|given| given.name == name).map(|given| &given.values[..])
    }

    /// Whether any fabric's strains are limited.
    pub fn has_strain_limits(&self) -> bool {
        self.fabrics.iter().any(|fabric| fabric.limits != StrainLimits::NONE)
    }

    /// Whether any of a particle's constraints may move it, now or later.
    pub fn movable(&self) -> Vec<bool> {
        let mut movable: Vec<bool> = self.particles.inverse_masses.iter().map(|&w| w > 0.0).collect();
        for pin in self.pins.iter().filter(|pin| pin.release.is_finite()) {
            movable[pin.particle as usize] = true;
        }
        movable
    }

    /// The body that a particle belongs to, by the model's number.
    pub fn body_of(&self, particle: u32) -> Option<&Body> {
        let user = *self.order.old_of_new.get(particle as usize)?;
        self.bodies.iter().find(|body| body.particles.contains(&user))
    }
}
