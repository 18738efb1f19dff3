//! Solids against answers known on paper, on all backends.

mod balance;
#[path = "../cloth/blocks.rs"]
mod blocks;
mod couples;
mod damping;
mod drop;
mod errors;
mod kernels;
mod laws;
mod multigrid;
mod newton;
mod oscillator;
mod position;
mod recovery;
mod rotation;
mod springs;
mod statics;
mod tangles;
mod vibration;

use glam::DVec3;
use sinew::scene::{Integrator, Scene, Solid, SolidShape};
use sinew::{Backend, Options, Precision, Simulation};

/// Young's modulus of the reference block [Pa].
pub const E: f64 = 1e5;
/// Poisson's ratio of the reference block.
pub const NU: f64 = 0.3;

/// The CPU in both precisions, and the device.
pub fn backends() -> [(&'static str, Options); 3] {
    [
        ("cpu f64", Options::cpu(Precision::F64)),
        ("cpu f32", Options::cpu(Precision::F32)),
        ("gpu", Options { backend: Backend::Gpu, ..Options::default() }),
    ]
}

/// A box of cells.
pub fn cuboid(size: [f64; 3], cells: [u32; 3]) -> SolidShape {
    SolidShape::Box { size: DVec3::from(size), cells }
}

pub fn scene(solid: Solid) -> Scene {
    Scene { solid: vec![solid], ..Scene::default() }
}

/// A solid without weight in explicit steps that are short enough for stiff ones.
pub fn explicit(solid: Solid) -> Scene {
    Scene {
        gravity: DVec3::ZERO,
        time_step: 1e-4,
        substeps: 1,
        integrator: Integrator::Symplectic,
        ..scene(solid)
    }
}

pub fn simulate(scene: &Scene, options: &Options) -> Simulation {
    Simulation::new(scene, options).unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
pub fn assert_close(what: &str, found: f64, expected: f64, relative: f64) {
    let error = (found - expected).abs() / expected.abs();
    println!("{what}: {found:.8e}, expected {expected:.8e}, off by {error:.1e}");
    assert!(error <= relative, "{what}: {found:.8} instead of {expected:.8}, off by {:.4} %", 100.0 * error);
}

/// Numbers that look random and are always the same (xorshift64*), in −1 … 1.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

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
