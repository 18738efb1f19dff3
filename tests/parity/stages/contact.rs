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

pub fn contact(add: Add) {
    for substeps in [2, 30, 60] {
        add(format!("heap, {substeps}"), heap(10, ""), substeps, TOLERANCE);
    }
    add("heap with others".into(), heap(10, OTHERS), 60, TOLERANCE);
    // In one substep a frame the guard must hold particles back.
    add("heap, held back".into(), heap(1, ""), 3, TOLERANCE);
    add(
        "heap, Jacobi".into(),
        heap(10, "").replace("iterations", "solver = \"jacobi\"\niterations"),
        30,
        TOLERANCE,
    );
}
