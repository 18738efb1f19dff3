//! Moduli from scans that are made for it, and what is said of data that cannot give any.

use crate::program::Place;

const CUBE: &str = r#"
format = 1

[[solid]]
name = "foam"
box = { size = [0.15, 0.15, 0.15], cells = [4, 4, 4] }
position = [0, 0.075, 0]
youngs_modulus = 8e4
poisson_ratio = 0.3
model = "neo_hookean"

[[solid.pin]]
box = { min = [-1, -0.001, -1], max = [1, 0.001, 1] }
"#;

const SCAN: &str =
    "scan cube.toml --probe 0,0.15,0 --tip 0.03 --force 20,40 --views 3 --resolution 48x48 --noise 0.0003";

#[test]
fn moduli_are_found_again_from_scans_of_pushes() {
    let place = Place::new();
    place.write("cube.toml", CUBE);
    place.succeed(&format!("{SCAN} --same-mesh --out foam"));
    let files = ["probe.toml", "sample_00.ply", "sample_01.ply", "truth.json", "undeformed.ply", "views.png"];
    assert_eq!(place.files("foam"), files);
    let ended = place.succeed("identify foam/probe.toml --json fit.json --png fit.png");
    for words in ["2 samples, 320 tetrahedra", "youngs_modulus = ", "poisson_ratio = "] {
        assert!(ended.out.contains(words), "{words}: {}", ended.out);
    }
    assert!(ended.err.contains("the mesh is too coarse"), "{}", ended.err);
    let fit: serde_json::Value = serde_json::from_str(&place.text("fit.json")).unwrap();
    // The scans are of this very mesh: what it says alone is the truth.
    let alone = &fit["mesh_alone"];
    assert!((alone["youngs_modulus"].as_f64().unwrap() / 8e4 - 1.0).abs() < 0.02, "{alone}");
    assert!((alone["poisson_ratio"].as_f64().unwrap() - 0.3).abs() < 0.06, "{alone}");
    assert!(place.read("fit.png").starts_with(b"\x89PNG"));
    // The same bits with one thread, and the same end by descent.
    place.succeed(&format!("{SCAN} --same-mesh --out again"));
    assert_eq!(place.read("foam/sample_01.ply"), place.read("again/sample_01.ply"));
}

/// A probe file of the cube, with one sample.
fn probe(probe: &str, sample: &str, more: &str) -> String {
    format!("format = 1\n[object]\nscene = \"cube.toml\"\n[probe]\n{probe}\n[[sample]]\n{sample}\n{more}")
}

#[test]
fn data_that_give_no_moduli_are_refused_with_their_place_and_a_cure() {
    let place = Place::new();
    place.write("cube.toml", CUBE);
    let lattice = |size: f64, height: f64| -> String {
        let at = |k: i32| size * (f64::from(k) / 9.0 - 0.5);
        (0..100).map(|k| format!("{} {} {}\n", at(k % 10), height, at(k / 10))).collect()
    };
    place.write("top.xyz", lattice(0.14, 0.148));
    place.write("far.xyz", lattice(0.14, 3.0));
    place.write("millimetres.xyz", lattice(140.0, 148.0));
    let push = "touch = [0, 0.15, 0]\nforce = [0, -20, 0]\nscan = \"top.xyz\"";
    let tip = "radius = 0.03\nhidden = 0";
    let refused = |text: &str, words: &[&str]| {
        place.write("probe.toml", text);
        place.fail("identify probe.toml --json never.json", words);
        assert!(!place.path("never.json").exists());
    };
    refused("format = 1\n[object]\nscene = 3\n", &["probe.toml: line 3", "string"]);
    refused(&probe("radius = 0", push, ""), &["probe.toml: probe.radius", "metres"]);
    refused(&probe(tip, &push.replace("-20", "0"), ""), &["probe.toml: sample 1: force", "not zero"]);
    refused(&probe(tip, &push.replace("0.15", "0.5"), ""), &["sample 1: touch", "from the body at rest"]);
    refused(&probe(tip, &push.replace("top", "none"), ""), &["sample 1: scan", "none.xyz"]);
    refused(&probe(tip, &push.replace("top", "far"), ""), &["sample 1 (far.xyz)", "no points near the body"]);
    refused(
        &probe(tip, &push.replace("top", "millimetres"), ""),
        &["sample 1: scan", "times as large as the body", "metres"],
    );
    refused(
        &probe(&format!("{tip}\ncontrol = \"depth\""), push, ""),
        &["sample 1: depth", "`control = \"depth\"` needs it"],
    );
    refused(
        &probe(tip, push, "[fit]\npoisson = { fixed = 0.5 }"),
        &["fit.poisson.fixed", "0.5 is not within"],
    );
    place.write("cube.toml", CUBE.replace("[[solid.pin]]", "[[solid.load]]\nforce = [0, 0, 0]"));
    refused(&probe(tip, push, ""), &["object.scene", "can move as a whole", "pin"]);
    place.write("cube.toml", CUBE.replace("neo_hookean", "springs"));
    refused(&probe(tip, push, ""), &["object.body", "depend on its mesh"]);
    place.write("probe.toml", probe(tip, push, ""));
    place.fail("scan cube.toml --probe 0,0.15,0 --force=-3 --out scans", &["--force", "above zero"]);
}
