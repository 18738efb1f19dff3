//! `sinew statics`: clamps that move, buckling loads, ropes.

use super::program::Place;

/// A straight rod of 1 m, radius 5 mm and E = 1 GPa: EA = 78539.8 N, EI = 0.490874 N m².
fn rod(to: &str, segments: u32, gravity: f64, ends: &str) -> String {
    format!(
        "format = 1\ngravity = [0, {gravity}, 0]\n[[rod]]\nname = \"rod\"\nfrom = [0, 0, 0]\nto = {to}\nsegments = {segments}\n\
         radius = 0.005\nyoungs_modulus = 1e9\npoisson_ratio = 0.3\ndensity = 1000\n{ends}\n"
    )
}

/// The number behind a word of the output.
fn number(text: &str, word: &str) -> f64 {
    let rest = &text[text.find(word).unwrap_or_else(|| panic!("no {word} in {text}")) + word.len()..];
    let end = rest.find([',', ';', '\n', ' ']).unwrap_or(rest.len());
    rest[..end].parse().unwrap_or_else(|error| panic!("{error}: {rest}"))
}

/// Pulled by 1 % of its length the rod stores ½ EA δ²/L, whatever keys come before; halfway there a quarter of it.
#[test]
fn clamps_go_where_their_last_keyframe_takes_them() {
    let place = Place::new();
    let motion = "start = \"clamped\"\nend = { hold = \"clamped\", motion = [{ time = 0 }, { time = 1 }, { time = 2, offset = [0.01, 0, 0] }] }";
    place.write("pulled.toml", rod("[1, 0, 0]", 20, 0.0, motion));
    let exact = 0.5 * 1e9 * std::f64::consts::PI * 25e-6 * 1e-4;
    let energy = number(&place.succeed("statics pulled.toml").out, "stretch ");
    assert!((energy / exact - 1.0).abs() < 1e-5, "{energy} of {exact}");
    let half = number(&place.succeed("statics pulled.toml --at 1.5").out, "stretch ");
    assert!((half / exact - 0.25).abs() < 1e-5, "{half} of {exact}");
    // A clamp that is turned and carried takes a free rod along as it is.
    let carried = "start = { hold = \"clamped\", motion = [{ time = 0 }, { time = 1, offset = [0, 2, 0], rotation = [0, 0, 90] }] }";
    place.write("carried.toml", rod("[1, 0, 0]", 20, 0.0, carried));
    let out = place.succeed("statics carried.toml --csv rest.csv").out;
    assert!(out.contains("a stable state of rest") && out.contains("end at (0.000000, 3.000000, "), "{out}");
}

/// Euler's load of a column clamped below and free above, π² EI/4L², and its mode 1 − cos(πx/2L).
#[test]
fn a_column_buckles_at_eulers_load() {
    let place = Place::new();
    let ends = "start = \"clamped\"\nend = { force = [0, -0.5, 0] }";
    place.write("column.toml", rod("[0, 1, 0]", 50, 0.0, ends));
    let out = place.succeed("statics column.toml --buckling --csv column.csv").out;
    let euler = std::f64::consts::PI.powi(2) * 0.490_873_852_1 / 4.0;
    let load = 0.5 * number(&out, "buckles at ");
    assert!((load / euler - 1.0).abs() < 1e-3, "{load} of {euler} N");
    let csv = place.text("column.csv");
    assert!(csv.starts_with("body,particle,x,y,z,mode_x,mode_y,mode_z\n"), "{csv}");
    let mode = |particle: usize| {
        let row: Vec<f64> =
            csv.lines().nth(particle + 1).unwrap().split(',').skip(5).map(|n| n.parse().unwrap()).collect();
        row.iter().map(|x| x * x).sum::<f64>().sqrt()
    };
    let expected = 1.0 - (std::f64::consts::PI / 4.0).cos();
    assert!(
        (mode(25) - expected).abs() < 5e-3 && (mode(50) - 1.0).abs() < 1e-12,
        "{} of {expected}",
        mode(25)
    );
    place.write("none.toml", rod("[0, 1, 0]", 10, 0.0, "start = \"clamped\""));
    place.fail("statics none.toml --buckling", &["no force acts"]);
}

/// A rope of 40 segments that starts level comes to hang straight down, ρ g L²/2E longer than it is.
#[test]
fn a_plain_rope_comes_to_rest_with_the_defaults() {
    let place = Place::new();
    place.write("rope.toml", rod("[1, 0, 0]", 40, -9.81, "start = \"pinned\"").replace("1e9", "1e6"));
    let out = place.succeed("statics rope.toml").out;
    assert!(out.contains("a stable state of rest"), "{out}");
    let place_of_end = &out[out.find("end at (").unwrap()..];
    let y: f64 = place_of_end.split(", ").nth(1).unwrap().parse().unwrap();
    assert!((y + 1.0 + 1000.0 * 9.81 / 2e6).abs() < 2e-6, "{y}");
}

/// The elastica of a cantilever under loads that grow: (PL²/EI, down, inward) of Mattiasson 1981, from the path that statics writes.
#[test]
fn loads_are_raised_in_steps_along_the_elastica() {
    let place = Place::new();
    const EI: f64 = 0.490_873_852_1;
    let ends = format!("start = \"clamped\"\nend = {{ force = [0, {}, 0] }}", -10.0 * EI);
    place.write("beam.toml", rod("[1, 0, 0]", 100, 0.0, &ends));
    place.succeed("statics beam.toml --load-steps 10 --path path.csv");
    let csv = place.text("path.csv");
    let titles: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    let at = |name: &str| titles.iter().position(|title| *title == name).unwrap();
    let rows: Vec<Vec<f64>> =
        csv.lines().skip(1).map(|row| row.split(',').map(|x| x.parse().unwrap()).collect()).collect();
    assert_eq!(rows.len(), 10, "{csv}");
    for (step, down, inward) in
        [(1, 0.30172, 0.05643), (2, 0.49346, 0.16064), (5, 0.71379, 0.38763), (10, 0.81061, 0.55500)]
    {
        let row = &rows[step - 1];
        assert!((row[at("load")] - 0.1 * step as f64).abs() < 1e-12);
        let found = [-row[at("rod end y")], 1.0 - row[at("rod end x")]];
        println!("{step}: {found:?} of {down}, {inward}");
        assert!((found[0] - down).abs() < 2e-3 && (found[1] - inward).abs() < 2e-3, "{step}: {found:?}");
        assert!(row[at("unstable_modes")] == 0.0 && row[at("bend")] > 0.0);
    }
}
