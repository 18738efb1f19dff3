//! Obstacles, as the model describes them.

use crate::meshing::distance_field::DistanceField;
use glam::{DQuat, DVec3};

/// An obstacle that moves only as its track says.
#[derive(Clone, Debug, PartialEq)]
pub struct Collider {
    /// The solid, in its local frame.
    pub shape: Shape,
    /// Where the local origin is at first [m].
    pub position: DVec3,
    /// The local frame's first attitude.
    pub rotation: DQuat,
    /// Coulomb friction coefficient; √(μ_particle μ_collider) acts.
    pub friction: f64,
    /// The track that carries it, a record of `tracks`; none keeps it still.
    pub track: Option<u32>,
}

/// The solid of a collider.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// The half-space normal · x ≤ offset, `offset` along the unit normal [m]. The normal may have any length but zero.
    Plane { normal: DVec3, offset: f64 },
    /// A ball around the origin [m].
    Sphere { radius: f64 },
    /// A cuboid around the origin with these half edges [m].
    Box { half: DVec3 },
    /// A capsule around the origin along y; `half_length` is half the distance between the caps' centres [m].
    Capsule { radius: f64, half_length: f64 },
    /// The inside of a closed mesh.
    Field(DistanceField),
}
