//! Explicit nets with the frames of Spillmann & Teschner's (2009) demonstrations, α = 0.02, which must not blow up.

use super::backends;
use glam::DVec3;
use sinew::scene::{NetMethod, RodSection, Scene};
use sinew::{Options, Simulation};

/// The nets of a scene of ours, explicit.
fn explicit(name: &str) -> Scene {
    let path = format!("{}/scenes/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let mut scene = Scene::load(std::path::Path::new(&path)).unwrap_or_else(|error| panic!("{error}"));
    for net in &mut scene.net {
        net.method = NetMethod::Corde;
        let material = &mut net.material;
        // Spillmann & Teschner's section law, r² for r⁴, with moduli that make it as stiff: its frames are heavier than real ones.
        // Metals have no step that a test could take.
        let stretch = material.stretch_modulus.unwrap_or(material.youngs_modulus).min(1e7);
        let square = material.radius * material.radius;
        let shear = 2.0 * material.bending_stiffness().z / (square * material.area());
        material.shear_modulus = Some(shear.min(4e6) * square);
        material.youngs_modulus = material.youngs_modulus.min(1e7) * square;
        material.stretch_modulus = Some(stretch);
        material.shear_stiffness = Some(stretch * material.area());
        material.section = RodSection::Printed;
        material.frame_inertia = Some(0.02);
    }
    scene.raise_substeps = true;
    scene
}

/// Every scene of nets; the tree is twelve times as soft here as it is, and in the same storm.
const SCENES: [&str; 8] =
    ["tree_wind", "ribbons", "truss", "zajac_ring", "bonsai", "chain_mail", "climbing_net", "spheroid"];

/// Runs a scene for a time, or as many steps as there may be substeps, and tells what became of it; returns where its points are.
fn survive(name: &str, options: &Options, seconds: f64, most_substeps: u32) -> Vec<DVec3> {
    let scene = explicit(name);
    let mut simulation = Simulation::new(&scene, options).unwrap_or_else(|error| panic!("{name}: {error}"));
    let substeps = simulation.model().settings.substeps;
    let steps = (seconds / scene.time_step).round() as u32;
    let steps = steps.min(most_substeps / substeps).max(1);
    simulation.advance(steps).unwrap_or_else(|error| panic!("{name}: {error}"));
    let measures = simulation.measure().unwrap();
    println!(
        "{name}: {} steps of {substeps} substeps, {:.2} m/s, stretched by {:.1} %",
        steps,
        measures.max_speed,
        100.0 * measures.max_stretch
    );
    assert!(measures.max_speed < 30.0 && measures.max_stretch < 1.0, "{name}: {measures:?}");
    simulation.positions().unwrap()
}

#[test]
fn explicit_nets_of_light_frames_do_not_blow_up() {
    for name in SCENES {
        survive(name, &backends()[1].1, 0.2, 800);
    }
}

/// What vibrates too fast for its step grows by a tenth a step and more: a hundred substeps tell.
#[test]
fn explicit_nets_of_light_frames_move_on_the_device_as_in_f64() {
    let [(_, exact), _, (_, gpu)] = backends();
    for name in SCENES {
        let [expected, found] = [&exact, &gpu].map(|options| survive(name, options, 0.05, 150));
        let apart = found.iter().zip(&expected).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        println!("{name}: {apart:.1e} m apart");
        assert!(apart < 1e-5, "{name}: {apart:e} m apart");
    }
}

/// Takes minutes: `cargo test --test nets -- --ignored light_frames`.
#[test]
#[ignore = "takes minutes"]
fn explicit_nets_of_light_frames_do_not_blow_up_in_ten_seconds() {
    for name in SCENES {
        survive(name, &backends()[1].1, 10.0, u32::MAX);
    }
}
