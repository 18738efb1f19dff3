//! Rods against answers known on paper, on all backends.

mod buckled;
mod cantilever;
mod corde;
mod ends;
mod errors;
mod kernels;
mod loads;
mod magnets;
mod modes;
mod motion;
mod order;
mod pendulum;
mod sections;
mod shapes;
mod spillmann;
mod spiral;
mod statics;
mod walks;

use glam::DVec3;
use sinew::compute::Run;
use sinew::model::Model;
use sinew::scene::{Rod, Scene};
use sinew::{Backend, Options, Precision, Simulation};

/// The CPU in both precisions, and the device.
pub fn backends() -> [(&'static str, Options); 3] {
    [
        ("cpu f64", Options::cpu(Precision::F64)),
        ("cpu f32", Options::cpu(Precision::F32)),
        ("gpu", Options { backend: Backend::Gpu, ..Options::default() }),
    ]
}

pub fn scene(rod: Rod) -> Scene {
    Scene { rod: vec![rod], ..Scene::default() }
}

/// Runs for a time [s].
pub fn run(scene: &Scene, options: &Options, seconds: f64) -> Simulation {
    let mut simulation = Simulation::new(scene, options).unwrap_or_else(|error| panic!("{error}"));
    simulation.advance((seconds / scene.time_step).round() as u32).unwrap_or_else(|error| panic!("{error}"));
    simulation
}

/// The fastest that any particle moves along an axis after running some passes, whatever becomes of it [m/s].
pub fn speed_after(model: &Model, options: &Options, runs: &[Run]) -> f64 {
    let mut simulation =
        Simulation::from_model(model.clone(), options).unwrap_or_else(|error| panic!("{error}"));
    let velocities = simulation.solver().velocities;
    simulation.executor().execute(runs).unwrap_or_else(|error| panic!("{error}"));
    let v = simulation.executor().read(velocities).unwrap();
    v.reals().iter().fold(0.0, |most, v| if v.is_nan() { f64::INFINITY } else { most.max(v.abs()) })
}

/// The last point [m].
pub fn tip(simulation: &mut Simulation) -> DVec3 {
    *simulation.positions().unwrap().last().unwrap()
}

pub fn assert_close(what: &str, found: f64, expected: f64, relative: f64) {
    let error = (found - expected).abs() / expected.abs();
    assert!(error <= relative, "{what}: {found:.8} instead of {expected:.8}, off by {:.4} %", 100.0 * error);
}
