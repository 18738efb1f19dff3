//! Loads that change with time.

use super::Selector;
use glam::DVec3;
use std::path::PathBuf;

/// A force, a traction or a pressure on a body.
#[derive(Debug, Clone, PartialEq)]
pub struct TimedLoad {
    /// Unique over loads.
    pub name: String,
    /// Name of the body.
    pub body: String,
    /// Which of its particles; pressure and traction act on triangles with all three corners among them.
    pub selector: Selector,
    pub kind: LoadKind,
    /// Whether a force turns with the body.
    pub follow: bool,
    /// By which the load is multiplied; none is a constant 1.
    pub keyframes: Vec<LoadKey>,
    /// A CSV file of the same: time [s] and factor.
    pub file: Option<PathBuf>,
    /// Of a pressure: the gas that has it, whose volume then counts.
    pub gas: Option<Gas>,
}

impl Default for TimedLoad {
    fn default() -> Self {
        Self {
            name: String::new(),
            body: String::new(),
            selector: Selector::ALL,
            kind: LoadKind::default(),
            follow: false,
            keyframes: Vec::new(),
            file: None,
            gas: None,
        }
    }
}

/// What a load is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LoadKind {
    /// In all, shared by mass [N].
    Force(DVec3),
    /// On the surface at rest [Pa].
    Traction(DVec3),
    /// Outwards along the normals of the surface as it is [Pa].
    Pressure(f64),
}

impl Default for LoadKind {
    fn default() -> Self {
        Self::Force(DVec3::ZERO)
    }
}

/// A cable through particles of any bodies, which is pulled at the first of them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tendon {
    /// Unique over loads and tendons.
    pub name: String,
    /// Where it runs, in order.
    pub through: Vec<TendonPoint>,
    /// [N].
    pub tension: f64,
    /// Where it turns at a point; Coulomb's coefficient.
    pub friction: f64,
    /// By which the tension is multiplied; none is a constant 1.
    pub keyframes: Vec<LoadKey>,
    /// A CSV file of the same: time [s] and factor.
    pub file: Option<PathBuf>,
}

/// Particles that a cable runs through.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TendonPoint {
    /// Name of the body.
    pub body: String,
    /// Which of its particles.
    pub selector: Selector,
}

/// The factor of a load at a time, linear in between.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LoadKey {
    /// [s].
    pub time: f64,
    pub factor: f64,
}

impl Default for LoadKey {
    fn default() -> Self {
        Self { time: 0.0, factor: 1.0 }
    }
}

/// A gas at constant temperature, p V = const.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gas {
    /// In which it has the pressure of the start [m³]; by default that of the surface at the start.
    pub volume: Option<f64>,
    /// Of the surroundings [Pa].
    pub ambient: f64,
    /// Volume that leaves in a second for each pascal [m³/(s Pa)].
    pub leak: f64,
}

impl Default for Gas {
    fn default() -> Self {
        Self { volume: None, ambient: 101_325.0, leak: 0.0 }
    }
}
