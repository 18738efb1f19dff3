//! Contact between bodies: what a scene says about it.

/// That bodies touch, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct Contact {
    /// Whether bodies touch themselves.
    pub own: bool,
    /// Iterations on the contacts in each iteration of the solver.
    pub sweeps: u32,
    /// What differs between two bodies.
    pub pair: Vec<ContactPair>,
}

impl Default for Contact {
    fn default() -> Self {
        Self { own: true, sweeps: 6, pair: Vec::new() }
    }
}

/// Two bodies, or one and itself.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactPair {
    /// Names of the bodies.
    pub first: String,
    pub second: String,
    /// Whether they touch.
    pub touch: bool,
    /// Coulomb friction coefficient up to which they stick; by default the geometric mean of theirs.
    pub static_friction: Option<f64>,
    /// And with which they slide; by default the static one.
    pub kinetic_friction: Option<f64>,
}

impl Default for ContactPair {
    fn default() -> Self {
        let (first, second) = (String::new(), String::new());
        Self { first, second, touch: true, static_friction: None, kinetic_friction: None }
    }
}
