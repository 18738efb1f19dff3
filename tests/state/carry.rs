//! A scene changed while it runs keeps its state, and compiles nothing.

use sinew::compute::{AdapterChoice, Gpu};
use sinew::scene::Scene;
use sinew::{Place, Precision, Simulation};

/// A limited sheet, a solid that turns and a twisted rod: everything that has a memory of its own.
const SCENE: &str = r#"
format = 1
substeps = 3
strain_limiting = { method = "impulses", iterations = 4 }
[[cloth]]
name = "sheet"
model = "green"
grid = { size = [1, 1], cells = [6, 6] }
density = 0.5
[cloth.fabric]
weft_modulus = 40
warp_modulus = 40
shear_modulus = 10
limits = { weft = [-0.9, 0.02], warp = [-0.9, 0.02], shear = 0.1 }
[[cloth.pin]]
corners = ["top_left"]
[[solid]]
name = "block"
box = { size = [0.6, 0.2, 0.2], cells = [4, 2, 2] }
position = [3, 0, 0]
youngs_modulus = 2e3
model = "corotational"
[[solid.pin]]
box = { min = [-1, -1, -1], max = [2.701, 1, 1] }
[[rod]]
name = "cord"
from = [5, 0, 0]
to = [6, 0, 0]
segments = 8
twist = 200
rest = "straight"
"#;

fn scene() -> Scene {
    Scene::parse(SCENE, "carry.toml", "").unwrap_or_else(|error| panic!("{error}"))
}

/// Other materials for all bodies, and other masses for the sheet.
fn changed(factor: f64) -> Scene {
    let mut scene = scene();
    scene.cloth[0].density *= factor;
    scene.solid[0].material.youngs_modulus *= factor;
    scene.rod[0].material.youngs_modulus *= factor;
    scene
}

fn gpu() -> Gpu {
    let gpu = Gpu::open(&AdapterChoice::default()).unwrap_or_else(|error| panic!("{error}"));
    println!("adapter: {}", gpu.report.title());
    gpu
}

/// A simulation of another scene that goes on from the state of this one.
fn edited(mut simulation: Simulation, scene: &Scene, place: &Place) -> Simulation {
    let mut next = Simulation::interactive(scene, place).unwrap();
    assert!(next.take_over(&mut simulation).unwrap());
    next
}

fn column(simulation: &mut Simulation, name: &str) -> Vec<f64> {
    let id = simulation.solver().buffers.find(name).unwrap_or_else(|| panic!("{name}"));
    simulation.executor().read(id).unwrap().reals().to_vec()
}

#[test]
fn a_scene_changed_and_changed_back_equals_one_that_was_never_touched() {
    for place in [Place::Cpu(Precision::F32), Place::Cpu(Precision::F64), Place::Device(Box::new(gpu()))] {
        let start = || {
            let mut simulation = Simulation::interactive(&scene(), &place).unwrap();
            simulation.advance(12).unwrap();
            simulation
        };
        let mut untouched = start();
        let mut touched = edited(edited(start(), &changed(1.7), &place), &scene(), &place);
        assert_eq!(untouched.state().unwrap(), touched.state().unwrap());
        untouched.advance(8).unwrap();
        touched.advance(8).unwrap();
        assert_eq!(untouched.state().unwrap(), touched.state().unwrap());
    }
}

#[test]
fn a_change_keeps_memories_and_takes_what_the_new_model_says() {
    let place = Place::Cpu(Precision::F64);
    let mut before = Simulation::interactive(&scene(), &place).unwrap();
    before.advance(12).unwrap();
    let names = ["tet_turns", "limit_impulses", "membrane_rest", "frames", "spins", "velocities"];
    let kept = names.map(|name| column(&mut before, name));
    assert!(kept[1].chunks_exact(4).any(|impulse| impulse[..3] != [0.0; 3]), "some limit is in use");
    let masses = column(&mut before, "positions");
    let mut after = edited(before, &changed(2.0), &place);
    for (name, kept) in names.into_iter().zip(kept) {
        assert_eq!(column(&mut after, name), kept, "{name}");
    }
    let sheet = after.model().bodies.iter().find(|body| body.name == "sheet").unwrap().particles.clone();
    let place = |i: u32| 4 * i as usize;
    let now = column(&mut after, "positions");
    for i in sheet {
        assert_eq!(now[place(i)..][..3], masses[place(i)..][..3]);
        assert!((now[place(i) + 3] - 0.5 * masses[place(i) + 3]).abs() < 1e-12, "twice the mass");
    }
}

#[test]
fn ten_edits_compile_no_pipeline() {
    let gpu = gpu();
    let place = Place::Device(Box::new(gpu.clone()));
    let mut simulation = Simulation::interactive(&scene(), &place).unwrap();
    let count = gpu.pipeline_count();
    assert!(count > 0);
    for edit in 0..10 {
        simulation.step().unwrap();
        simulation = edited(simulation, &changed(1.0 + 0.1 * f64::from(edit)), &place);
    }
    assert_eq!(gpu.pipeline_count(), count);
}
