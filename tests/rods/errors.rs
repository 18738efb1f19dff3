//! What is wrong with a rod is said where it stands.

use sinew::scene::Scene;

fn message(rod: &str) -> String {
    let text = format!("format = 1\n[[rod]]\n{rod}\n");
    Scene::parse(&text, "rod.toml", "").expect_err(&text).to_string()
}

const LINE: &str = "from = [0, 0, 0]\nto = [1, 0, 0]\nsegments = 10\n";

#[test]
fn bad_rods_are_refused_with_the_place_and_the_cure() {
    let line = |more: &str| message(&format!("{LINE}{more}"));
    for (found, expected) in [
        (line("radius = 0"), "`radius` is 0 m; it must be greater than 0"),
        (line("youngs_modulus = -1"), "`youngs_modulus` is -1 Pa"),
        (line("poisson_ratio = 0.7"), "`poisson_ratio` is 0.7; it must be greater than -1 and at most 0.5"),
        (line("material = \"robe\""), "did you mean"),
        (line("shear_modulus = 1e6\npoisson_ratio = 0.3"), "say the same thing"),
        (line("rest = \"straight\"\nrest_twist = 3"), "does not go with"),
        (line("start = { motion = [{ time = 1 }] }"), "this end is free"),
        (line("start = \"clamped\"\n[[rod.pin]]\nindices = [0]"), "already holds"),
        (line("end = { weight = -2 }"), "`weight` is -2 kg"),
        (line("copies = { count = [0, 1], steps = [[1,0,0],[0,0,1]] }"), "`count` is 0"),
        (message("from = [1, 1, 1]\nto = [1, 1, 1]\nsegments = 3"), "a rod needs a length"),
        (message("from = [0, 0, 0]\nto = [1, 1, 1]\nsegments = 0"), "`segments` is 0"),
        (message("points = [[0, 0, 0]]"), "a rod needs at least 2"),
        (message("points = [[0, 0, 0], [1, 0, 0], [1, 0, 0]]"), "is where the point before it is"),
        (message("helix = { radius = 0.1, pitch = 0.1, turns = 0, segments = 9 }"), "different from 0"),
        (message("segments = 4"), "needs one of `from`, `points`, `helix`"),
    ] {
        println!("{found}");
        assert!(found.contains(expected), "`{found}` does not say `{expected}`");
        assert!(found.starts_with("rod.toml:"), "{found}");
    }
}
