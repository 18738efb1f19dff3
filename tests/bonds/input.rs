//! What a scene may say of bonded cells, and what it may not.

use sinew::scene::Scene;

fn error(body: &str) -> String {
    let text = format!("format = 1\n[[composite]]\nname = \"plank\"\n{body}");
    let parsed = Scene::parse(&text, "wood.toml", "");
    parsed
        .and_then(|scene| scene.build().map(drop))
        .map_or_else(|error| error.to_string(), |()| "valid".into())
}

const BOX: &str = "box = { size = [1, 0.1, 0.1] }\n";

#[test]
fn bad_bodies_are_refused_with_place_and_cure() {
    for (body, wanted) in [
        ("grain = [0, 0, 0]\n", "`grain` has no length"),
        ("radial = [-2, 0, 0]\n", "along the grain; give a direction across it"),
        ("cell = [0.01, 0, 0.01]\n", "`cell`"),
        ("cell = [1e-6, 0.1, 0.1]\n", "make `cell` larger"),
        ("cell = [1e-3, 1e-3, 1e-3]\n", "make `cell` larger"),
        ("wood = \"oka\"\n", "oak"),
        ("youngs_modulus = [1e10, 0, 1e8]\n", "`youngs_modulus`"),
        ("density = -3\n", "`density`"),
        ("cell = [0.03, 0.01, 0.01]\n", "2 E G/f²"),
        ("fracture_energy = [1e4, 2, 900]\n", "radially"),
        ("tension_strength = [1e8, 0]\n", "`tension_strength`"),
        ("crack = [{ min = [3, 3, 3], max = [4, 4, 4] }]\n", "no face between two cells"),
        ("scatter = 0.7\n", "`scatter`"),
        ("pin = [{ box = { min = [5, 5, 5], max = [6, 6, 6] } }]\n", "contains no particle"),
        ("pin = [{ indices = [0], compliance = 1e-6 }]\n", "holds rigidly"),
    ] {
        let found = error(&format!("{BOX}{body}"));
        assert!(found.contains(wanted) && found.contains("plank"), "{body}: {found}");
    }
    let found = error("breaks = \"no\"\nball = { radius = 0.001 }\ncell = [1, 1, 1]\n");
    assert!(found == "valid" || found.contains("make `cell` smaller"), "{found}");
}

#[test]
fn a_box_along_its_grain_is_filled_and_other_shapes_nearly_so() {
    let volume = |body: &str| {
        let text = format!("format = 1\n[[composite]]\nbreaks = \"no\"\n{body}");
        let scene = Scene::parse(&text, "wood.toml", "").unwrap();
        let geometry = scene.build().unwrap();
        let shape = &geometry.composites[0];
        shape.positions.len() as f64 * shape.cell.element_product()
    };
    let whole = volume("box = { size = [1, 0.11, 0.07] }\ngrain = [0, 0, 2]\ncell = [0.03, 0.02, 0.013]\n");
    assert!((whole / (0.11 * 0.07) - 1.0).abs() < 1e-12);
    let log =
        volume("cylinder = { radius = 0.1, height = 0.6 }\ngrain = [0, 1, 0]\ncell = [0.05, 0.01, 0.01]\n");
    let wanted = std::f64::consts::PI * 0.01 * 0.6;
    assert!((log / wanted - 1.0).abs() < 0.02, "{log} of {wanted}");
    let oblique =
        volume("box = { size = [0.3, 0.1, 0.1] }\ngrain = [1, 0.7, 0]\ncell = [0.01, 0.005, 0.01]\n");
    assert!((oblique / 3e-3 - 1.0).abs() < 0.03, "{oblique}");
}
