//! What `sinew check` says about contact before a run, and what is refused.

use sinew::contact::advice::{advice, settle_start};
use sinew::contact::verify::{Shapes, Verifier};
use sinew::model::Model;
use sinew::scene::Scene;
use sinew::{Options, Precision, Simulation};

fn model(text: &str) -> Model {
    let scene = Scene::parse(text, "scene.toml", ".").unwrap_or_else(|error| panic!("{error}"));
    Model::new(&scene).unwrap_or_else(|error| panic!("{error}"))
}

fn said(text: &str) -> Vec<String> {
    advice(&model(text))
}

fn sheet(name: &str, place: &str, thickness: f64) -> String {
    format!(
        "[[cloth]]\nname = \"{name}\"\ngrid = {{ size = [1, 1], cells = [4, 4] }}\nposition = {place}\n\
         thickness = {thickness}\n"
    )
}

#[test]
fn thickness_stands_beside_edges_and_what_is_too_near_is_named() {
    let two = sheet("a", "[0, 0, 0]", 0.01) + &sheet("b", "[0.1, 0.1, 0.008]", 0.01);
    let lines = said(&format!("format = 1\n[contact]\n{two}"));
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(lines[0].contains("`a` is 10.0 mm thick and has edges of 250 mm to 354 mm"), "{}", lines[0]);
    assert!(
        lines[2].contains("of `a`") && lines[2].contains("are 20.0 % of their thickness too near"),
        "{}",
        lines[2]
    );
    assert_eq!(said(&format!("format = 1\n{two}")), Vec::<String>::new(), "without contact");
    let thick = said(&format!("format = 1\n[contact]\n{}", sheet("a", "[0, 0, 0]", 0.2)));
    assert!(thick[0].contains("more is near than can touch"), "{}", thick[0]);
}

#[test]
fn a_thin_body_far_from_the_origin_is_named() {
    let far = said(&format!("format = 1\n[contact]\n{}", sheet("a", "[1000, 0, 0]", 1e-3)));
    assert!(far.iter().any(|line| line.contains("`a`") && line.contains("f64")), "{far:?}");
}

#[test]
fn a_rope_with_a_load_is_told_its_substeps() {
    let rope = |substeps: u32| {
        format!(
            "format = 1\nsubsteps = {substeps}\n[contact]\n[[rod]]\nname = \"rope\"\nfrom = [0, 1, 0]\nto = [1, 1, 0]\n\
             segments = 100\nmaterial = \"rope\"\nradius = 0.005\nend = {{ weight = 10 }}\n"
        )
    };
    // 98.9 N, bent to 10 mm, 0.864 g a segment: T κ dt²/(ρ l) is 0.05 at 252.2 substeps.
    let lines = said(&rope(10));
    let told = |line: &String| line.contains("`rope` carries 98.9 N") && line.contains("about 253 substeps");
    assert!(lines.iter().any(told), "{lines:?}");
    assert!(said(&rope(300)).iter().all(|line| !line.contains("carries")));
}

/// Surfaces of rigid bodies are looked at as well, and places are in the user's numbering.
#[test]
fn a_rigid_body_in_a_sheet_is_refused() {
    let scene = |height: f64| {
        format!(
            "format = 1\n[contact]\n{}[[rigid]]\nname = \"ball\"\nsphere = {{ radius = 0.2 }}\nposition = [0.05, 0, {height}]\n",
            sheet("a", "[0, 0, 0]", 0.001)
        )
    };
    let refused = settle_start(&mut model(&scene(0.1))).unwrap_err().to_string();
    assert!(refused.contains("of `ball`") && refused.contains("of `a`"), "{refused}");
    assert!(settle_start(&mut model(&scene(0.3))).is_ok());
}

/// A sheet that is held, and a strip whose lower edge has gone through it by 2.5 cm and goes up at 1 m/s.
fn poked(contact: &str) -> String {
    let held = "pin = [{ box = { min = [-2, -1, -1], max = [2, 1, 1] } }]\n";
    let base = "[[cloth]]\nname = \"base\"\ngrid = { size = [0.4, 0.4], cells = [6, 6] }\nrotation = [90, 7, 0]\nthickness = 0.004\n";
    let strip = "[[cloth]]\nname = \"strip\"\ngrid = { size = [0.1, 0.09], cells = [3, 3] }\nposition = [0.01, 0.02, 0.013]\n\
                 velocity = [0, 1, 0]\nthickness = 0.004\nfriction = 0.8\nbending = \"dihedral\"\nbending_stiffness = 1e-4\n";
    format!("format = 1\nsubsteps = 20\ndamping = 1\n[contact]\n{contact}\n{base}{held}{strip}")
}

/// Returns how many corners are caught, edges go through triangles, and the lowest particle of the strip is after each of some steps.
fn caught(text: &str, steps: &[u32]) -> Vec<(f64, usize, f64)> {
    let scene = Scene::parse(text, "scene.toml", ".").unwrap_or_else(|error| panic!("{error}"));
    let mut simulation =
        Simulation::new(&scene, &Options::cpu(Precision::F32)).unwrap_or_else(|error| panic!("{error}"));
    let looks = steps.iter().map(|&steps| {
        simulation.advance(steps).unwrap();
        let measures = simulation.family_measures().unwrap();
        let left = measures.iter().find(|measure| measure.name == "caught").map_or(0.0, |found| found.value);
        let verifier = Verifier::new(Shapes::whole(simulation.model()));
        let through = verifier.tangled(&simulation.surface_positions().unwrap()).len();
        let x = simulation.positions().unwrap();
        (left, through, x[49..].iter().map(|x| x.y).fold(f64::INFINITY, f64::min))
    });
    looks.collect()
}

#[test]
fn what_is_caught_at_the_start_comes_apart_and_touches_from_then_on() {
    let looks = caught(&poked("start = \"allow\""), &[0, 1, 4, 45]);
    println!("{looks:?}");
    let [start, first, apart, rest] = looks[..] else { panic!() };
    assert!(start.0 > 0.0 && start.1 > 0 && start.2 < 0.0, "{start:?}");
    assert!(first.0 == start.0 && first.2 > start.2 + 0.014, "it is held back: {first:?}");
    assert!(apart.0 == 0.0 && apart.1 == 0, "still caught: {apart:?}");
    assert!(rest.1 == 0 && rest.2 > 0.0, "it has fallen through: {rest:?}");
}

#[test]
fn bodies_are_moved_apart_by_the_shortest_way() {
    let scene = |start: &str| poked(&format!("start = \"{start}\""));
    let mut moved = model(&scene("separate"));
    let said = settle_start(&mut moved).unwrap();
    assert!(said.len() == 1 && said[0].contains("`strip` was moved 29.0 mm"), "{said:?}");
    let shapes = Shapes::whole(&moved);
    let start = shapes.start.clone();
    let found = Verifier::new(shapes).look(&start);
    assert!(found.intersections == 0 && found.max_depth <= 0.0, "{found:?}");
    // What is held on both sides is refused, with what is left.
    let held = scene("separate") + "pin = [{ box = { min = [-2, -1, -1], max = [2, 1, 1] } }]\n";
    let refused = settle_start(&mut model(&held)).unwrap_err().to_string();
    assert!(refused.contains("of `strip`") && refused.contains("start = \"allow\""), "{refused}");
    let allowed = settle_start(&mut model(&scene("allow"))).unwrap();
    assert!(allowed[0].contains("edges go through triangles at the start"), "{allowed:?}");
}

#[test]
fn what_is_led_faster_than_contact_has_room_for_is_named() {
    let led = |end: f64| {
        let pin = format!(
            "pin = [{{ box = {{ min = [-2, -1, -1], max = [2, 1, 1] }}, motion = [{{ time = 0 }}, {{ time = 1, offset = [0, {end}, 0] }}] }}]\n"
        );
        said(&format!("format = 1\nsubsteps = 10\n[contact]\n{}{pin}", sheet("a", "[0, 0, 0]", 0.002)))
    };
    // 3 m/s are 5 mm in a substep of 1/600 s, five times the room of 1 mm.
    let lines = led(3.0);
    let told = |line: &String| {
        line.contains("a pin of `a` goes up to 5.00 mm") && line.contains("about 50 substeps")
    };
    assert!(lines.iter().any(told), "{lines:?}");
    assert!(led(0.5).iter().all(|line| !line.contains("goes up to")));
}
