//! Bodies of bonded cells, held, bent, broken and on obstacles. Their cells are about a metre long, so that what moves and what turns have
//! numbers of one size.

use super::Add;

/// f32 rounding after one pass: strains are differences of positions.
const TOLERANCE: f64 = 5e-5;
/// The same of what damage still changes by in later rounds: small differences of numbers near one.
const OF_CHANGES: f64 = 2e-3;

pub fn bonds(add: Add) {
    add("bonded cells".into(), SCENE.into(), 3, TOLERANCE);
    add("bonded cells that break at once".into(), BREAKING.replace("rounds = 3", "rounds = 1"), 2, TOLERANCE);
    add("bonded cells that break".into(), BREAKING.into(), 4, OF_CHANGES);
}

const SCENE: &str = r#"
format = 1
substeps = 2
conjugate_gradients = { iterations = 6, tolerance = 1e-6 }

[[composite]]
box = { size = [6, 3.5, 3] }
cell = [1.2, 0.9, 1]
rotation = [20, 30, 10]
velocity = [0.3, -2, 0.5]
spin = [1, 2, -1]
youngs_modulus = [3e4, 2e4, 1e4]
shear_modulus = [9e3, 1.2e4, 8e3]
density = 30
strength = "reduced"
rounds = 2
[[composite.pin]]
indices = [0, 1, 5]
"#;

const BREAKING: &str = r#"
format = 1
substeps = 2
conjugate_gradients = { iterations = 6, tolerance = 1e-6 }

[[composite]]
box = { size = [6, 3.5, 3] }
cell = [1.2, 0.9, 1]
position = [0, 1.9, 0]
rotation = [4, 30, 10]
velocity = [3, -12, 5]
spin = [1, 2, -1]
youngs_modulus = [3e4, 2e4, 1e4]
shear_modulus = [9e3, 1.2e4, 8e3]
density = 30
tension_strength = [400, 250]
compression_strength = [700, 500]
shear_strength = [300, 200]
fracture_energy = [60, 25, 30]
scatter = 0.2
rounds = 3
friction = 0.5
[[composite.pin]]
indices = [0, 1, 5]

[[collider]]
plane = { normal = [0, 1, 0] }
friction = 0.4
[[collider]]
box = { size = [2, 1, 2] }
position = [2, 0.6, 0]
rotation = [10, 5, 20]
motion = [{ time = 0 }, { time = 1, offset = [0.5, 1, 0.2], rotation = [0, 20, 0] }]
[[collider]]
capsule = { radius = 0.6, length = 2 }
position = [-2, 0.6, 1]
rotation = [80, 0, 10]
"#;
