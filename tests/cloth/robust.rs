//! Pins and meshes that are hard on multigrid: solved, with at most three times the iterations of a plain sheet.

use crate::sheet::{PLACES, pin, scene};
use glam::DVec3;
use sinew::scene::{
    ClothShape, ConjugateGradients, Fabric, Integrator, Keyframe, Preconditioner, Scene, TriangleMesh,
};
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
    scene.preconditioner = Preconditioner::Multigrid;
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
    free.cloth[0].pin[0].release = Some(0.1);
    let mut strip = sheet([64, 1]);
    strip.cloth[0].shape = ClothShape::Grid { size: [1.0, 0.02], cells: [64, 1] };
    for (name, scene) in [("moving pins", moving), ("let go", free), ("one cell wide", strip)] {
        let found = most(&scene, &f32s());
        println!("{name}: {found} iterations, {plain} of the plain sheet");
        assert!(found <= 3 * plain, "{name}: {found} iterations, {plain} of the plain sheet");
    }
}

/// A grid of 32² cells of which every second row has a fiftieth of the height.
fn slender() -> TriangleMesh {
    let mut mesh = sinew::meshing::generate::grid([1.0, 1.0], [32, 32]);
    let heights = |row: usize| (row / 2) as f64 * 1.02 + (row % 2) as f64;
    for (i, x) in mesh.positions.iter_mut().enumerate() {
        x.y = heights(i / 33) / heights(32) - 0.5;
    }
    mesh
}

/// Aggregates go by the mesh and do not follow the stiffest couplings, so that these take 6 and 11 times the iterations of an even sheet (9).
#[test]
fn slivers_and_a_weft_a_million_times_as_stiff_as_the_warp_are_solved() {
    let mut slivers = sheet([32, 32]);
    slivers.cloth[0].shape = ClothShape::Triangles(slender());
    let mut woven = sheet([32, 32]);
    (woven.cloth[0].fabric.weft_modulus, woven.cloth[0].fabric.warp_modulus) = (2e6, 2.0);
    for (name, scene, allowed) in [("slivers", slivers, 70), ("weft and warp", woven, 120)] {
        let found = most(&scene, &f32s());
        println!("{name}: {found} iterations");
        assert!(found <= allowed, "{name}: {found} iterations");
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
