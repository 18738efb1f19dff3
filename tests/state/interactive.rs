//! A simulation under somebody's hands: held, changed while it runs, taken apart; and scenes written back to files.

use glam::DVec3;
use sinew::compute::{AdapterChoice, CpuExecutor, Gpu, GpuExecutor, compare_runs};
use sinew::constraints::grab::Hold;
use sinew::contact::ball_push::Sphere;
use sinew::model::Model;
use sinew::scene::{Cloth, ClothShape, Corner, Pin, Points, PointsShape, Scene, Selector, SolverKind};
use sinew::solver::{Cores, Families, Solver};
use sinew::{Options, Place, Precision, Simulation, scenes};

const G: f64 = 9.81;

fn cpu() -> Place {
    Place::Cpu(Precision::F64)
}

/// A chain of two particles of half a kilogram each.
fn dumbbell() -> Scene {
    let shape = PointsShape::Chain { from: DVec3::ZERO, to: DVec3::X, links: 1, mass: 1.0 };
    let points = Points { name: "dumbbell".into(), shape, ..Points::default() };
    Scene { points: vec![points], damping: 4.0, ..Scene::default() }
}

fn sheet() -> Scene {
    let shape = ClothShape::Grid { size: [1.0, 1.0], cells: [12, 12] };
    let pin = Pin { selector: Selector::Corners(vec![Corner::TopLeft, Corner::TopRight]), ..Pin::default() };
    let cloth = Cloth { name: "sheet".into(), shape, pin: vec![pin], ..Cloth::default() };
    Scene { cloth: vec![cloth], ..Scene::default() }
}

/// A weight held by a hand of compliance α hangs α m g below it, however many iterations are spent on it.
#[test]
fn a_hand_gives_way_by_its_compliance() {
    let compliance = 0.01;
    for (iterations, solver) in
        [(1, SolverKind::Coloured), (5, SolverKind::Coloured), (5, SolverKind::Jacobi)]
    {
        let scene = Scene { iterations, solver, ..dumbbell() };
        let mut simulation = Simulation::interactive(&scene, &cpu()).unwrap();
        let target = DVec3::new(0.0, 2.0, 0.0);
        let order = simulation.model().order.new_of_old.clone();
        let holds: Vec<Hold> = (0..2)
            .map(|k| Hold { particle: order[k], target: target + DVec3::X * k as f64, compliance })
            .collect();
        simulation.hold(&holds).unwrap();
        simulation.advance(600).unwrap();
        for (k, x) in simulation.positions().unwrap().iter().enumerate() {
            let expected = target + DVec3::X * k as f64 - DVec3::Y * compliance * 0.5 * G;
            assert!(x.distance(expected) < 1e-4, "{iterations} {solver:?}: {x} instead of {expected}");
        }
    }
}

#[test]
fn a_hand_without_compliance_pins_and_an_empty_one_lets_go() {
    let mut simulation = Simulation::interactive(&dumbbell(), &cpu()).unwrap();
    let held = Hold { particle: 0, target: DVec3::new(0.0, 0.0, 0.0), compliance: 0.0 };
    simulation.hold(&[held]).unwrap();
    simulation.advance(60).unwrap();
    assert!(simulation.model_positions().unwrap()[0].length() < 1e-6);
    simulation.hold(&[]).unwrap();
    simulation.advance(30).unwrap();
    assert!(simulation.model_positions().unwrap()[0].y < -0.1);
}

#[test]
fn an_empty_hand_changes_nothing_to_the_bit() {
    for solver in [SolverKind::Coloured, SolverKind::Jacobi] {
        let scene = Scene { solver, iterations: 3, ..sheet() };
        let mut plain = Simulation::new(&scene, &Options::cpu(Precision::F32)).unwrap();
        let mut interactive = Simulation::interactive(&scene, &Place::Cpu(Precision::F32)).unwrap();
        plain.advance(20).unwrap();
        interactive.advance(20).unwrap();
        assert_eq!(plain.positions().unwrap(), interactive.positions().unwrap());
    }
}

/// No free particle is inside the ball after a step, and they are free again when it is gone.
#[test]
fn a_ball_pushes_particles_out() {
    let mut simulation = Simulation::interactive(&sheet(), &cpu()).unwrap();
    let held: Vec<bool> = simulation.model().particles.inverse_masses.iter().map(|&w| w == 0.0).collect();
    let middle = simulation.model().particles.positions[held.len() / 2];
    let sphere = Sphere { centre: middle + DVec3::new(0.01, 0.02, 0.01), radius: 0.15 };
    simulation.place_ball(Some(sphere)).unwrap();
    simulation.advance(20).unwrap();
    let x = simulation.model_positions().unwrap();
    let inside = |x: &DVec3| x.distance(sphere.centre) < sphere.radius - 1e-6;
    assert_eq!(x.iter().zip(&held).filter(|(x, held)| inside(x) && !**held).count(), 0);
    simulation.place_ball(None).unwrap();
    simulation.advance(40).unwrap();
    assert!(simulation.model_positions().unwrap().iter().any(inside));
}

/// What the last iteration of a step did is told, and the step is the same step.
#[test]
fn a_watched_step_is_a_step() {
    let mut plain = Simulation::interactive(&sheet(), &cpu()).unwrap();
    let mut watched = Simulation::interactive(&sheet(), &cpu()).unwrap();
    let sphere = Some(Sphere { centre: plain.model().particles.positions[60], radius: 0.1 });
    for simulation in [&mut plain, &mut watched] {
        simulation.place_ball(sphere).unwrap();
    }
    for _ in 0..3 {
        plain.step().unwrap();
        watched.watched_step(true).unwrap();
    }
    assert_eq!(plain.positions().unwrap(), watched.positions().unwrap());
    assert_eq!(plain.steps(), watched.steps());
    assert!(watched.constraint_errors().unwrap().iter().any(|&error| error > 0.0));
    assert!(!watched.contacts().is_empty(), "the ball touches nothing");
}

/// Both backends pull and push the same way, in every pass.
#[test]
fn a_hand_on_the_device_matches_its_twin() {
    let gpu = Gpu::open(&AdapterChoice::default()).expect("install a Vulkan driver: mesa-vulkan-drivers");
    eprintln!("on {}", gpu.report.title());
    for solver in [SolverKind::Coloured, SolverKind::Jacobi] {
        let model = Model::new(&Scene { solver, iterations: 2, ..sheet() }).unwrap();
        let solver = Solver::interactive(&model, &Families::standard(), Cores::Few).unwrap();
        let mut device = GpuExecutor::new(&gpu, &solver.buffers, &solver.passes).unwrap();
        let mut twin = CpuExecutor::<f32>::new(&solver.buffers, &solver.passes);
        let hold = |particle, compliance| Hold { particle, target: DVec3::new(0.1, 0.3, 0.2), compliance };
        let holds = [hold(3, 1e-3), hold(70, 0.0), hold(120, 1e-2)];
        let hand = solver.hand.unwrap();
        hand.hold(&mut device, &holds).unwrap();
        hand.hold(&mut twin, &holds).unwrap();
        let sphere = Some(Sphere { centre: model.particles.positions[60], radius: 0.2 });
        let ball = solver.ball.unwrap();
        ball.place(&mut device, sphere).unwrap();
        ball.place(&mut twin, sphere).unwrap();
        let difference =
            compare_runs(&solver.buffers, &solver.passes, 2, [&mut device, &mut twin], 1e-5).unwrap();
        if let Err(difference) = difference {
            panic!("{difference}");
        }
    }
}

#[test]
fn another_solver_goes_on_from_the_same_state() {
    let mut before = Simulation::interactive(&sheet(), &cpu()).unwrap();
    before.advance(30).unwrap();
    let mut changed = Scene { solver: SolverKind::Jacobi, substeps: 17, time_step: 0.01, ..sheet() };
    changed.cloth[0].stretch_stiffness = 50.0;
    let mut after = Simulation::interactive(&changed, &cpu()).unwrap();
    assert!(after.take_over(&mut before).unwrap());
    assert!((after.time() - before.time()).abs() <= 0.005);
    let (old, new) = (before.positions().unwrap(), after.positions().unwrap());
    assert!(old.iter().zip(&new).all(|(a, b)| a.distance(*b) < 1e-6));
    after.advance(5).unwrap();
    let fell = after.measure().unwrap();
    assert!(fell.max_speed > 0.0 && fell.max_speed < 20.0);
}

#[test]
fn a_rod_keeps_its_frames_when_its_material_changes() {
    let text = "format = 1\n[[rod]]\nfrom = [0, 0, 0]\nto = [1, 0, 0]\nsegments = 8\ntwist = 200\nrest = \"straight\"\n";
    let mut scene = Scene::parse(text, "twisted", "").unwrap();
    let mut before = Simulation::interactive(&scene, &cpu()).unwrap();
    before.advance(5).unwrap();
    scene.rod[0].material.youngs_modulus *= 2.0;
    let mut after = Simulation::interactive(&scene, &cpu()).unwrap();
    assert_ne!(after.frames().unwrap(), before.frames().unwrap());
    assert!(after.take_over(&mut before).unwrap());
    assert_eq!(after.frames().unwrap(), before.frames().unwrap());
    scene.rod[0].start.hold = sinew::scene::Hold::Clamped;
    let mut clamped = Simulation::interactive(&scene, &cpu()).unwrap();
    assert!(!clamped.take_over(&mut before).unwrap());
}

#[test]
fn another_body_starts_anew() {
    let mut before = Simulation::interactive(&dumbbell(), &cpu()).unwrap();
    let mut after = Simulation::interactive(&sheet(), &cpu()).unwrap();
    assert!(!after.take_over(&mut before).unwrap());
    assert_eq!(after.steps(), 0);
}

#[test]
fn gravity_turns_without_touching_the_state() {
    let mut simulation = Simulation::interactive(&dumbbell(), &cpu()).unwrap();
    simulation.advance(10).unwrap();
    let before = simulation.positions().unwrap();
    let turned = Scene { gravity: DVec3::X * G, damping: 0.0, ..dumbbell() };
    assert!(simulation.set_surroundings(&turned).unwrap());
    assert_eq!(simulation.positions().unwrap(), before);
    let speed = |simulation: &mut Simulation| simulation.velocities().unwrap()[0];
    let start = speed(&mut simulation);
    simulation.advance(60).unwrap();
    let gained = speed(&mut simulation) - start;
    assert!((gained - DVec3::X * G).length() < 1e-3, "{gained}");
}

#[test]
fn a_step_taken_pass_by_pass_is_the_same_step() {
    let mut whole = Simulation::interactive(&sheet(), &cpu()).unwrap();
    let mut parts = Simulation::interactive(&sheet(), &cpu()).unwrap();
    whole.advance(2).unwrap();
    for _ in 0..2 {
        let solver = parts.solver();
        let (substep, finish, substeps) = (solver.substep(), solver.end_of_step(), solver.substeps());
        for _ in 0..substeps {
            substep.clone().for_each(|pass| parts.run_pass(pass).unwrap());
        }
        finish.for_each(|pass| parts.run_pass(pass).unwrap());
        parts.count_step().unwrap();
    }
    assert_eq!(whole.positions().unwrap(), parts.positions().unwrap());
    assert_eq!(whole.time(), parts.time());
}

#[test]
fn the_last_pass_of_a_substep_shows_where_it_leads() {
    let mut simulation = Simulation::interactive(&sheet(), &cpu()).unwrap();
    let finish = simulation.solver().substep().end - 1;
    (0..finish).for_each(|pass| simulation.run_pass(pass).unwrap());
    let predicted = simulation.positions_after(finish - 1).unwrap();
    simulation.run_pass(finish).unwrap();
    let reached = simulation.positions_after(finish).unwrap();
    assert!(predicted.iter().zip(&reached).all(|(a, b)| a.distance(*b) < 1e-7));
}

#[test]
fn each_iteration_moves_less_than_the_one_before() {
    for solver in [SolverKind::Coloured, SolverKind::Jacobi] {
        let scene = Scene { solver, iterations: 12, substeps: 2, ..sheet() };
        let mut simulation = Simulation::interactive(&scene, &cpu()).unwrap();
        simulation.advance(5).unwrap();
        let mut iterates = Vec::new();
        simulation.visit_iterates(|positions| iterates.push(positions)).unwrap();
        let moved = |pair: &[Vec<DVec3>]| -> f64 {
            pair[0].iter().zip(&pair[1]).map(|(a, b)| a.distance_squared(*b)).sum()
        };
        let residuals: Vec<f64> = iterates.windows(2).map(moved).collect();
        assert_eq!(residuals.len(), 12);
        assert!(residuals.windows(2).all(|pair| pair[1] < pair[0]), "{solver:?}: {residuals:?}");
    }
}

#[test]
fn a_profiled_step_is_a_step_and_names_its_kernels() {
    let mut plain = Simulation::interactive(&sheet(), &cpu()).unwrap();
    let mut profiled = Simulation::interactive(&sheet(), &cpu()).unwrap();
    plain.step().unwrap();
    let times = profiled.profile_step().unwrap();
    assert_eq!(plain.positions().unwrap(), profiled.positions().unwrap());
    for kernel in ["predict", "distance", "grab", "finish", "watch"] {
        assert!(times.iter().any(|(name, time)| *name == kernel && *time >= 0.0), "{kernel}: {times:?}");
    }
}

#[test]
fn every_built_in_scene_written_reads_back_the_same() {
    for built_in in scenes::BUILT_IN {
        let scene = Scene::parse(built_in.text, built_in.name, "").unwrap();
        let text = scene.to_toml().unwrap();
        let again = Scene::parse(&text, built_in.name, "").unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(scene, again, "{text}");
    }
}

#[test]
fn every_value_of_a_scene_survives_writing() {
    let text = r#"
format = 1
title = "all \"keys\" \\ of a scene"
gravity = [0.1, -9.7, 0]
time_step = 0.01
substeps = 7
iterations = 3
solver = "jacobi"
integrator = "midpoint"
conjugate_gradients = { iterations = 33, tolerance = 1e-5 }
strain_limiting = { iterations = 44, tolerance = 1e-2 }
relaxation = 0.9
chebyshev = 0.5
damping = 0.1
duration = 2
seed = 9
[wind]
velocity = [1, 2, 3]
density = 1.1
gust = { amplitude = 0.5, period = 3 }
[camera]
eye = [1, 2, 3]
target = [0, 1, 0]
up = [0, 1, 0.1]
field_of_view = 50
orbit = 3
[render]
size = [640, 480]
frames_per_second = 25
colour = "strain"
range = [0, 0.1]
ground = false
theme = "dark"
[[cloth]]
name = "disc"
disc = { radius = 0.5, rings = 5 }
position = [0, 1, 0]
rotation = [90, 0, 10]
scale = 1.5
velocity = [0, 1, 0]
density = 0.3
thickness = 0.002
colour = [0.1, 0.2, 0.3]
stretch_stiffness = inf
compression_stiffness = 10
shear_stiffness = 20
bending = "distance"
bending_stiffness = 1e-3
area_stiffness = 5
tethers = { slack = 1.1 }
drag = 0.7
lift = 0.1
friction = 0.2
[[cloth.pin]]
edge = "rim"
compliance = 1e-3
motion = [{ time = 0, offset = [0, 0, 0] }, { time = 1, offset = [0, 1, 0], rotation = [0, 90, 0] }]
pivot = [0, 0, 1]
release = 1.5
[[cloth]]
name = "grid"
grid = { size = [1, 2], cells = [3, 4] }
bending = "isometric"
[[cloth.pin]]
corners = ["top_left", "bottom_right"]
[[cloth.pin]]
box = { min = [-1, -0.2, -1], max = [0, 0.2, 1] }
compliance = 0.1
[[points]]
name = "listed"
points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
masses = [1, 2, 3, 4]
links = [[0, 1], [1, 2]]
triangles = [[0, 1, 2]]
tetrahedra = [[0, 1, 2, 3]]
radius = 0.03
compliance = 1e-4
compression_compliance = inf
area_compliance = 1e-5
volume_compliance = inf
friction = 0.9
[[points.pin]]
nearest = [0, 0, 0]
[[cloth]]
name = "woven"
grid = { size = [1, 1], cells = [2, 2] }
model = "green"
density = 0.3
bending = "dihedral"
[cloth.fabric]
preset = "denim"
poisson_ratio = 0.05
dilation_viscosity = 0.01
limits = { weft = [-inf, 0.1], shear = 0.2 }
[[rod]]
name = "shaft"
from = [0, 3, 0]
to = [1, 3, 0]
segments = 5
position = [0, 1, 0]
rotation = [0, 90, 0]
scale = 2
velocity = [0, 0, 1]
colour = [0.2, 0.3, 0.4]
material = "steel_wire"
shear_modulus = 7e10
radius = 0.002
rest = "straight"
twist = 30
method = "jacobi"
start = "clamped"
end = { hold = "pinned", motion = [{ time = 0 }, { time = 1, rotation = [90, 0, 0] }], pivot = [0, 1, 0], weight = 0.1 }
friction = 0.2
[[rod.pin]]
indices = [2]
compliance = 0.1
[[rod]]
name = "cable"
points = [[0, 5, 0], [1, 5, 0], [1, 6, 0]]
segments = 8
material = "cable"
[[rod]]
name = "springs"
helix = { radius = 0.1, pitch = 0.05, turns = -3, segments = 40 }
youngs_modulus = 1e9
stretch_modulus = 2e9
poisson_ratio = 0.3
rest_curvature = [1, 2]
rest_twist = 3
copies = { count = [2, 1], steps = [[1, 0, 0], [0, 0, 1]] }
[[collider]]
name = "floor"
plane = { normal = [0, 1, 0], offset = -1 }
[[collider]]
name = "ball"
sphere = { radius = 0.5 }
position = [3, 0, 0]
friction = 0.8
colour = [0.5, 0.5, 0.5]
motion = [{ time = 0, offset = [0, 0, 0] }, { time = 2, offset = [1, 0, 0] }]
pivot = [3, 1, 0]
[[collider]]
capsule = { radius = 0.1, length = 1 }
rotation = [0, 0, 90]
[expect]
at = 1
max_stretch = 0.1
energy = { min = 0 }
lowest = { min = -1, max = 2 }
[[expect.particle]]
body = "listed"
index = 2
min = [-1, -inf, -1]
"#;
    let scene = Scene::parse(text, "all", "").unwrap();
    let written = scene.to_toml().unwrap();
    let again = Scene::parse(&written, "written", "").unwrap_or_else(|error| panic!("{error}\n{written}"));
    assert_eq!(scene, again, "{written}");
}

#[test]
fn a_saved_scene_finds_its_meshes_from_anywhere() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    std::fs::write(folder.path().join("triangle.obj"), mesh).unwrap();
    let text = "format = 1\n[[cloth]]\nname = \"sail\"\nmesh = \"triangle.obj\"\n";
    let scene = Scene::parse(text, "sail", folder.path()).unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let file = elsewhere.path().join("saved.toml");
    std::fs::write(&file, scene.with_paths_from(elsewhere.path()).to_toml().unwrap()).unwrap();
    assert!(!std::fs::read_to_string(&file).unwrap().contains(folder.path().to_str().unwrap()));
    assert_eq!(Scene::load(&file).unwrap().build().unwrap().cloth[0].mesh.triangles.len(), 1);
}
