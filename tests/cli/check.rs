//! `sinew check`: what a scene is, and whether the two backends agree on it.
//!
//! That the comparison finds errors, and names pass, buffer and element, is watched in `constraints_parity.rs`, where
//! they are planted in the shaders; here only what the program makes of it.

use crate::program::{Place, SCENE};
use sinew::compute::{CpuExecutor, compare_runs};
use sinew::model::Model;
use sinew::scene::Scene;
use sinew::scenes;
use sinew::solver::Solver;

#[test]
fn every_built_in_scene_is_listed_and_described() {
    let place = Place::new();
    let list = place.succeed("check").out;
    for scene in scenes::BUILT_IN {
        assert!(list.contains(scene.name) && list.contains(scene.summary()), "{}:\n{list}", scene.name);
        let text = place.succeed(&format!("check {}", scene.name)).out;
        let name = format!("{}: valid", scene.name);
        let counts = ["body `", " particle", " kg\n", "fixed particle", " collider"];
        let method = ["Coloured solver", " substep", "MiB on the device", "passes a substep"];
        for word in [name.as_str()].iter().chain(&counts).chain(&method) {
            assert!(text.contains(word), "check {}: `{word}` is not in\n{text}", scene.name);
        }
        assert!(!text.contains("  distance: ") || text.contains(" colours of "), "{text}");
        assert!(!text.contains("advice"), "a scene that comes with the program needs no advice:\n{text}");
    }
}

#[test]
fn advice_is_given_where_a_scene_needs_it() {
    let place = Place::new();
    place.write("coarse.toml", SCENE.replace("cells = [8, 8]", "cells = [80, 80]"));
    let text = place.succeed("check coarse.toml --substeps 1").out;
    assert!(text.contains("advice: `sheet` will stretch") && text.contains("substeps bring that"), "{text}");
    assert!(!place.succeed("check coarse.toml --substeps 200").out.contains("advice"));
    // Short of both from 100 particles along an edge; with coarse links the estimate of missing iterations does not hold.
    let fine = SCENE.replace("cells = [8, 8]", "cells = [120, 120]");
    place.write("fine.toml", fine.clone());
    let text = place.succeed("check fine.toml --substeps 5").out;
    assert!(
        text.contains("with `coarse_links = true` and `tethers = { to = \"every\" }` it keeps"),
        "{text}"
    );
    let helped =
        fine.replacen("[[cloth.pin]]", "coarse_links = true\ntethers = { to = \"every\" }\n[[cloth.pin]]", 1);
    assert!(helped != fine);
    place.write("helped.toml", helped);
    assert!(!place.succeed("check helped.toml --substeps 5").out.contains("advice"));
}

/// Each of these was once said to be valid and nothing else.
#[test]
fn mistakes_of_size_place_and_mass_are_named_before_the_run() {
    let place = Place::new();
    let ball = "[[solid]]\nname = \"ball\"\nball = { radius = 50 }\nresolution = 4\n";
    let sheet = |name: &str, height: f64| {
        format!(
            "[[cloth]]\nname = \"{name}\"\ngrid = {{ size = [1, 1], cells = [10, 10] }}\nposition = [0, {height}, 0]\nrotation = [-90, 0, 0]\n"
        )
    };
    let rod = |x: f64, weight: f64| {
        format!(
            "[[rod]]\nname = \"cord\"\nfrom = [{x}, 1, 0]\nto = [{}, 1, 0]\nsegments = 20\nradius = 0.005\nstart = \"clamped\"\nend = {{ weight = {weight} }}\n",
            x + 1.0
        )
    };
    let pole = "[[collider]]\ncapsule = { radius = 0.005, length = 1 }\n";
    let contact = "[contact]\n";
    let stone = "[[rigid]]\nname = \"stone\"\nsphere = { radius = 50 }\n";
    let cases: [(String, &[&str]); 6] = [
        (ball.into(), &["`ball` is 1", "tonnes", "millimetres", "give it `scale = 0.001`"]),
        (stone.into(), &["`stone` is 1", "tonnes", "give its `mesh` `scale = 0.001`"]),
        (rod(9e5, 0.0), &["`cord` starts 900 km from the origin", "--precision f64"]),
        (rod(0.0, 500.0), &["`cord` weighs 8", "carries 500 kg", "substeps"]),
        (sheet("sheet", 1.0) + pole, &["collider 1 is 10.0 mm thick", "`sheet`", "[contact]"]),
        (sheet("upper", 1.0) + &sheet("lower", 0.0), &["`upper` falls on `lower`", "[contact]"]),
    ];
    for (scene, words) in &cases {
        place.write("odd.toml", format!("format = 1\n{scene}"));
        let text = place.succeed("check odd.toml").out;
        let advice: Vec<&str> = text.lines().filter(|line| line.contains("advice: ")).collect();
        assert_eq!(advice.len(), 1, "{text}");
        words.iter().for_each(|word| assert!(advice[0].contains(word), "`{word}` is not in\n{text}"));
    }
    for scene in [rod(0.0, 1.0), sheet("sheet", 1.0) + pole + contact] {
        place.write("fine.toml", format!("format = 1\n{scene}"));
        assert!(!place.succeed("check fine.toml").out.contains("advice: "), "{scene}");
    }
}

#[test]
fn the_backends_agree_on_cloth_pins_colliders_and_wind() {
    let place = Place::new();
    for solver in ["coloured", "jacobi"] {
        let text = place.succeed(&format!("check scene.toml --compare --steps 2 --solver {solver}")).out;
        assert!(text.contains("over 8 substeps"), "{text}");
        assert!(text.contains("every pass agrees; largest relative difference"), "{text}");
    }
}

/// Whether any bit differs depends on the driver; either way the program must say it.
#[test]
fn a_difference_is_a_failure_that_names_its_place() {
    let place = Place::new();
    let strict = "check scene.toml --compare --tolerance 0";
    let ended = place.sinew(strict);
    if ended.code == Some(0) {
        println!("this driver agrees to the bit");
        assert!(ended.out.contains("largest relative difference 0.0e0"), "{}", ended.out);
    } else {
        place.fail(
            strict,
            &["scene", "the backends part", "repetition", "pass", "`", "].", "relative difference"],
        );
    }
}

/// The CPU in f32 and in f64 certainly differ in the last digit.
#[test]
fn two_arithmetics_part_at_tolerance_zero_and_the_difference_names_its_place() {
    let scene = Scene::parse(SCENE, "scene.toml", "").unwrap();
    let solver = Solver::new(&Model::new(&scene).unwrap()).unwrap();
    let compare = |tolerance| {
        let mut single = CpuExecutor::<f32>::new(&solver.buffers, &solver.passes);
        let mut double = CpuExecutor::<f64>::new(&solver.buffers, &solver.passes);
        compare_runs(&solver.buffers, &solver.passes, 1, [&mut single, &mut double], tolerance).unwrap()
    };
    let difference = compare(0.0).unwrap_err();
    let text = difference.to_string();
    let place = format!("pass {} `{}`: `{}`[", difference.pass, difference.kernel, difference.buffer);
    assert!(text.contains(&place) && text.contains("relative difference"), "{text}");
    assert!(difference.relative < 1e-6, "{text}");
    // Offsets are a ten-thousandth of the positions they are computed from, so rounding shows there the more. What f32
    // cannot add to a position f64 can, so that the residuals are the one thing that must differ.
    if let Err(difference) = compare(1e-3) {
        assert_eq!(difference.buffer, "residuals", "{difference}");
    }
}

/// Hashes of states that were recorded once; the longer runs of the file are for whoever changes a solver.
#[test]
fn the_states_of_built_in_scenes_are_those_that_were_recorded() {
    let recorded = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hashes.txt");
    let text = std::fs::read_to_string(recorded).unwrap();
    for scene in scenes::BUILT_IN {
        for precision in ["f32", "f64"] {
            let has = |line: &str| line.starts_with(&format!("{} ", scene.name)) && line.contains(precision);
            assert!(text.lines().any(has), "{} in {precision} is not recorded", scene.name);
        }
    }
    let ended = Place::new().succeed(&format!("check --hash --against {recorded} --seconds 0.05"));
    assert!(ended.out.contains(" states are those of "), "{}", ended.out);
    assert!(ended.err.lines().filter(|line| line.ends_with(": the same")).count() > 60, "{}", ended.err);
}

#[test]
fn hashes_are_a_line_per_precision_and_a_state_that_differs_is_named() {
    let place = Place::new();
    let out = place.succeed("check --hash scene.toml --seconds 0.1").out;
    let lines: Vec<&str> = out.lines().collect();
    assert!(
        lines[0].starts_with("scene.toml 0.1 f32 ") && lines[1].starts_with("scene.toml 0.1 f64 "),
        "{out}"
    );
    assert_eq!((lines.len(), lines[0].len()), (2, "scene.toml 0.1 f32 ".len() + 16), "{out}");
    assert_eq!(place.succeed("check --hash scene.toml --seconds 0.1 --precision f64").out.trim(), lines[1]);
    assert!(place.succeed("check --hash scene.toml --seconds 0.1 --backend gpu").out.contains(" gpu "));
    place.write("hashes.txt", format!("# a comment\n\n{out}"));
    assert!(
        place
            .succeed("check --hash --against hashes.txt")
            .out
            .contains("all 2 states are those of hashes.txt")
    );
    // Another substep is another state.
    let ended = place.fail("check --hash --against hashes.txt --substeps 5", &["2 of 2 states differ"]);
    assert!(
        ended.out.contains(&format!("(recorded: {})", &lines[0][lines[0].len() - 16..])),
        "{}",
        ended.out
    );
    place.fail("check --hash flag --against hashes.txt", &["hashes.txt has no line for `flag`"]);
    place.fail("check --hash --against hashes.txt --seconds 0.01", &["no line of at most 0.01 s"]);
    place.fail("check --hash --against none.txt", &["cannot read none.txt"]);
    place.fail("check scene.toml flag", &["several scenes", "--hash"]);
    place.write("wrong.txt", "# a comment\nflag 1 f32\n");
    place.fail("check --hash --against wrong.txt", &["wrong.txt:2", "scene seconds f32|f64|gpu hash"]);
}

#[test]
fn information_is_printed_for_people_and_for_programs() {
    let place = Place::new();
    let text = place.succeed("info").out;
    assert!(text.contains("CPU backend: ") && text.contains("--backend auto"), "{text}");
    let json: serde_json::Value = serde_json::from_str(&place.succeed("info --json").out).unwrap();
    let adapters = json["adapters"].as_array().unwrap();
    assert!(!adapters.is_empty(), "no adapter: install a Vulkan driver, for instance mesa-vulkan-drivers");
    for adapter in adapters {
        assert!(adapter["name"].is_string() && adapter["software"].is_boolean(), "{adapter}");
    }
}

#[test]
fn a_fabric_is_fitted_from_a_measured_curve_and_drawn() {
    let place = Place::new();
    // A linear fabric of 1,000 N/m to 10 %, then a wall.
    let curve = "strain,load\n0,0\n2,20\n4,40\n6,60\n8,80\n10,100\n10.5,400\n";
    place.write("curve.csv", curve);
    let text = place.succeed("fit curve.csv --percent --limit-load 100 --png fit.png").out;
    let number = |key: &str| -> f64 {
        let line = text.lines().find(|line| line.starts_with(key)).unwrap_or_else(|| panic!("{text}"));
        line.split(['=', '#']).nth(1).unwrap().trim().parse().unwrap()
    };
    // The law of the sheet is a little stiffer than linear, so that its modulus is a little below.
    assert!((850.0..1000.0).contains(&number("modulus")), "{text}");
    assert!((number("limit") - 0.1).abs() < 1e-3, "{text}");
    assert!(place.files(".").contains(&"fit.png".to_owned()));
    // 60 N/m in shear, measured by the angle of a picture frame, to 8°.
    let force = |degrees: u32| 30.0 * (2.0 * f64::from(degrees).to_radians()).sin();
    let rows: String = (1..=8).map(|degrees| format!("{degrees},{}\n", force(degrees))).collect();
    place.write("shear.csv", rows);
    let text = place.succeed("fit shear.csv --shear --png shear.png").out;
    assert!(text.contains("shear_modulus = 60.00") && text.contains("shear = 0.0698"), "{text}");
    assert!(place.files(".").contains(&"shear.png".to_owned()));
    for (name, contents) in [("empty.csv", ""), ("words.csv", "strain,load\na,b\n"), ("one.csv", "0.1,5\n")] {
        place.write(name, contents);
        let ended = place.sinew(&format!("fit {name}"));
        assert!(ended.code == Some(1) && ended.err.contains(name), "{name}: {:?} {}", ended.code, ended.err);
    }
}
