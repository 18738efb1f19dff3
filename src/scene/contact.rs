//! Contact between bodies: what a scene says about it.

/// That bodies touch, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct Contact {
    /// Whether bodies touch themselves.
    pub own: bool,
    /// Iterations on the contacts in each iteration of the solver.
    pub sweeps: u32,
    /// What happens to bodies that go through each other at the start.
    pub start: ContactStart,
    /// The pressure that would press surfaces together to nothing, if it stayed linear; by default as hard as the iterations bear [Pa].
    pub compression: Option<f64>,
    /// What differs between two bodies.
    pub pair: Vec<ContactPair>,
}

impl Default for Contact {
    fn default() -> Self {
        Self { own: true, sweeps: 6, start: ContactStart::Refuse, compression: None, pair: Vec::new() }
    }
}

/// What happens to bodies that go through each other at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ContactStart {
    /// The scene is refused.
    #[default]
    Refuse,
    /// What is caught has no contact with the other side until it has come apart.
    Allow,
    /// Bodies are moved apart as wholes before the run.
    Separate,
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
    /// As [`Contact::compression`], which it stands for here [Pa].
    pub compression: Option<f64>,
}

impl Default for ContactPair {
    fn default() -> Self {
        let (first, second) = (String::new(), String::new());
        Self { first, second, touch: true, static_friction: None, kinetic_friction: None, compression: None }
    }
}
