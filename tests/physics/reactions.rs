//! Forces and torques of pins, clamps and colliders against weights and statics.

use sinew::glam::DVec3;
use sinew::{Checked, Kinds, Options, Precision, Reaction, Simulation};

const G: f64 = 9.81;

fn run(text: &str, seconds: f64, options: &Options) -> Simulation {
    let text = format!("format = 1\n{text}");
    let scene = Checked::parse(&text, "held.toml", "", &Kinds::standard()).unwrap_or_else(|e| panic!("{e}"));
    let mut simulation = Simulation::new(&scene, options).unwrap();
    let steps = (seconds / simulation.model().settings.time_step).round() as u32;
    simulation.advance(steps).unwrap();
    simulation
}

fn weight(simulation: &Simulation) -> f64 {
    G * simulation.model().particles.masses.iter().sum::<f64>()
}

fn named<'a>(reactions: &'a [Reaction], name: &str) -> &'a Reaction {
    let names: Vec<&str> = reactions.iter().map(|r| r.name.as_str()).collect();
    reactions.iter().find(|r| r.name == name).unwrap_or_else(|| panic!("{name} of {names:?}"))
}

/// All pins together carry the weight of what hangs still; each of two like ones half of it.
fn carries_its_weight(text: &str, seconds: f64, tolerance: f64) {
    let mut simulation = run(text, seconds, &Options::cpu(Precision::F32));
    let (reactions, weight) = (simulation.reactions().unwrap(), weight(&simulation));
    let sum: DVec3 = reactions.iter().map(|r| r.force).sum();
    let error = (sum - DVec3::Y * weight).length() / weight;
    assert!(error < tolerance, "{text}\n{sum} for {weight}: {error:e}\n{reactions:?}");
}

#[test]
fn pins_carry_the_weight_of_every_kind_of_body() {
    let still = "damping = 4\n";
    let cloth = "cloth = [{ name = \"sheet\", grid = { size = [0.4, 0.4], cells = [8, 8] }, position = [0, 1, 0], MODEL \
                 pin = [{ corners = [\"top_left\"] }, { corners = [\"top_right\"] }] }]\n";
    carries_its_weight(&format!("{still}{}", cloth.replace("MODEL", "")), 4.0, 0.01);
    let green = cloth.replace("MODEL", "model = \"green\",");
    for integrator in ["implicit", "symplectic", "bdf2"] {
        let substeps = if integrator == "symplectic" { 100 } else { 10 };
        let text = format!("{still}substeps = {substeps}\nintegrator = \"{integrator}\"\n{green}");
        carries_its_weight(&text, 3.0, 0.01);
    }
    for method in ["direct", "coloured", "jacobi"] {
        let rope = format!(
            "{still}iterations = 4\nrod = [{{ name = \"rope\", from = [0, 1, 0], to = [0.6, 1, 0], segments = 12, method = \"{method}\", \
             start = \"pinned\", end = \"pinned\" }}]\n"
        );
        carries_its_weight(&rope, 3.0, 0.01);
    }
    for model in ["corotational", "neo_hookean", "position", "strain"] {
        let block = format!(
            "{still}iterations = 4\nsolid = [{{ name = \"block\", box = {{ size = [0.3, 0.1, 0.1], cells = [6, 2, 2] }}, position = [0, 1, 0], \
             model = \"{model}\", pin = [{{ box = {{ min = [-1, 0, -1], max = [-0.149, 2, 1] }} }}] }}]\n"
        );
        carries_its_weight(&block, 3.0, 0.02);
    }
}

#[test]
fn a_clamp_bears_the_moment_of_a_cantilever() {
    let text = "damping = 20\nsubsteps = 20\nrod = [{ name = \"beam\", from = [0, 0, 0], to = [0.5, 0, 0], segments = 20, method = \"direct\", \
                start = \"clamped\", radius = 0.005, youngs_modulus = 1e10, density = 2000 }]\n";
    let mut simulation = run(text, 1.0, &Options::cpu(Precision::F64));
    let (reactions, weight) = (simulation.reactions().unwrap(), weight(&simulation));
    let clamp = named(&reactions, "beam.pin1");
    assert!((clamp.force - DVec3::Y * weight).length() < 0.005 * weight, "{clamp:?} for {weight}");
    // Half of the last segment's mass is at each of its ends: the arm of the whole is half the length.
    let moment = DVec3::Z * (0.25 * weight);
    assert!((clamp.torque - moment).length() < 0.01 * moment.length(), "{clamp:?} for {moment}");
}

#[test]
fn a_floor_carries_what_lies_on_it_and_slopes_hold_by_friction() {
    let text = "damping = 5\ncollider = [{ name = \"floor\", plane = { normal = [0, 1, 0] } }]\n\
                solid = [{ name = \"block\", box = { size = [0.2, 0.2, 0.2], cells = [3, 3, 3] }, position = [0, 0.1, 0] }]\n";
    for options in [Options::cpu(Precision::F32), Options::gpu()] {
        let mut simulation = run(text, 1.0, &options);
        let (reactions, weight) = (simulation.reactions().unwrap(), weight(&simulation));
        let floor = named(&reactions, "floor");
        assert!((floor.force - DVec3::Y * weight).length() < 0.01 * weight, "{floor:?} for {weight}");
    }
}

#[test]
fn a_pin_that_gives_and_one_that_is_driven() {
    let text = "damping = 5\npoints = [{ name = \"weight\", points = [[0, 0, 0]], mass = 2, pin = [{ indices = [0], compliance = 1e-3 }] }]\n";
    let mut simulation = run(text, 4.0, &Options::cpu(Precision::F64));
    let pin = &simulation.reactions().unwrap()[0];
    assert!((pin.force.y - 2.0 * G).abs() < 1e-3, "{pin:?}");

    // Turned about the origin at a steady rate, two kilograms at the end of a rigid link of one metre pull with m ω² r.
    let turned = "gravity = [0, 0, 0]\nsubsteps = 40\npoints = [{ name = \"sling\", points = [[0, 0, 0], [1, 0, 0]], masses = [1, 2], links = [[0, 1]], \
                  velocity = [0, 0, 0], pin = [{ indices = [0] }] }]\n";
    let scene = format!("format = 1\n{turned}");
    let scene =
        Checked::parse(&scene, "sling.toml", "", &Kinds::standard()).unwrap_or_else(|e| panic!("{e}"));
    let mut simulation = Simulation::new(&scene, &Options::cpu(Precision::F64)).unwrap();
    simulation.body("sling").unwrap().set_velocities(&[DVec3::ZERO, DVec3::new(0.0, 3.0, 0.0)]).unwrap();
    simulation.advance(30).unwrap();
    let x = simulation.positions().unwrap()[1];
    let v = simulation.velocities().unwrap()[1];
    let pin = &simulation.reactions().unwrap()[0];
    let pull = -x * 2.0 * v.length_squared();
    assert!((pin.force - pull).length() < 0.02 * pull.length(), "{pin:?} for {pull}");
}
