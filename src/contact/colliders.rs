use super::distance_field::DistanceField;
use glam::{DQuat, DVec3};
#[derive(Clone, Debug)]
pub enum Shape {
    Plane { normal: DVec3, offset: f64 },
    Sphere { radius: f64 },
    Box { half: DVec3 },
    Capsule { radius: f64, half_length: f64 },
    Field(DistanceField),
}
#[derive(Clone, Debug)]
pub struct Collider {
    pub shape: Shape,
    pub position: DVec3,
    pub rotation: DQuat,
    pub friction: f64,
    pub track: Option<u32>,
}
