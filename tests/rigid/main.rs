//! Rigid bodies against answers known on paper, on all backends.

mod attach;
mod cells;
mod contact;
mod errors;
mod fields;
mod free;
mod induced;
mod joints;
mod magnets;
mod shapes;
mod soft;

use sinew::scene::{Rigid, Scene};
use sinew::{Backend, Options, Precision, Simulation};

/// The CPU in both precisions, and the device.
pub fn backends() -> [(&'static str, Options); 3] {
    [
        ("cpu f64", Options::cpu(Precision::F64)),
        ("cpu f32", Options::cpu(Precision::F32)),
        ("gpu", Options { backend: Backend::Gpu, ..Options::default() }),
    ]
}

pub fn scene(rigid: Vec<Rigid>) -> Scene {
    Scene { rigid, ..Scene::default() }
}

pub fn simulate(scene: &Scene, options: &Options) -> Simulation {
    Simulation::new(scene, options).unwrap_or_else(|error| panic!("{error}"))
}

/// Runs for a time [s].
pub fn run(scene: &Scene, options: &Options, seconds: f64) -> Simulation {
    let mut simulation = simulate(scene, options);
    simulation.advance((seconds / scene.time_step).round() as u32).unwrap_or_else(|error| panic!("{error}"));
    simulation
}

pub fn assert_close(what: &str, found: f64, expected: f64, relative: f64) {
    let error = (found - expected).abs() / expected.abs();
    assert!(error <= relative, "{what}: {found:.8} instead of {expected:.8}, off by {:.4} %", 100.0 * error);
}
