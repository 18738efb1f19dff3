//! Nets against answers known on paper and in Spillmann & Teschner 2009, on all backends.

mod joints;
mod kernels;
mod light_frames;
mod reference;
mod ribbon;
mod rings;
mod shapes;
mod spheroid;
mod spillmann;
mod truss;

use glam::DVec3;
use sinew::scene::{Net, Scene};
use sinew::{Backend, Options, Precision, Simulation};

/// The CPU in both precisions, and the device.
pub fn backends() -> [(&'static str, Options); 3] {
    [
        ("cpu f64", Options::cpu(Precision::F64)),
        ("cpu f32", Options::cpu(Precision::F32)),
        ("gpu", Options { backend: Backend::Gpu, ..Options::default() }),
    ]
}

pub fn scene(net: Net) -> Scene {
    Scene { net: vec![net], ..Scene::default() }
}

/// Runs for a time [s].
pub fn run(scene: &Scene, options: &Options, seconds: f64) -> Simulation {
    let mut simulation = Simulation::new(scene, options).unwrap_or_else(|error| panic!("{error}"));
    simulation.advance((seconds / scene.time_step).round() as u32).unwrap_or_else(|error| panic!("{error}"));
    simulation
}

pub fn assert_close(what: &str, found: f64, expected: f64, relative: f64) {
    let error = (found - expected).abs() / expected.abs();
    assert!(error <= relative, "{what}: {found:.8} instead of {expected:.8}, off by {:.4} %", 100.0 * error);
}

/// The particle that starts nearest to a point.
pub fn nearest(scene: &Scene, point: DVec3) -> usize {
    let positions = &scene.build().unwrap().nets[0].positions;
    let distance = |i: &usize| positions[*i].distance(point);
    (0..positions.len()).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap()
}
