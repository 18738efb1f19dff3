//! What `sinew check` says about contact before a run, and what is refused.

use sinew::contact::advice::{advice, check_start};
use sinew::model::Model;
use sinew::scene::Scene;

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
    let refused = check_start(&model(&scene(0.1))).unwrap_err().to_string();
    assert!(refused.contains("of `ball`") && refused.contains("of `a`"), "{refused}");
    assert!(check_start(&model(&scene(0.3))).is_ok());
}
