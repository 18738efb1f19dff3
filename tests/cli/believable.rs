//! Runs that stay finite and are wrong all the same must say so.

use crate::program::{Place, SCENE};

/// A weight on a rope whose solver cannot take it at this step: finite, and nonsense.
const EXPLODING: &str = r#"
format = 1
duration = 1.0
[[rod]]
name = "rope"
from = [0, 2, 0]
to = [1, 2, 0]
segments = 20
start = "pinned"
end = { weight = 5 }
"#;

#[test]
fn an_explosion_that_stays_finite_is_reported_with_body_time_and_cure() {
    let place = Place::new();
    // Fewer substeps than this scene needs, whatever the default is.
    place.write("rope.toml", EXPLODING.replace("duration", "substeps = 10\nduration"));
    let run = "run rope.toml --csv --backend cpu --save-every 0 --overwrite";
    let ended = place.succeed(run);
    let energy = ended.err.lines().find(|line| line.contains("energy rose by")).unwrap_or_default();
    for word in ["warning: body `rope` at 0.", "although nothing does work", "`substeps` (10 now, try 40)"] {
        assert!(energy.contains(word), "`{word}` is not in\n{}", ended.err);
    }
    assert!(ended.err.contains("the largest stretch jumped from"), "{}", ended.err);
    place.fail(&format!("{run} --strict"), &["--strict", "body `rope`", "energy rose by", "substeps"]);
    let ended = place.succeed(&format!("{run} --json"));
    let summary: serde_json::Value = serde_json::from_str(&ended.out).unwrap();
    let first = &summary["warnings"][0];
    assert_eq!(first["bodies"][0], "rope", "{summary}");
    let time = first["time"].as_f64().unwrap();
    assert!(time > 0.2 && time < 0.6, "{summary}");
    assert!(first["cure"].as_str().unwrap().contains("substeps"), "{summary}");

    // The cure works.
    let ended = place.succeed(&format!("{run} --substeps 40 --strict"));
    assert!(!ended.err.contains("warning"), "{}", ended.err);
}

/// The same rope without a number of substeps: as many are taken as the load needs, and the run says so.
#[test]
fn substeps_are_chosen_for_a_load_and_said() {
    let place = Place::new();
    place.write("rope.toml", EXPLODING);
    let run = "run rope.toml --backend cpu --save-every 0 --overwrite --strict";
    let ended = place.succeed(run);
    assert!(ended.err.contains("substeps a step, chosen for the loads"), "{}", ended.err);
    place.write("rope.toml", EXPLODING.replace("duration", "substeps = \"auto\"\nduration"));
    let summary: serde_json::Value =
        serde_json::from_str(&place.succeed(&format!("{run} --json")).out).unwrap();
    let substeps = summary["substeps"].as_u64().unwrap();
    assert!((20..60).contains(&substeps), "{summary}");
    place.write("rope.toml", EXPLODING.replace("duration", "substeps = \"many\"\nduration"));
    place.fail(run, &["rope.toml:3", "substeps", "auto"]);
}

/// A weight beside the hook falls until its rope snaps tight: a pull 13 times that of a swing, or 37 times on a steel wire.
#[test]
fn a_rope_that_snaps_tight_gains_no_energy() {
    let place = Place::new();
    let folded = EXPLODING
        .replace("from = [0, 2, 0]\nto = [1, 2, 0]", "points = [[0, 2, 0], [0.02, 1.5, 0], [0.04, 2, 0]]");
    for (name, scene) in [
        ("rope", folded.clone()),
        ("wire", folded.replace("segments", "material = \"steel_wire\"\nsegments")),
    ] {
        place.write(&format!("{name}.toml"), scene);
        let run = format!("run {name}.toml --seconds 1.2 --csv --backend cpu --save-every 0 --strict");
        place.succeed(&run);
        let table = place.text(&format!("out/{name}/scalars.csv"));
        let energies: Vec<f64> = table
            .lines()
            .skip(1)
            .map(|line| line.split(',').skip(1).take(3).map(|word| word.parse::<f64>().unwrap()).sum())
            .collect();
        let most = energies.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        assert!(most < 1.01 * energies[0], "{name}: {most} J after {} J", energies[0]);
    }
    // It is the slack that needs them.
    place.fail(
        "run rope.toml --seconds 1.2 --csv --backend cpu --strict --substeps 28 --overwrite",
        &["energy rose"],
    );
}

#[test]
fn ordinary_scenes_are_believed() {
    let place = Place::new();
    place.write("still.toml", SCENE.replace("[wind]\nvelocity = [2, 0, 1]", "").replace("release = 0.4", ""));
    place.write("light.toml", EXPLODING.replace("weight = 5", "weight = 0"));
    for scene in
        ["scene.toml", "still.toml", "light.toml", "rope_swing --seconds 0.5", "soft_blocks --seconds 0.3"]
    {
        place.succeed(&format!("run {scene} --csv --backend cpu --save-every 0 --strict"));
    }
}

#[test]
fn numbers_are_written_for_people() {
    let place = Place::new();
    let ended = place.succeed("run scene.toml --csv --backend cpu --seconds 0.2");
    let energy = ended.out.lines().nth(1).unwrap();
    assert!(energy.starts_with("energy ") && energy.contains("J, largest stretch"), "{energy}");
    assert!(!energy.contains("e0") && !energy.contains("e-"), "{energy}");
}
