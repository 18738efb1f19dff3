//! What the physics tests share: the backends, scenes in few words, and comparisons that say what they compared.

use glam::DVec3;
use sinew::compute::ComputeError;
use sinew::model::Model;
use sinew::scene::{Masses, Pin, Points, PointsShape, Scene, Selector, SolverKind};
use sinew::{Options, Precision, Simulation, SimulationError};

/// Standard gravity of a scene [m/s²].
pub const G: f64 = 9.81;
/// Relative rounding of one f32 operation.
pub const F32_ROUNDING: f64 = 1.0 / 16_777_216.0;

pub const SOLVERS: [SolverKind; 2] = [SolverKind::Coloured, SolverKind::Jacobi];

/// A backend and the rounding of its arithmetic.
#[derive(Clone)]
pub struct TestBackend {
    pub name: &'static str,
    pub options: Options,
    /// Relative rounding of one operation.
    pub rounding: f64,
}

/// CPU f32, CPU f64 and GPU.
pub fn backends() -> [TestBackend; 3] {
    [
        TestBackend { name: "cpu f32", options: Options::cpu(Precision::F32), rounding: F32_ROUNDING },
        TestBackend { name: "cpu f64", options: Options::cpu(Precision::F64), rounding: f64::EPSILON / 2.0 },
        TestBackend { name: "gpu", options: Options::gpu(), rounding: F32_ROUNDING },
    ]
}

/// The reference.
pub fn truth() -> TestBackend {
    let [_, f64, _] = backends();
    f64
}

impl TestBackend {
    pub fn simulate(&self, scene: &Scene) -> Simulation {
        let model = Model::new(scene).unwrap_or_else(|error| panic!("{}: {error}", self.name));
        self.simulate_model(model)
    }

    pub fn simulate_model(&self, model: Model) -> Simulation {
        match Simulation::from_model(model, &self.options) {
            Ok(simulation) => simulation,
            Err(SimulationError::Compute(ComputeError::NoAdapter(reason))) => {
                panic!("this test needs a GPU adapter ({reason}); on Debian: apt install mesa-vulkan-drivers")
            }
            Err(error) => panic!("{}: {error}", self.name),
        }
    }
}

/// Every backend with every solver, and a name for both.
pub fn backends_and_solvers() -> impl Iterator<Item = (TestBackend, SolverKind, String)> {
    backends().into_iter().flat_map(|backend| {
        SOLVERS.map(|solver| {
            let name = format!("{}, {solver:?}", backend.name);
            (backend.clone(), solver, name)
        })
    })
}

/// Fails unless `value` is within `tolerance` of `expected`, both in the same unit.
#[track_caller]
pub fn assert_near(value: f64, expected: f64, tolerance: f64, what: &str) {
    let error = (value - expected).abs();
    println!("{what}: {value:.8e}, expected {expected:.8e}, error {error:.2e}, allowed {tolerance:.2e}");
    assert!(
        error <= tolerance,
        "{what}: {value:e} is not {expected:e} within {tolerance:e}; off by {error:e}"
    );
}

/// Fails unless `value` is within a relative `tolerance` of `expected`.
#[track_caller]
pub fn assert_close(value: f64, expected: f64, tolerance: f64, what: &str) {
    assert_near(value, expected, tolerance * expected.abs(), what);
}

/// Fails if `value` exceeds `limit`.
#[track_caller]
pub fn assert_below(value: f64, limit: f64, what: &str) {
    println!("{what}: {value:.3e}, limit {limit:.3e}");
    assert!(value <= limit, "{what}: {value:e} exceeds {limit:e}");
}

/// Particles of equal mass, joined by links, the first `pinned` ones held.
pub fn linked(
    points: Vec<DVec3>,
    mass: f64,
    compliance: f64,
    links: Vec<[u32; 2]>,
    pinned: Vec<u32>,
) -> Points {
    let pin = if pinned.is_empty() { vec![] } else { vec![hold(pinned)] };
    Points {
        shape: PointsShape::List {
            points,
            masses: Masses::Each(mass),
            links,
            triangles: vec![],
            tetrahedra: vec![],
        },
        compliance,
        pin,
        ..Default::default()
    }
}

/// The links of a chain of particles.
pub fn chain_links(particles: u32) -> Vec<[u32; 2]> {
    (1..particles).map(|i| [i - 1, i]).collect()
}

/// A pin that holds particles still.
pub fn hold(indices: Vec<u32>) -> Pin {
    Pin { selector: Selector::Indices(indices), ..Default::default() }
}

/// The largest distance between two sets of positions [m].
pub fn largest_distance(a: &[DVec3], b: &[DVec3]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
}

/// A generator of numbers that look random and are always the same (xorshift64*).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Uniform in −1 … 1.
    pub fn signed(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11;
        bits as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn vector(&mut self) -> DVec3 {
        DVec3::new(self.signed(), self.signed(), self.signed())
    }
}
