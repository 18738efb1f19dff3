//! Bodies that touch each other: sheets that land on each other and on the floor, sliding, and ropes and blocks among them.

use super::Add;

/// f32 rounding after one pass; gaps and pushes are differences of positions.
const TOLERANCE: f64 = 5e-5;

/// Sheets in a heap, a little apart and turned, of one size, so that what they do to each other is of one size too.
fn heap(substeps: u32, more: &str) -> String {
    let sheet = |k: u32| {
        format!(
            r#"
[[cloth]]
grid = {{ size = [1, 1], cells = [4, 4] }}
position = [{}, {}, {}]
rotation = [{}, {}, 0]
velocity = [{}, {}, 0.3]
density = 0.3
stretch_stiffness = 300
thickness = 0.04
friction = 0.5
"#,
            0.03 * f64::from(k),
            0.03 + 0.05 * f64::from(k),
            0.02 * f64::from(k),
            90.0 + 0.5 * f64::from(k),
            17 * k,
            1.0 - 0.7 * f64::from(k),
            -0.5 * f64::from(k + 1)
        )
    };
    let sheets: String = (0..5).map(sheet).collect();
    format!(
        r#"
format = 1
substeps = {substeps}
iterations = 3

[contact]

[[collider]]
plane = {{ normal = [0.02, 1, 0.01] }}
friction = 0.4
{sheets}
{more}"#
    )
}

const OTHERS: &str = r#"
[[rod]]
method = "coloured"
radius = 0.02
youngs_modulus = 1e5
from = [-0.6, 0.32, 0.1]
to = [0.6, 0.34, 0.2]
segments = 8

[[solid]]
box = { size = [0.3, 0.3, 0.3], cells = [2, 2, 2] }
position = [0, 0.55, 0]
rotation = [3, 20, 4]
velocity = [0.5, -3, 0.2]
youngs_modulus = 1e5
model = "position"
thickness = 0.04
"#;

/// Rigid boxes that fall on each other, and a sheet that falls on them and over a pole thinner than its edges.
const DRIVEN: &str = r#"
format = 1
substeps = 10
iterations = 3

[contact]

[[rigid]]
box = { size = [0.3, 0.2, 0.25] }
position = [0.02, 0.11, 0.01]
rotation = [4, 20, 6]
velocity = [0.2, -0.5, 0.1]
spin = [1, 2, -1]
density = 300

[[rigid]]
box = { size = [0.28, 0.2, 0.22] }
position = [0.05, 0.36, 0.02]
rotation = [8, 35, 5]
velocity = [-0.1, -2, 0.3]
spin = [-2, 1, 2]
density = 300

[[cloth]]
grid = { size = [0.8, 0.8], cells = [5, 5] }
position = [0.1, 0.52, 0]
rotation = [92, 9, 3]
velocity = [0.3, -3, 0.2]
density = 0.4
stretch_stiffness = 400
thickness = 0.03
friction = 0.5

[[collider]]
capsule = { radius = 0.01, length = 1.2 }
position = [0.38, 0.46, 0.02]
rotation = [90, 0, 0]
motion = [{ time = 0 }, { time = 1, offset = [1, 0.6, 0.4] }]

[[collider]]
plane = { normal = [0.02, 1, 0.01] }
friction = 0.4
"#;

pub fn contact(add: Add) {
    for substeps in [3, 12, 30] {
        add(format!("boxes and a pole, {substeps}"), DRIVEN.into(), substeps, TOLERANCE);
    }
    for substeps in [2, 30, 60] {
        add(format!("heap, {substeps}"), heap(10, ""), substeps, TOLERANCE);
    }
    // A list is made at the start.
    for substeps in [0, 30] {
        let soft = heap(10, "").replace("[contact]", "[contact]\ncompression = 300");
        add(format!("heap, soft, {substeps}"), soft, substeps, TOLERANCE);
    }
    add("heap with others".into(), heap(10, OTHERS), 60, TOLERANCE);
    // In one substep a frame the guard must hold particles back.
    add("heap, held back".into(), heap(1, ""), 3, TOLERANCE);
    add(
        "heap, Jacobi".into(),
        heap(10, "")
            .replace("iterations", "solver = \"jacobi\"\niterations")
            .replace("friction = 0.5\n", "friction = 0.5\nbending_stiffness = 0\n"),
        30,
        TOLERANCE,
    );
}
