//! What is magnetic in a model.

use crate::scene::Susceptible;
use glam::{DQuat, DVec3};

/// Cells of a rigid body or a rod's segment that act as dipoles.
#[derive(Clone, Debug, PartialEq)]
pub struct Magnet {
    /// Their mean is the centre. A rigid body names its one twice.
    pub particles: [u32; 2],
    /// Among all frames of the model.
    pub frame: u32,
    /// Place among the model's rigid bodies, if it is one.
    pub rigid: Option<u32>,
    pub cells: Vec<MagnetCell>,
    /// How the cells answer to a field, if that alone gives them moments. Such magnets come after all others.
    pub susceptible: Option<Susceptible>,
}

/// A dipole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MagnetCell {
    /// From the centre along the frame's axes [m].
    pub arm: DVec3,
    /// Along the frame's axes [A m²].
    pub moment: DVec3,
    /// Edge of the cube that it stands for [m].
    pub edge: f64,
    /// Nearer to another cell than the sum of both, its field does not grow [m].
    pub radius: f64,
}

/// A field that the scene gives.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldSource {
    pub law: FieldLaw,
    /// Where it is at first [m].
    pub position: DVec3,
    /// How its axes are turned at first.
    pub rotation: DQuat,
    /// Time [s] and factor of its strength, linear in between.
    pub keys: Vec<[f64; 2]>,
    /// Its strength is multiplied by the cosine of 2π frequency t + phase [1/s, rad].
    pub frequency: f64,
    pub phase: f64,
    /// The track that carries it.
    pub track: Option<u32>,
}

/// A field in closed form, in axes of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FieldLaw {
    /// B₀ [T] and its derivatives [T/m]: dBx/dx, dBy/dy, dBz/dz; dBy/dz, dBx/dz, dBx/dy.
    Affine { uniform: DVec3, gradient: DVec3, cross: DVec3 },
    /// A uniformly magnetised ball by its moment [A m²] and radius [m].
    Ball { moment: DVec3, radius: f64 },
    /// A current [A] around y.
    Loop { current: f64, radius: f64 },
    /// A current per length [A/m] on a cylinder around y [m].
    Sheet { current: f64, radius: f64, half_length: f64 },
    /// A current [A] from the origin along `way` [m].
    Wire { current: f64, way: DVec3 },
    /// A cuboid by remanence [T] and half edges [m].
    Bar { remanence: DVec3, half: DVec3 },
}

impl FieldSource {
    /// A field at the origin that does not change.
    pub fn still(law: FieldLaw) -> Self {
        let (position, rotation) = (DVec3::ZERO, DQuat::IDENTITY);
        Self { law, position, rotation, keys: Vec::new(), frequency: 0.0, phase: 0.0, track: None }
    }
}
