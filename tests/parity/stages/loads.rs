//! Loads over time and tendons.

use super::{Add, TOLERANCE};

/// A ball of gas that leaks, and a sheet with a force that follows it, a traction that changes and a cable.
const LOADS: &str = r#"
format = 1
substeps = 4

[[cloth]]
name = "ball"
sphere = { radius = 0.5, level = 2 }

[[cloth]]
name = "sheet"
grid = { size = [1, 1], cells = [5, 5] }
position = [0, 2, 0]

[[load]]
body = "ball"
pressure = 4
gas = { ambient = 5, leak = 1e-2 }
keyframes = [{ time = 0, factor = 1.1 }, { time = 0.01, factor = 1.3 }, { time = 0.5, factor = 2.2 }]

[[load]]
body = "sheet"
corners = ["top_left", "top_right"]
force = [0.3, 0.2, 0.4]
follow = true

[[load]]
body = "sheet"
traction = [0.2, 0.1, 0.3]
keyframes = [{ time = 0, factor = 1 }, { time = 1, factor = 3 }]

[[tendon]]
tension = 0.7
friction = 0.2
through = [{ body = "sheet", indices = [0, 8, 15, 35] }]
"#;

pub fn loads(add: Add) {
    add("loads".into(), LOADS.into(), 10, TOLERANCE);
}
