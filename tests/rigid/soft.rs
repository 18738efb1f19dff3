//! Cloth and solids that are magnets.

use crate::{assert_close, backends, simulate};
use glam::DVec3;
use sinew::magnets::soft::{Rest, forces, moment};
use sinew::math::Vec3;
use sinew::scene::Scene;
use sinew::{Options, Precision, Simulation};

fn vector(k: u32) -> Vec3<f64> {
    let part = |n: u32| (f64::from(k) * 12.9898 + f64::from(n) * 78.233).sin() * 43_758.545;
    let part = |n: u32| 2.0 * part(n).fract().abs() - 1.0;
    Vec3::new(part(1), part(2), part(3))
}

/// −m·B at some corners, and the forces there.
fn state(rest: &Rest<f64>, x: [Vec3<f64>; 4], is_sheet: bool, field: Vec3<f64>) -> (f64, [Vec3<f64>; 4]) {
    let edges = [x[1] - x[0], x[2] - x[0], x[3] - x[0]];
    let (m, turn) = moment(rest, edges, is_sheet);
    let [a, b, c] = forces(rest, edges, is_sheet, turn, field);
    (-m.dot(field), [-(a + b + c), a, b, c])
}

#[test]
fn forces_of_a_field_are_slopes_of_the_energy_and_turn_as_the_moment() {
    for (k, is_sheet, stretches) in (0..40).map(|k| (k, k % 2 == 0, k % 4 < 2)) {
        let mut gradients = [vector(k), vector(k + 50), vector(k + 90)];
        if is_sheet {
            (gradients[0].z, gradients[1].z, gradients[2]) = (0.0, 0.0, Vec3::ZERO);
        }
        let rest = Rest { gradients, moment: vector(k + 130), stretches };
        let x = [vector(k + 200), vector(k + 230), vector(k + 270), vector(k + 300)];
        let field = vector(k + 400);
        let (_, forces) = state(&rest, x, is_sheet, field);
        let corners = if is_sheet { 3 } else { 4 };
        let largest = forces.iter().map(|f| f.length()).fold(1.0, f64::max);
        for c in 0..corners {
            for axis in [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| Vec3::of(axis.to_array())) {
                let at = |step: f64| {
                    let mut x = x;
                    x[c] += axis * step;
                    state(&rest, x, is_sheet, field).0
                };
                let slope = -(at(1e-6) - at(-1e-6)) / 2e-6;
                let error = (slope - forces[c].dot(axis)).abs();
                assert!(error < 1e-5 * largest, "{k}, corner {c}: {slope} and {:?}", forces[c]);
            }
        }
        let edges = [x[1] - x[0], x[2] - x[0], x[3] - x[0]];
        let torque = moment(&rest, edges, is_sheet).0.cross(field);
        let found = (0..corners).fold(Vec3::ZERO, |sum: Vec3<f64>, c| sum + x[c].cross(forces[c]));
        assert!((found - torque).length() < 1e-9 * largest, "{k}: {found:?} and {torque:?}");
    }
}

fn parse(text: &str) -> Simulation {
    let scene = Scene::parse(text, "scene.toml", "").unwrap_or_else(|error| panic!("{error}\n{text}"));
    simulate(&scene, &Options::cpu(Precision::F32))
}

/// Magnetisation of 0.1 T [A/m], and μ₀.
const REMANENCE: f64 = 0.1;
const MAGNETISATION: f64 = REMANENCE / 1.256_637_061e-6;
/// Λ = M A B L²/(E I), and the tip of the elastica with the field across, over its length.
const ELASTICA: [(f64, [f64; 2]); 2] = [(1.0, [0.943567, 0.301721]), (5.0, [0.612372, 0.713792])];

/// The tip of a rubber beam of length 0.1 m, five times as long as high, with so many cells in its height. It is one cell thick and would turn aside.
fn beam(cells: u32, strength: f64) -> DVec3 {
    let (length, height, young) = (0.1, 0.02, 1e6);
    let field = strength * young * height * height / (12.0 * MAGNETISATION * length * length);
    let text = format!(
        r#"
format = 1
gravity = [0, 0, 0]
time_step = 0.01
substeps = 1
damping = 15
magnetic_field = {{ uniform = [0, {field}, 0] }}
magnetise = [{{ body = "beam", remanence = [{REMANENCE}, 0, 0] }}]
conjugate_gradients = {{ iterations = 300, tolerance = 1e-5 }}
[[solid]]
name = "beam"
box = {{ size = [{length}, {height}, {}], cells = [{}, {cells}, 1] }}
position = [{}, 0, 0]
youngs_modulus = {young}
poisson_ratio = 0
[[solid.pin]]
box = {{ min = [-1, -1, -1], max = [1e-6, 1, 1] }}
[[solid.pin]]
box = {{ min = [1e-6, -1, -1], max = [1, 1, 1] }}
axes = "z"
"#,
        height / f64::from(cells),
        5 * cells,
        0.5 * length
    );
    let mut simulation = parse(&text);
    let start = simulation.positions().unwrap();
    simulation.advance(350).unwrap();
    let x = simulation.positions().unwrap();
    let tips: Vec<DVec3> =
        start.iter().zip(&x).filter(|(s, _)| s.x > length - 1e-6).map(|(_, x)| *x).collect();
    let speed = simulation.measure().unwrap().max_speed;
    assert!(speed < 0.01, "{cells} cells: still moves with {speed} m/s");
    tips.iter().sum::<DVec3>() / (tips.len() as f64 * length)
}

/// Linear tetrahedra lock in bending, with the square of the cells.
#[test]
fn a_magnetised_beam_of_tetrahedra_bends_as_the_elastica() {
    let (strength, [x, y]) = ELASTICA[0];
    let [coarse, fine] = [3, 6].map(|cells| beam(cells, strength));
    let limit = (4.0 * fine - coarse) / 3.0;
    println!("3 and 6 cells: {coarse:.4}, {fine:.4}; limit {limit:.4} of {x}, {y}");
    assert_close("tip across", limit.y, y, 0.02);
    assert_close("tip along", limit.x, x, 0.02);
    assert!(coarse.y < fine.y && fine.y < limit.y);
}

/// A strip as wide as long; its first two rows are held, the hinges of the second stand for half a row more.
fn strip(cells: u32, strength: f64) -> DVec3 {
    let (length, rigidity, thickness) = (0.1, 1e-4, 1e-3);
    let spacing = length / (f64::from(cells) - 0.5);
    let size = spacing * f64::from(cells);
    let field = strength * rigidity / (MAGNETISATION * thickness * length * length);
    let held: Vec<u32> = (0..(cells + 1).pow(2)).filter(|p| p % (cells + 1) < 2).collect();
    let mut simulation = parse(&format!(
        r#"
format = 1
gravity = [0, 0, 0]
time_step = 0.01
substeps = 1
damping = 10
magnetic_field = {{ uniform = [0, 0, {field}] }}
magnetise = [{{ body = "strip", remanence = [{REMANENCE}, 0, 0], thickness = {thickness} }}]
conjugate_gradients = {{ iterations = 400, tolerance = 1e-4 }}
[[cloth]]
name = "strip"
grid = {{ size = [{size}, {size}], cells = [{cells}, {cells}] }}
model = "green"
density = 0.2
bending_stiffness = {rigidity}
[[cloth.pin]]
indices = {held:?}
"#
    ));
    let start = simulation.positions().unwrap();
    simulation.advance(300).unwrap();
    let x = simulation.positions().unwrap();
    let tips = || (0..start.len()).filter(|p| *p as u32 % (cells + 1) == cells);
    let count = f64::from(cells + 1);
    let tip = tips().map(|p| x[p]).sum::<DVec3>() / count;
    let clamp = tips().map(|p| start[p]).sum::<DVec3>() / count - length * DVec3::X;
    let speed = simulation.measure().unwrap().max_speed;
    assert!(speed < 1e-3, "still moves with {speed} m/s");
    (tip - clamp) / length
}

#[test]
fn a_magnetised_strip_of_cloth_bends_as_the_elastica() {
    for (strength, [x, y]) in ELASTICA {
        let tip = strip(20, strength);
        println!("Λ = {strength}: {tip:.4} of {x}, {y}");
        assert_close(&format!("Λ = {strength}: tip across"), tip.z, y, 0.02);
        assert_close(&format!("Λ = {strength}: tip along"), tip.x, x, 0.02);
    }
}

/// A magnet, a jelly, a sheet with its moment along its normal, and one whose moments stretch.
const FLIGHT: &str = r#"
format = 1
gravity = [0, 0, 0]
time_step = 1e-3
substeps = 40
integrator = "symplectic"
rigid = [{ box = { size = [0.02, 0.03, 0.02] }, position = [0.015625, 0.0625, 0], rotation = [20, 30, 40], remanence = [0.3, 1, 0.2], cells = 3, density = 4000 }]
solid = [{ name = "jelly", box = { size = [0.03, 0.02, 0.02], cells = [3, 2, 2] }, youngs_modulus = 3e5, density = 1000 }]
cloth = [
    { name = "sheet", grid = { size = [0.04, 0.04], cells = [3, 3] }, position = [0, 0.09375, 0], rotation = [80, 10, 0], density = 5, model = "green" },
    { name = "net", grid = { size = [0.04, 0.04], cells = [3, 3] }, position = [0.0625, 0.0625, 0], rotation = [0, 70, 10], density = 5, model = "green" },
]
magnetise = [
    { body = "jelly", remanence = [0.05, 0.2, 0.1] },
    { body = "sheet", remanence = [0, 0.3, 0.1], thickness = 1e-3 },
    { body = "net", remanence = [0.3, 0.1, 0], thickness = 1e-3, follows = "deformation" },
]
"#;

#[test]
fn soft_magnets_keep_momenta_in_free_flight() {
    let scene = Scene::parse(FLIGHT, "scene.toml", "").unwrap_or_else(|error| panic!("{error}"));
    for ((name, options), tolerance) in backends().into_iter().zip([1e-12, 1e-5, 1e-5]) {
        let mut simulation = simulate(&scene, &options);
        // At first a substep has the rounding of how bodies were placed.
        simulation.advance(1).unwrap();
        let start = simulation.measure().unwrap();
        simulation.advance(4).unwrap();
        let end = simulation.measure().unwrap();
        let mass: f64 = simulation.model().particles.masses.iter().sum();
        let scale = (2.0 * mass * end.kinetic_energy).sqrt();
        println!(
            "{name}: {:.1e} J, momenta {:.1e} and {:.1e} of {scale:.1e}, energy {:+.1e}",
            end.kinetic_energy,
            end.momentum.length() / scale,
            end.spin.length() / (0.05 * scale),
            (end.energy() - start.energy()) / end.kinetic_energy
        );
        assert!(end.kinetic_energy > 1e-8, "{name}: they must move");
        assert!(start.magnetic_energy > end.magnetic_energy, "{name}: energy of magnets becomes motion");
        assert!((end.energy() - start.energy()).abs() < 0.02 * end.kinetic_energy, "{name}: energy");
        assert!((end.momentum - start.momentum).length() < tolerance * scale, "{name}: {}", end.momentum);
        assert!((end.spin - start.spin).length() < 0.1 * tolerance * scale, "{name}: {}", end.spin);
    }
}

#[test]
fn soft_magnets_that_cannot_be_are_named_with_a_cure() {
    let bodies = "format = 1\ncloth = [{ name = \"flag\", grid = { size = [1, 1], cells = [2, 2] } }]\nrod = [{ name = \"rope\", from = [0, 0, 0], to = [1, 0, 0], segments = 3, radius = 0.01 }]\nsolid = [{ name = \"jelly\", box = { size = [1, 1, 1], cells = [1, 1, 1] } }]\n";
    let cases = [
        ("body = \"flag\"\nremanence = [0, 0, 1]", "thickness", "is missing"),
        ("body = \"jelly\"\nremanence = [0, 0, 1]\nthickness = 1", "thickness", "for sheets"),
        ("body = \"flga\"\nremanence = [0, 0, 1]\nthickness = 1", "body", "flag"),
        ("body = \"rope\"\nremanence = [0, 0, 1]", "body", "have `remanence`"),
        ("body = \"flag\"\nremanence = [0, 0, 1200]\nthickness = 1", "remanence", "gauss"),
        ("body = \"flag\"\nremanence = [0, 0, 1]\nthickness = 0", "thickness", "greater than 0"),
        ("body = \"flag\"\nremanence = [0, 0, 1]\nthickness = 1\nfollows = \"wind\"", "follows", "rotation"),
        ("body = \"flag\"\nremanence = [0, 0, 1]\nthickness = 1\nnearest = [0, 0, 0]", "body", "no triangle"),
    ];
    for (text, subject, cure) in cases {
        let text = format!("{bodies}[[magnetise]]\n{text}\n");
        let error = Scene::parse(&text, "scene.toml", "").unwrap_err().to_string();
        println!("{error}");
        assert!(error.starts_with("scene.toml:"), "{error}");
        assert!(error.contains(subject) && error.contains(cure), "{text}\n{error}");
    }
}
