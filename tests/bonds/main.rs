//! Bonded cells against answers known on paper, on all backends.

mod elastic;
mod fracture;
mod input;

use sinew::scene::Scene;
use sinew::{Backend, Options, Precision, Simulation};

/// The CPU in both precisions, and the device.
fn backends() -> [(&'static str, Options); 3] {
    [
        ("cpu f64", Options::cpu(Precision::F64)),
        ("cpu f32", Options::cpu(Precision::F32)),
        ("gpu", Options { backend: Backend::Gpu, ..Options::default() }),
    ]
}

fn scene(text: &str) -> Scene {
    Scene::parse(text, "bonds.toml", "").unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn simulate(text: &str, options: &Options) -> Simulation {
    Simulation::new(&scene(text), options).unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn assert_close(what: &str, found: f64, wanted: f64, tolerance: f64) {
    let off = (found / wanted - 1.0).abs();
    assert!(off <= tolerance, "{what}: {found:e} instead of {wanted:e}, off by {off:.2e}");
}
