//! Pins and meshes that are hard on multigrid: solved, with at most three times the iterations of a plain sheet.

use crate::sheet::{PLACES, pin, scene};
use glam::DVec3;
use sinew::scene::{ConjugateGradients, Fabric, Integrator, Keyframe, Scene};
use sinew::{Options, Precision, Simulation};

/// Most iterations of any step among twenty.
fn most(scene: &Scene, options: &Options) -> u32 {
    let mut simulation = Simulation::new(scene, options).unwrap_or_else(|error| panic!("{error}"));
    simulation.advance(20).unwrap_or_else(|error| panic!("{error}"));
    let counts = simulation.iterations().unwrap().unwrap();
    assert_eq!(counts.unfinished, 0, "{counts:?}");
    assert!(simulation.positions().unwrap().iter().all(|x| x.is_finite()));
    counts.most
}

/// A sheet that falls from two corners.
fn sheet(cells: [u32; 2]) -> Scene {
    let fabric =
        Fabric { weft_modulus: 2000.0, warp_modulus: 2000.0, shear_modulus: 500.0, ..Fabric::default() };
    let mut scene = scene([1.0, 1.0], cells, fabric, 1.0 / 60.0);
    scene.gravity = DVec3::new(0.0, 0.0, -9.81);
    scene.integrator = Integrator::Implicit;
    scene.conjugate_gradients = ConjugateGradients { iterations: 200, tolerance: 1e-3 };
    scene.cloth[0].density = 0.2;
    scene.cloth[0].bending_stiffness = 1e-5;
    scene.cloth[0].pin = vec![pin(vec![0, cells[0]])];
    scene
}

fn f32s() -> Options {
    Options::cpu(Precision::F32)
}

#[test]
fn hard_sheets_take_at_most_three_times_the_iterations() {
    let plain = most(&sheet([32, 32]), &f32s());
    let mut moving = sheet([32, 32]);
    moving.cloth[0].pin[0].motion = vec![
        Keyframe { time: 0.0, offset: DVec3::ZERO, rotation: DVec3::ZERO },
        Keyframe { time: 0.3, offset: DVec3::new(0.3, 0.1, 0.2), rotation: DVec3::ZERO },
    ];
    let mut free = sheet([32, 32]);
    free.cloth[0].pin.clear();
    for (name, scene) in [("moving pins", moving), ("held nowhere", free)] {
        let found = most(&scene, &f32s());
        println!("{name}: {found} iterations, {plain} of the plain sheet");
        assert!(found <= 3 * plain, "{name}: {found} iterations, {plain} of the plain sheet");
    }
}

/// One triangle is its own tail: its matrix is inverted.
#[test]
fn one_triangle_is_solved_at_once() {
    for place in PLACES {
        let mut scene = sheet([1, 1]);
        scene.cloth[0].pin = vec![pin(vec![0, 1])];
        let found = most(&scene, &place.options());
        assert!(found <= 3, "{place:?}: {found} iterations");
    }
}

/// The small mass of statics decides where nothing else does.
#[test]
fn statics_of_a_sheet_that_nothing_holds_is_finite() {
    let mut scene = sheet([16, 16]);
    scene.integrator = Integrator::Static;
    scene.gravity = DVec3::ZERO;
    scene.cloth[0].pin.clear();
    most(&scene, &f32s());
}
