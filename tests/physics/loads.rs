//! Loads over time: shares, keys, pressure as the gradient of volume, Boyle's law, and what is known of inflated sheets.

use crate::common::{backends, truth};
use glam::DVec3;
use sinew::Simulation;
use sinew::scene::Scene;

fn parse(text: &str) -> Scene {
    Scene::parse(&format!("format = 1\n{text}"), "loads.toml", "").unwrap_or_else(|error| panic!("{error}"))
}

/// A column of a simulation's buffers.
fn column(simulation: &mut Simulation, name: &str) -> Vec<f64> {
    let id = simulation.solver().buffers.find(name).unwrap();
    simulation.executor().read(id).unwrap().reals().to_vec()
}

fn volume(triangles: &[[u32; 3]], x: &[DVec3]) -> f64 {
    let at = |p: u32| x[p as usize];
    triangles.iter().map(|&[a, b, c]| at(a).dot(at(b).cross(at(c))) / 6.0).sum()
}

const BALL: &str = r#"
gravity = [0, 0, 0]
substeps = 1
[[cloth]]
name = "ball"
sphere = { radius = 0.5, level = 2 }
position = [3, 1, -2]
[[load]]
body = "ball"
"#;

#[test]
fn pressure_is_the_gradient_of_the_volume_and_pulls_nowhere() {
    let mut simulation = truth().simulate(&parse(&format!("{BALL}pressure = 70\n")));
    simulation.advance(5).unwrap();
    let x = simulation.model_positions().unwrap();
    simulation.step().unwrap();
    let acting: Vec<DVec3> =
        column(&mut simulation, "acting").chunks_exact(4).map(DVec3::from_slice).collect();
    let triangles = &simulation.model().triangles.clone();
    let whole: DVec3 = acting.iter().sum();
    assert!(whole.length() < 1e-12 * 70.0, "{whole}");
    for i in [0, 17, 90] {
        for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
            let moved = |by: f64| {
                let mut x = x.clone();
                x[i] += by * axis;
                volume(triangles, &x)
            };
            let slope = 70.0 * (moved(1e-4) - moved(-1e-4)) / 2e-4;
            assert!((acting[i].dot(axis) - slope).abs() < 1e-7 * 70.0, "{} for {slope}", acting[i].dot(axis));
        }
    }
}

#[test]
fn a_gas_keeps_p_times_v_and_leaks() {
    for backend in backends() {
        let scene = parse(&format!("{BALL}pressure = 5\ngas = {{ ambient = 20, leak = 1e-2 }}\n"));
        let mut simulation = backend.simulate(&scene);
        // Volumes are those of positions without their residuals, so of numbers rounded to f32, also in f64.
        let tolerance = (1e2 * backend.rounding).max(1e-6);
        let dt = simulation.model().settings.substep();
        let triangles = simulation.model().triangles.clone();
        let mut amount = 25.0 * volume(&triangles, &simulation.model_positions().unwrap());
        for _ in 0..8 {
            let now = volume(&triangles, &simulation.model_positions().unwrap());
            simulation.step().unwrap();
            let (pressure, kept) = (amount / now - 20.0, column(&mut simulation, "strengths")[0]);
            assert!((pressure - kept).abs() < tolerance * 25.0, "{}: {kept} for {pressure}", backend.name);
            amount -= dt * 1e-2 * (pressure + 20.0) * pressure;
        }
        let left = column(&mut simulation, "gas_amounts")[0];
        assert!((left / amount - 1.0).abs() < tolerance, "{}: {left} for {amount}", backend.name);
    }
}

#[test]
fn forces_are_shared_by_mass_follow_their_keys_and_the_body() {
    let text = r#"
gravity = [0, 0, 0]
points = [{ name = "pair", points = [[0, 0, 0], [1, 0, 0]], masses = [1, 3] }]
load = [{ body = "pair", force = [0, 8, 0], keyframes = [{ time = 0, factor = 0 }, { time = 1, factor = 1 }, { time = 1.5, factor = 0 }] }]
"#;
    for backend in backends() {
        let mut simulation = backend.simulate(&parse(text));
        simulation.advance(120).unwrap();
        // The impulse is the area under the keys, the same velocity for every particle.
        for v in simulation.velocities().unwrap() {
            assert!((v.y - 2.0 * 0.75).abs() < 1e-4 && v.x == 0.0, "{}: {v}", backend.name);
        }
    }
    // A jet at the corner of a turning sheet keeps its angle to the sheet.
    let text = r#"
gravity = [0, 0, 0]
substeps = 1
points = [{ name = "sail", points = [[0, 0, 0], [1, 0, 0], [0, 1, 0]], mass = 0.1, links = [[0, 1], [1, 2], [2, 0]], triangles = [[0, 1, 2]] }]
load = [{ body = "sail", indices = [2], force = [0.3, 0, 0.4], follow = true }]
"#;
    let mut simulation = truth().simulate(&parse(text));
    simulation.advance(30).unwrap();
    let place = simulation.model().order.new_of_old[2] as usize;
    let x = simulation.positions().unwrap();
    simulation.step().unwrap();
    let row = column(&mut simulation, "acting")[4 * place..4 * place + 3].to_vec();
    let force = DVec3::from_slice(&row);
    let normal = (x[1] - x[0]).cross(x[2] - x[0]).normalize();
    assert!((force.length() - 0.5).abs() < 1e-9, "{force}");
    assert!((force.dot(normal).abs() - 0.4).abs() < 1e-6, "{force} at {normal}");
    assert!(normal.z.abs() < 0.9, "the sheet has turned: {normal}");
}

#[test]
fn tractions_act_on_areas_and_files_say_when() {
    let folder = std::env::temp_dir().join(format!("sinew-loads-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("push.csv"), "time,factor\n0,2\n1,2\n").unwrap();
    let text = r#"format = 1
gravity = [0, 0, 0]
cloth = [{ name = "sheet", grid = { size = [0.5, 0.2], cells = [5, 2] } }]
load = [{ body = "sheet", traction = [0, 0, 3], file = "push.csv" }]
"#;
    let scene = Scene::parse(text, "push.toml", &folder).unwrap_or_else(|error| panic!("{error}"));
    let mut simulation = truth().simulate(&scene);
    simulation.step().unwrap();
    let sum: f64 = column(&mut simulation, "acting").chunks_exact(4).map(|f| f[2]).sum();
    assert!((sum - 2.0 * 3.0 * 0.1).abs() < 1e-12, "{sum}");
    std::fs::write(folder.join("push.csv"), "time,factor\n0,2\n\u{1b}[2J,x\n").unwrap();
    let error = Scene::parse(text, "push.toml", &folder).unwrap_err().to_string();
    assert!(
        error.contains("push.toml:4: load 1: `file`") && error.contains("line 3: two numbers"),
        "{error}"
    );
    assert!(!error.contains('\u{1b}'), "{error}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn loads_that_make_no_sense_are_refused_with_their_cure() {
    let sheet = "format = 1\ncloth = [{ name = \"sheet\", grid = { size = [1, 1], cells = [2, 2] } }]\nrod = [{ name = \"rope\", from = [0, 0, 0], to = [1, 0, 0], segments = 4 }]\nload = [{ LOAD }]\n";
    for (load, wanted) in [
        (
            "body = \"shet\", pressure = 1",
            "`body` is \"shet\", and no body has that name; did you mean `sheet`?",
        ),
        ("body = \"rope\", pressure = 1", "`pressure` acts on triangles, and `rope` has none there"),
        ("body = \"sheet\", pressure = 1, gas = {}", "`gas` needs a closed surface"),
        ("body = \"sheet\", force = [0, 0, 1], gas = {}", "`gas` is for a `pressure`"),
        ("body = \"sheet\", pressure = 1, follow = true", "`follow` is for a `force`"),
        (
            "body = \"rope\", force = [0, 0, 1], follow = true",
            "`follow` has nothing to turn with at particle 0",
        ),
        ("body = \"sheet\"", "force"),
        ("body = \"sheet\", pressure = 1, file = \"/dev/zero\"", "not a file"),
        (
            "body = \"sheet\", pressure = 1, keyframes = [{ time = 1, factor = 0 }, { time = 1, factor = 1 }]",
            "keyframe 2: `time` is 1 s, not after 1 s",
        ),
    ] {
        let error = Scene::parse(&sheet.replace("LOAD", load), "load.toml", "").unwrap_err().to_string();
        assert!(error.starts_with("load.toml:4: load 1: "), "{error}");
        assert!(error.contains(wanted), "{error}\nwanted: {wanted}");
    }
}

/// Three stretches that turn by 90° and 45°: what is left of the tension, and no force on the whole.
#[test]
fn a_cable_loses_tension_at_its_bends_and_pulls_no_body_as_a_whole() {
    let text = r#"
gravity = [0, 0, 0]
substeps = 1
points = [
    { name = "a", points = [[0, 0, 0], [1, 0, 0]], mass = 1 },
    { name = "b", points = [[1, 2, 0], [2, 3, 0]], mass = 2 },
]
[[tendon]]
tension = 8
friction = 0.3
keyframes = [{ time = 0, factor = 0.5 }]
through = [{ body = "a", indices = [0, 1] }, { body = "b", indices = [0] }, { body = "b", indices = [1] }]
"#;
    for backend in backends() {
        let mut simulation = backend.simulate(&parse(text));
        simulation.step().unwrap();
        let tensions = column(&mut simulation, "tensions");
        let turn = std::f64::consts::FRAC_PI_4;
        let wanted = [0.0, 2.0 * turn, 3.0 * turn].map(|angle| 4.0 * (-0.3 * angle).exp());
        for (found, wanted) in tensions.iter().zip(wanted) {
            assert!((found / wanted - 1.0).abs() < 1e-5, "{}: {tensions:?} for {wanted}", backend.name);
        }
        let x = simulation.measure().unwrap();
        assert!(x.momentum.length() < 1e-6, "{}: {}", backend.name, x.momentum);
        // The first particle is pulled along x by the whole tension.
        let first = simulation.model().order.new_of_old[0] as usize;
        let acting = column(&mut simulation, "acting");
        assert!((acting[4 * first] - 4.0).abs() < 1e-5, "{}", backend.name);
    }
}

/// Laplace's law for a balloon of this membrane: scaled by λ it has the energy A K (λ² − 1)²/4, K = E/(1 − ν), against p V λ³, so that
/// λ − 1/λ = 3 p V/(A K). A and V are those of the triangles at rest. Damping, which lets it settle, must not make the gas weaker.
#[test]
fn a_balloon_grows_as_laplaces_law_says_with_and_without_damping() {
    let text = |damping: f64| {
        format!(
            r#"
gravity = [0, 0, 0]
substeps = 4
damping = {damping}
[[cloth]]
name = "ball"
sphere = {{ radius = 0.5, level = 2 }}
model = "green"
fabric = {{ weft_modulus = 300, warp_modulus = 300, shear_modulus = 115.384615, poisson_ratio = 0.3 }}
density = 0.1
bending = "none"
[[load]]
body = "ball"
pressure = 200
"#
        )
    };
    for backend in backends() {
        for damping in [0.0, 3.0, 30.0] {
            let mut simulation = backend.simulate(&parse(&text(damping)));
            let triangles = simulation.model().triangles.clone();
            let rest = simulation.model_positions().unwrap();
            let at = |p: u32| rest[p as usize];
            let area: f64 =
                triangles.iter().map(|&[a, b, c]| 0.5 * (at(b) - at(a)).cross(at(c) - at(a)).length()).sum();
            simulation.advance(60).unwrap();
            let now = volume(&triangles, &simulation.model_positions().unwrap());
            let before = volume(&triangles, &rest);
            let load = 3.0 * 200.0 * before / (area * 300.0 / 0.7);
            let wanted = 0.5 * (load + (load * load + 4.0).sqrt()) - 1.0;
            let found = (now / before).cbrt() - 1.0;
            assert!(
                (found / wanted - 1.0).abs() < 3e-3,
                "{}, damping {damping}: {found:.5} for {wanted:.5}",
                backend.name
            );
        }
    }
}
