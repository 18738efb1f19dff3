//! Whole bodies on a slope, which begin to slide at tan θ = μ and then go by g (sin θ − μ cos θ). Gravity is turned instead of the slope.

use sinew::scene::Scene;
use sinew::{Options, Precision, Simulation};

const MU: f64 = 0.5;
const G: f64 = 9.81;

fn top(tangent: f64, rest: &str) -> String {
    let angle = tangent.atan();
    format!(
        "format = 1\nsubsteps = 10\ndamping = 0\ngravity = [{}, {}, 0]\n{rest}[[collider]]\nname = \"floor\"\n\
         plane = {{ normal = [0, 1, 0], offset = 0 }}\nfriction = {MU}\n",
        G * angle.sin(),
        -G * angle.cos()
    )
}

fn sheet(name: &str, [width, height, turn]: [f64; 3], more: &str) -> String {
    format!(
        "[[cloth]]\nname = \"{name}\"\ngrid = {{ size = [{width}, 0.2], cells = [4, 4] }}\nposition = [0, {height}, 0]\n\
         rotation = [90, {turn}, 0]\ndensity = 0.15\nthickness = 0.001\nfriction = {MU}\nbending = \"dihedral\"\n\
         bending_stiffness = 1e-5\nstretch_stiffness = 800\nshear_stiffness = 40\n{more}"
    )
}

/// Mean way along the slope and mean speed of the particles from one on, after each of two times [s].
fn slides(text: &str, first: usize, times: [f64; 2]) -> [[f64; 2]; 2] {
    let scene = Scene::parse(text, "scene.toml", ".").unwrap_or_else(|error| panic!("{error}"));
    let mut simulation =
        Simulation::new(&scene, &Options::cpu(Precision::F32)).unwrap_or_else(|error| panic!("{error}"));
    let start = simulation.positions().unwrap();
    times.map(|time| {
        while simulation.time() < time - 1e-6 {
            simulation.step().unwrap();
        }
        let (x, v) = (simulation.positions().unwrap(), simulation.velocities().unwrap());
        let count = (x.len() - first) as f64;
        let way = x.iter().zip(&start).skip(first).map(|(x, start)| x.x - start.x).sum::<f64>();
        [way / count, v.iter().skip(first).map(|v| v.x).sum::<f64>() / count]
    })
}

/// Holds a body below the angle of friction and above it, by 1 %.
fn begins_to_slide_at_the_angle_of_friction(body: &str, contact: &str, first: usize, shares: &[f64]) {
    let [[from, _], [to, _]] = slides(&(top(0.99 * MU, contact) + body), first, [0.5, 1.0]);
    let creep = (to - from) / 0.5;
    println!("at 0.99 μ: {creep:.1e} m/s");
    assert!(creep.abs() < 1e-5, "creeps at {creep} m/s");
    for share in shares {
        let angle = (share * MU).atan();
        let expected = G * (angle.sin() - MU * angle.cos());
        let [[_, slow], [_, fast]] = slides(&(top(share * MU, contact) + body), first, [0.25, 0.5]);
        let acceleration = (fast - slow) / 0.25;
        println!("at {share} μ: {acceleration:.5} of {expected:.5} m/s²");
        assert!((acceleration / expected - 1.0).abs() < 0.01, "{share}: {acceleration}, not {expected} m/s²");
    }
}

#[test]
fn a_sheet_begins_to_slide_at_the_angle_of_friction() {
    begins_to_slide_at_the_angle_of_friction(&sheet("sheet", [0.2, 0.0005, 7.0], ""), "", 0, &[1.01, 1.5]);
}

#[test]
fn a_rod_begins_to_slide_at_the_angle_of_friction() {
    let rod = format!(
        "[[rod]]\nname = \"rod\"\nfrom = [0, 0.005, -0.1]\nto = [0.1, 0.005, 0.1]\nsegments = 8\nmaterial = \"rope\"\n\
         radius = 0.005\nfriction = {MU}\n"
    );
    begins_to_slide_at_the_angle_of_friction(&rod, "", 0, &[1.01, 1.5]);
}

/// A sheet on a sheet that is held everywhere: friction between bodies. In the end it goes by more than its thickness in a substep, past the planes of
/// all the edges ahead of it.
#[test]
fn a_sheet_on_a_sheet_begins_to_slide_at_the_angle_of_friction() {
    let held = "pin = [{ box = { min = [-2, -1, -1], max = [2, 1, 1] } }]\n";
    let base = sheet("base", [1.0, 0.0005, 0.0], held);
    let body = format!("{base}{}", sheet("upper", [0.2, 0.0015, 7.0], ""));
    begins_to_slide_at_the_angle_of_friction(&body, "[contact]\n", 25, &[1.01, 1.5]);
}

/// How far a body slides that is thrown at 1 m/s.
fn stops_where_friction_stops_it(body: &str, contact: &str, first: usize) {
    let text = top(0.0, contact) + body;
    let scene = Scene::parse(&text, "scene.toml", ".").unwrap_or_else(|error| panic!("{error}"));
    let mut simulation =
        Simulation::new(&scene, &Options::cpu(Precision::F32)).unwrap_or_else(|error| panic!("{error}"));
    let start = simulation.positions().unwrap();
    simulation.advance(20).unwrap();
    let (x, v) = (simulation.positions().unwrap(), simulation.velocities().unwrap());
    let ways: Vec<f64> = x.iter().zip(&start).skip(first).map(|(x, start)| x.x - start.x).collect();
    let (way, expected) = (ways.iter().sum::<f64>() / ways.len() as f64, 1.0 / (2.0 * MU * G));
    println!("slid {way:.5} m of {expected:.5}");
    assert!((way / expected - 1.0).abs() < 0.02, "slid {way} m, not {expected}");
    let fastest = v.iter().skip(first).map(|v| v.length()).fold(0.0, f64::max);
    assert!(fastest < 1e-3, "still moves at {fastest} m/s");
}

#[test]
fn what_is_thrown_stops_where_friction_stops_it() {
    stops_where_friction_stops_it(&sheet("sheet", [0.2, 0.0005, 7.0], "velocity = [1, 0, 0]\n"), "", 0);
    let held = "pin = [{ box = { min = [-2, -1, -1], max = [2, 1, 1] } }]\n";
    let base = sheet("base", [1.0, 0.0005, 0.0], held);
    let body = format!("{base}{}", sheet("upper", [0.2, 0.0015, 7.0], "velocity = [1, 0, 0]\n"));
    stops_where_friction_stops_it(&body, "[contact]\n", 25);
}
