//! Magnetic fields that a scene gives: coils, wires, magnets that stand still, and fields without a source.

use super::{Keyframe, LoadKey};
use glam::DVec3;
use std::f64::consts::PI;

/// A field in closed form that acts on magnets and feels nothing of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// Unique over fields; if empty, it is called `field 1`, `field 2`, …
    pub name: String,
    /// In its local frame.
    pub kind: FieldKind,
    /// Where the local origin is [m].
    pub position: DVec3,
    /// Rotation about x, then y, then z [degrees].
    pub rotation: DVec3,
    /// Its strength over time; none is a constant 1.
    pub keyframes: Vec<LoadKey>,
    /// Its strength is multiplied by cos(2π frequency t + phase) [1/s].
    pub frequency: f64,
    /// [degrees].
    pub phase: f64,
    /// Where it goes; empty keeps it still.
    pub motion: Vec<Keyframe>,
    /// Centre of the motion's rotation [m]; by default `position`.
    pub pivot: Option<DVec3>,
}

impl Default for Field {
    fn default() -> Self {
        Self {
            name: String::new(),
            kind: FieldKind::default(),
            position: DVec3::ZERO,
            rotation: DVec3::ZERO,
            keyframes: Vec::new(),
            frequency: 0.0,
            phase: 0.0,
            motion: Vec::new(),
            pivot: None,
        }
    }
}

/// What makes a field, in a local frame.
#[derive(Debug, Clone, PartialEq)]
pub enum FieldKind {
    /// The same everywhere [T].
    Uniform { field: DVec3 },
    /// B = field + G x, with the rows of G [T, T/m].
    Gradient { field: DVec3, rows: Vec<DVec3> },
    /// Turns of wire around y [m, A].
    Loop { radius: f64, current: f64, turns: f64 },
    /// Turns of thin wire on a cylinder around y [m, A].
    Solenoid { radius: f64, length: f64, current: f64, turns: f64 },
    /// Two loops around y with the same current, by default their radius apart [m, A].
    Helmholtz { radius: f64, current: f64, turns: f64, spacing: Option<f64> },
    /// Straight pieces of wire from point to point [m, A].
    Wire { points: Vec<DVec3>, current: f64, closed: bool },
    /// A magnetised cuboid around the origin by its edges [m, T].
    Bar { size: DVec3, remanence: DVec3 },
    /// A cylinder around y, magnetised along it, or a ring if it has a hole [m, T].
    Cylinder { radius: f64, hole: f64, length: f64, remanence: f64 },
    /// A magnetised ball around the origin [m, T].
    Ball { radius: f64, remanence: DVec3 },
}

impl Default for FieldKind {
    fn default() -> Self {
        Self::Uniform { field: DVec3::ZERO }
    }
}

/// μ₀ [T m/A].
pub(crate) const VACUUM: f64 = 4e-7 * PI;
