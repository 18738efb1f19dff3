//! What contact is measured to carry, against answers known on paper.

use sinew::scene::Scene;
use sinew::{Options, Precision, Simulation};

const G: f64 = 9.81;
const AREAL: f64 = 0.15; // kg/m²

fn sheet(name: &str, [width, height, turn]: [f64; 3], more: &str) -> String {
    format!(
        "[[cloth]]\nname = \"{name}\"\ngrid = {{ size = [{width}, {width}], cells = [4, 4] }}\nposition = [0, {height}, 0]\n\
         rotation = [90, {turn}, 0]\ndensity = {AREAL}\nthickness = 0.001\nfriction = 0.5\nbending = \"dihedral\"\n\
         bending_stiffness = 1e-5\n{more}"
    )
}

/// Sheets on one that is held everywhere.
fn stacked(count: u32, expect: &str) -> Scene {
    let held = "pin = [{ box = { min = [-2, -1, -1], max = [2, 1, 1] } }]\n";
    let upper: String = (1..=count)
        .map(|k| sheet(&format!("upper {k}"), [0.2, 0.0005 + 0.001 * f64::from(k), 7.0 * f64::from(k)], ""))
        .collect();
    let text = format!(
        "format = 1\nsubsteps = 10\ndamping = 1\nduration = 1\n[contact]\n{}{upper}{expect}",
        sheet("base", [0.4, 0.0005, 0.0], held)
    );
    Scene::parse(&text, "scene.toml", ".").unwrap_or_else(|error| panic!("{error}"))
}

fn measured(simulation: &mut Simulation, name: &str) -> f64 {
    let measures = simulation.family_measures().unwrap();
    measures.iter().find(|measure| measure.name == name).unwrap_or_else(|| panic!("no {name}")).value
}

/// Each sheet carries all that lie on it, so that N sheets have normal forces of N (N + 1)/2 weights together.
#[test]
fn contact_forces_are_the_weights_that_they_carry() {
    let weight = AREAL * 0.2 * 0.2 * G;
    for (count, weights) in [(1, 1.0), (2, 3.0)] {
        for precision in [Precision::F32, Precision::F64] {
            let mut simulation = Simulation::new(&stacked(count, ""), &Options::cpu(precision)).unwrap();
            assert_eq!(measured(&mut simulation, "contacts"), 0.0, "before the first step");
            simulation.advance(60).unwrap();
            let force = measured(&mut simulation, "contact_force");
            println!("{count} sheets, {precision:?}: {:.5} weights", force / weight);
            assert!((force / weight / weights - 1.0).abs() < 1e-3, "{force} N, not {} N", weights * weight);
            let (contacts, largest) =
                (measured(&mut simulation, "contacts"), measured(&mut simulation, "largest_contact_force"));
            assert!(
                contacts >= 9.0 && largest <= force && largest * contacts >= force,
                "{contacts}, {largest} N"
            );
            assert_eq!(measured(&mut simulation, "held_back"), 0.0);
            assert!(measured(&mut simulation, "lists_made") >= 60.0);
        }
    }
}

/// The depth is that of the verifier, which finds near pairs by other means.
#[test]
fn the_depth_is_the_one_that_the_verifier_finds() {
    use sinew::contact::verify::{Shapes, Verifier};
    let mut simulation = Simulation::new(&stacked(2, ""), &Options::cpu(Precision::F64)).unwrap();
    for _ in 0..5 {
        simulation.advance(4).unwrap();
        let shapes = Shapes::of(simulation.model());
        let found = Verifier::new(shapes).look(&simulation.model_positions().unwrap()).max_depth;
        let depth = measured(&mut simulation, "depth");
        println!("{depth:.6}, {found:.6}");
        assert!(found > 0.0 && (depth - found).abs() < 1e-6, "{depth}, not {found}");
    }
}

#[test]
fn expectations_of_contacts_are_held_against_the_measures() {
    let (met, unmet) = (
        "[expect]\nmax_held = 0\ncontacts = { min = 9 }\ncontact_force = { min = 0.0585, max = 0.0592 }\n",
        "[expect]\ncontacts = { max = 3 }\ncontact_force = { min = 0.1 }\n",
    );
    for (expect, said) in [(met, Vec::new()), (unmet, vec!["contacts is", "contact_force is"])] {
        let mut simulation = Simulation::new(&stacked(1, expect), &Options::cpu(Precision::F32)).unwrap();
        simulation.advance(60).unwrap();
        let found = simulation.unmet().unwrap();
        assert!(
            found.len() == said.len() && found.iter().zip(said).all(|(f, s)| f.starts_with(s)),
            "{found:?}"
        );
    }
}
