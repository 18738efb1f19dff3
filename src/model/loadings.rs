//! Loads over time, as the model describes them.

use glam::DVec3;

/// A load that may change with time.
#[derive(Clone, Debug, PartialEq)]
pub struct Loading {
    pub name: String,
    /// Times [s] and factors; none is a constant 1.
    pub keys: Vec<[f64; 2]>,
    /// What acts on single particles, by the model's numbers.
    pub forces: Vec<PointForce>,
    /// What presses on triangles, by the model's numbers.
    pub pressure: Option<Pressure>,
    /// A cable that pulls.
    pub tendon: Option<Tendon>,
}

/// A cable through particles, which is pulled at the first.
#[derive(Clone, Debug, PartialEq)]
pub struct Tendon {
    /// By the model's numbers, two at least.
    pub points: Vec<u32>,
    /// At factor 1 [N].
    pub tension: f64,
    /// Where it turns at a point.
    pub friction: f64,
}

/// A force on a particle at factor 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointForce {
    pub particle: u32,
    /// In the world, or along the axes that two neighbours give [N].
    pub force: DVec3,
    /// The neighbours that turn it.
    pub follows: Option<[u32; 2]>,
}

/// A pressure on triangles, outwards along their normals.
#[derive(Clone, Debug, PartialEq)]
pub struct Pressure {
    pub triangles: Vec<[u32; 3]>,
    /// At factor 1, of a gas at the start [Pa].
    pub pressure: f64,
    pub gas: Option<EnclosedGas>,
}

/// A gas whose pressure follows from its volume.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EnclosedGas {
    /// In which it has the pressure of the start [m³].
    pub volume: f64,
    /// Of the surroundings [Pa].
    pub ambient: f64,
    /// Volume that leaves in a second for each pascal [m³/(s Pa)].
    pub leak: f64,
}
