//! Bodies of every shape that turn freely and hit colliders of every kind.

use super::Add;

/// f32 rounding after one pass: the sweeps over a body's contacts work on the rounding of those before.
const TOLERANCE: f64 = 5e-5;

pub fn rigid(add: Add) {
    add("rigid bodies that hit".into(), SCENE.into(), 0, TOLERANCE);
    add("joints".into(), JOINTS.into(), 0, TOLERANCE);
    add("anchors".into(), ANCHORS.into(), 10, TOLERANCE);
    add("fields and cells".into(), FIELDS.into(), 0, TOLERANCE);
    add("what fields magnetise".into(), INDUCED.into(), 1, TOLERANCE);
    add("soft magnets".into(), SOFT.into(), 4, TOLERANCE);
}

const SCENE: &str = r#"
format = 1
substeps = 8
iterations = 2
damping = 0.2

[magnetic_field]
uniform = [0.3, 0.2, 0.5]
gradient = [1, 2, -3]
cross_gradient = [0.5, 1.5, -0.7]

[[rigid]]
box = { size = [0.2, 0.1, 0.3] }
position = [0.02, 0.045, 0.01]
rotation = [3, 20, 4]
velocity = [0.3, -2, 0.1]
spin = [1, 3, 2]
restitution = 0.5

[[rigid]]
sphere = { radius = 0.1 }
position = [1, 0.34, 0.02]
velocity = [0.4, -3, 0.2]
spin = [3, 1, -6]
moment = [900, 1500, 600]
restitution = 0.8

[[rigid]]
capsule = { radius = 0.05, length = 0.3 }
position = [2.02, 0.29, 0.03]
rotation = [80, 10, 5]
velocity = [0.2, -2.5, 0.3]
moment = [700, -1100, 1300]
spin = [2, -5, 1]
restitution = 0.3

[[rigid]]
box = { size = [0.5, 0.06, 0.4] }
position = [3.04, 0.12, 0.02]
rotation = [2, 5, 1]
velocity = [0.3, -1.5, 0.2]
remanence = [0.4, 0.7, -0.9]
restitution = 0.6
friction = 0.6

[[rigid]]
box = { size = [0.5, 0.06, 0.4] }
position = [4.03, 0.12, 0.02]
rotation = [1, 5, 2]
velocity = [0.2, -1.5, 0.1]
restitution = 0.6

[[collider]]
plane = { normal = [0.02, 1, 0.01] }

[[collider]]
sphere = { radius = 0.25 }
position = [1, 0, 0]
motion = [{ time = 0 }, { time = 1, offset = [0.1, 0.5, 0], rotation = [10, 200, 30] }]

[[collider]]
capsule = { radius = 0.1, length = 0.6 }
position = [2, 0.15, 0]
rotation = [5, 0, 80]

[[collider]]
box = { size = [0.2, 0.2, 0.2] }
position = [3, 0, 0]

[[collider]]
capsule = { radius = 0.1, length = 0.2 }
position = [4, 0, 0]
rotation = [0, 0, 90]
"#;

/// Joints of every kind, with everything they may have, between bodies that turn and move.
const JOINTS: &str = r#"
format = 1
substeps = 8
iterations = 2

rigid = [
    { name = "b0", box = { size = [0.2, 0.3, 0.1] }, position = [0, 0, 0], spin = [1, 5, -2], velocity = [0.3, 0.4, -0.2] },
    { name = "b1", box = { size = [0.1, 0.3, 0.2] }, position = [0.5, 0.1, 0], spin = [-4, 2, 3], velocity = [-0.3, 0.6, 0.3] },
    { name = "b2", box = { size = [0.2, 0.2, 0.1] }, position = [1, 0, 0.1], spin = [2, -3, 4], velocity = [0.2, -0.5, 0.3] },
    { name = "b3", box = { size = [0.3, 0.2, 0.1] }, position = [1.5, 0.1, 0], spin = [5, 1, 2], velocity = [0.4, 0.3, 0.5] },
    { name = "b4", box = { size = [0.2, 0.1, 0.3] }, position = [2, 0.2, 0], spin = [1, -4, 3], velocity = [0.1, 0.3, -0.4] },
    { name = "b5", box = { size = [0.2, 0.1, 0.2] }, position = [2.5, 0.1, 0.1], spin = [-3, 2, 1], velocity = [0.5, -0.3, 0.2] },
    { name = "b6", box = { size = [0.1, 0.2, 0.2] }, position = [3, 0, 0], spin = [2, 3, -5], velocity = [0.3, 0.2, 0.4] },
    { name = "b7", box = { size = [0.1, 0.1, 0.2] }, position = [3.5, 0, 0], spin = [3, 1, 6], velocity = [0.1, 0.8, 0.2] },
    { name = "b8", box = { size = [0.1, 0.1, 0.2] }, position = [4.5, 0, 0], spin = [3, 1, 6], velocity = [0.1, 0.8, 0.2] },
]

joint = [
    { a = "b0", at = [-0.2, 0.3, 0.1], axis = [1, 2, 3], limits = [0, 0.2] },
    { kind = "hinge", a = "b1", b = "b0", at = [0.25, 0.1, 0.05], axis = [1, 1, 3], motor = { speed = 40, force = 2 }, limits = [-1, 0.5] },
    { kind = "slider", a = "b2", b = "b1", at = [0.75, 0.1, 0.05], axis = [2, 1, 1], stiffness = 900, damping = 7, rest = 0.1 },
    { kind = "universal", a = "b3", b = "b2", at = [1.25, 0.1, 0.02], axis = [2, 1, 1], second_axis = [1, -2, 0] },
    { kind = "fixed", a = "b4", b = "b3", at = [1.75, 0.1, 0.05] },
    { kind = "distance", a = "b5", b = "b4", at = [2.25, 0.1, 0.05], to = [2.1, 0, 0.2], length = 0.4 },
    { kind = "hinge", a = "b6", b = "b5", at = [2.75, 0.1, 0.05], motor = { target = -20, speed = 8, force = 3 } },
    { kind = "hinge", a = "b7", b = "b6", at = [3.25, 0.1, 0.05], motor = { force = 3 } },
    { a = "b8", at = [4.5, 0.2, 0.1], break_force = 1 },
]
"#;

/// Points, a sheet and a rope of like masses held by bodies that turn: at a place, by a stick, by springs, with one that lets go and one that tears.
const ANCHORS: &str = r#"
format = 1
substeps = 4
iterations = 3

rigid = [
    { name = "button", density = 20, box = { size = [0.2, 0.3, 0.1] }, position = [0.03, 0.02, 0.1], spin = [1, 5, -2], velocity = [0.3, 0.4, -0.2] },
    { name = "ball", density = 20, sphere = { radius = 0.2 }, position = [0.3, -1, 0.2], spin = [3, -4, 2], velocity = [0.2, -0.5, 0.3] },
    { name = "buoy", density = 20, capsule = { radius = 0.1, length = 0.3 }, position = [-0.6, 0.5, 0.3], rotation = [20, 10, 40], spin = [2, 1, -3] },
]

cloth = [{ name = "sheet", grid = { size = [1, 1], cells = [6, 6] }, density = 4 }]
rod = [{ name = "rope", from = [0.3, -0.8, 0.2], to = [0.4, -0.4, 0.1], segments = 6, radius = 0.04, velocity = [3, 2, 5], method = "coloured" }]

points = [
    { name = "balls", points = [[-0.8, 0.4, 0.3], [-0.4, 0.4, 0.5], [0.6, -1.1, 0.3]], mass = 0.3, velocity = [1, 0.5, 0.25] },
    { name = "bob", points = [[-0.6, 0.9, 0.1]], mass = 0.3, velocity = [1, 9, -6] },
]

attach = [
    { a = { body = "sheet" }, b = { body = "button" }, within = 0.12 },
    { a = { body = "ball", at = [0.3, -0.8, 0.2] }, b = { body = "rope" } },
    { a = { body = "bob", indices = [0] }, b = { body = "buoy", at = [-0.6, 0.7, 0.3] } },
    { a = { body = "balls", indices = [0] }, b = { body = "buoy" }, compliance = 1e-3, damping = 2, length = 0 },
    { a = { body = "balls", indices = [1] }, b = { body = "buoy" }, break_force = 1e-3 },
    { a = { body = "balls", indices = [2] }, b = { body = "ball", at = [0.4, -1.1, 0.3] }, compliance = 1e-3, damping = 2 },
    { a = { body = "balls", indices = [2] }, b = { body = "ball" }, release = 0.02 },
]
"#;

/// Magnets of many cells, near and far, and a magnetised rod, in fields of all kinds that move. The rod is soft and curved at rest: what
/// magnets do to it in one substep would leave multipliers that are little more than rounding.
pub const FIELDS: &str = r#"
format = 1
substeps = 4
iterations = 2
damping = 0.3
magnet_tolerance = 0.05

rigid = [
    { box = { size = [0.2, 0.3, 0.1] }, position = [0.01, 0.02, 0.03], remanence = [0.4, 0.9, -0.3], cells = 4, spin = [1, 5, -2] },
    { capsule = { radius = 0.1, length = 0.2 }, position = [0.31, 0.05, 0.02], remanence = [-0.5, 0.3, 0.8], cells = 5, spin = [-4, 2, 3] },
    { sphere = { radius = 0.08 }, position = [0.4, 0.5, 0.1], moment = [300, 200, -500], spin = [3, 2, -3] },
]

rod = [{ method = "coloured", youngs_modulus = 5e4, rest_curvature = [2, 3], rest_twist = 1, from = [-0.4, 0.1, 0], to = [-0.1, 0.5, 0.1], segments = 6, radius = 0.02, remanence = [[0.003, 0.002, 0.005], [-0.002, 0.004, 0.003]], velocity = [3, 2, 5] }]

field = [
    { uniform = { field = [0.3, 0.2, 0.5] }, frequency = 20, phase = 40 },
    { gradient = { field = [0.1, 0.1, 0.2], rows = [[1, 0.5, 2], [0.5, 2, 0.7], [2, 0.7, -3]] }, position = [0.2, 0.1, 0.3], rotation = [10, 20, 30] },
    { loop = { radius = 0.3, current = 40000 }, position = [0.2, 0.3, 0.1], rotation = [40, 20, 30], keyframes = [{ time = 0, factor = 0.5 }, { time = 0.01, factor = 2 }] },
    { solenoid = { radius = 0.2, length = 0.4, current = 400, turns = 100 }, position = [-0.2, 0.3, 0.1], rotation = [40, 20, 30], motion = [{ time = 0 }, { time = 0.1, offset = [0.1, 0.05, 0.2], rotation = [30, 10, 5] }] },
    { solenoid = { radius = 0.02, length = 0.04, current = 40000, turns = 100 }, position = [-0.2, 0.3, 0.4], rotation = [40, 20, 30] },
    { wire = { points = [[0.3, 0.4, 0.5], [-0.3, 0.3, -0.3], [0.2, -0.4, 0.3]], current = 90000 } },
    { bar = { size = [0.3, 0.4, 0.2], remanence = [0.4, 0.8, -0.6] }, position = [0.25, 0.3, -0.2], rotation = [20, 10, 40] },
    { bar = { size = [0.03, 0.04, 0.02], remanence = [0.4, 0.8, -0.6] }, position = [0.25, 0.1, 0.4] },
    { ball = { radius = 0.15, remanence = [0.5, 0.6, -0.7] }, position = [0, 0.4, 0.2] },
]
"#;

/// Iron, a superconductor and a paramagnet beside a magnet, in fields, from a first guess that is a substep old.
const INDUCED: &str = r#"
format = 1
substeps = 4
iterations = 1
magnet_tolerance = 0.05

rigid = [
    { box = { size = [0.2, 0.3, 0.1] }, position = [0.01, 0.02, 0.03], remanence = [0.4, 0.9, -0.3], cells = 3, spin = [1, 5, -2] },
    { box = { size = [0.2, 0.1, 0.3] }, position = [0.31, 0.05, 0.02], rotation = [20, 30, 50], susceptibility = 700, cells = 4, spin = [-4, 2, 3] },
    { sphere = { radius = 0.1 }, position = [-0.3, 0.2, 0.1], susceptibility = -1, spin = [3, 2, -3] },
    { capsule = { radius = 0.08, length = 0.1 }, position = [0.1, 0.4, 0.1], rotation = [10, 40, 20], susceptibility = 20, cells = 4 },
]

field = [
    { uniform = { field = [0.3, 0.2, 0.5] } },
    { loop = { radius = 0.3, current = 40000 }, position = [0.2, 0.3, 0.1], rotation = [40, 20, 30] },
]
"#;

/// Solids and sheets with moments that turn or stretch with them, beside magnets and in fields.
const SOFT: &str = r#"
format = 1
substeps = 4
iterations = 1
damping = 0.3
magnet_tolerance = 0.05

rigid = [
    { box = { size = [0.2, 0.3, 0.1] }, position = [0.01, 0.5, 0.03], remanence = [0.4, 0.9, -0.3], cells = 3, spin = [1, 5, -2] },
    { sphere = { radius = 0.1 }, position = [0.5, 0.2, 0.1], moment = [300, 200, -500] },
]

solid = [
    { name = "jelly", box = { size = [0.3, 0.2, 0.2], cells = [2, 2, 1] }, velocity = [3, 2, 5], spin = [9, 4, 7], youngs_modulus = 1e4 },
    { name = "gum", box = { size = [0.3, 0.2, 0.2], cells = [2, 1, 1] }, position = [0.6, 0.6, 0], spin = [3, 14, 7], youngs_modulus = 1e4 },
]

cloth = [
    { name = "flag", grid = { size = [0.4, 0.3], cells = [3, 2] }, position = [0.3, 0.4, 0.3], rotation = [20, 50, 10], velocity = [1, 3, 2], spin = [3, 4, 7] },
    { name = "net", grid = { size = [0.4, 0.3], cells = [2, 2] }, position = [-0.4, 0.3, 0.2], rotation = [70, 20, 40], velocity = [2, 1, 3], spin = [5, 2, 3] },
]

magnetise = [
    { body = "jelly", remanence = [0.1, 0.3, 0.2] },
    { body = "gum", remanence = [0.3, -0.2, 0.1], follows = "deformation" },
    { body = "flag", remanence = [0.2, 0.3, 0.4], thickness = 0.01 },
    { body = "net", remanence = [0.4, 0.2, -0.3], thickness = 0.01, follows = "deformation" },
]

field = [
    { uniform = { field = [0.3, 0.2, 0.5] } },
    { loop = { radius = 0.3, current = 40000 }, position = [0.2, 0.3, 0.1], rotation = [40, 20, 30] },
]
"#;
