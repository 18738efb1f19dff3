//! What pins and colliders hold, in files and expectations.

use crate::program::Place;

const ROPE: &str = r#"
format = 1
damping = 5
duration = 1

[[rod]]
name = "rope"
from = [0, 1, 0]
to = [0, 0, 0]
segments = 8
start = "pinned"
end = { weight = 1 }

[[expect.reaction]]
of = "rope.pin1"
min = [-0.1, MIN, -0.1]
max = [0.1, 20, 0.1]
"#;

#[test]
fn reactions_are_written_drawn_expected_and_go_on_after_a_resume() {
    let place = Place::new();
    place.write("rope.toml", ROPE.replace("MIN", "9.8"));
    let run = "run rope.toml --reactions --plot --backend cpu";
    place.succeed(&format!("{run} --seconds 0.5"));
    place.succeed(&format!("{run} --seconds 1 --resume --expect"));
    let table = String::from_utf8(place.read("out/rope/reactions.csv")).unwrap();
    let mut lines = table.lines();
    assert!(lines.next().unwrap().starts_with("time,rope.pin1 force_x,rope.pin1 force_y"), "{table}");
    let rows: Vec<Vec<f64>> =
        lines.map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect();
    assert!(rows.windows(2).all(|pair| pair[0][0] < pair[1][0]) && rows.len() == 31, "{}", rows.len());
    let last = rows.last().unwrap();
    // A kilogram, and the rope.
    assert!(last.len() == 7 && (9.81..11.0).contains(&last[2]), "{last:?}");
    assert!(place.files("out/rope").contains(&"reactions.png".to_string()));

    place.write("rope.toml", ROPE.replace("MIN", "15"));
    let run = "run rope.toml --csv --backend cpu --overwrite --expect";
    place.fail(run, &["`rope.pin1` holds with", "expected between"]);
    place.write("rope.toml", ROPE.replace("MIN", "9").replace("rope.pin1", "rope.pin2"));
    place.fail(run, &["nothing that holds is called `rope.pin2`; there are: rope.pin1"]);
}
