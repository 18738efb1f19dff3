//! Rods and nets of every method.

use super::{Add, Stage, of_solver};
use sinew::model::Model;
use sinew::scene::Scene;
use sinew::solver::Solver;

/// f32 rounding after one pass: the elimination magnifies it by the condition of the system, which is small for soft rods.
const ROD: f64 = 2e-5;
/// The same for the multipliers of nets and for the rows of the direct method, each kind of which is compared by itself.
const NET: f64 = 3e-5;
const ELIMINATED: f64 = 5e-5;

/// Rods of rubber in a wind: curved at rest, clamped, driven, loaded and let go. They are as thick as trunks and have segments of
/// half a metre, so that forces and torques, and lengths and angles, have numbers of the same size: what holds all of them
/// has one scale.
pub fn rod(top: &str, method: &str, material: &str) -> String {
    let (substeps, iterations) = resolution(method);
    format!(
        r#"
format = 1
substeps = {substeps}
iterations = {iterations}
damping = 0.5
{top}

[wind]
velocity = [20, 0, 10]

[[rod]]
method = "{method}"
material = "rubber"
radius = 0.2
{material}
helix = {{ radius = 2, pitch = 1, turns = 1.5, segments = 40 }}
rest_curvature = [0.1, 0.4]
rest_twist = 0.05
position = [0.3, 1, 0.2]
rotation = [20, 30, 40]
start = "clamped"
end = {{ weight = 50 }}

[[rod]]
method = "{method}"
material = "rubber"
radius = 0.2
{material}
from = [0, 0, 0]
to = [12, 0, 0]
segments = 24
start = {{ hold = "pinned", torque = [0, 100, 1000] }}
end = {{ force = [0, 100, 200] }}

[[rod]]
method = "{method}"
material = "rubber"
radius = 0.2
{material}
from = [12, 0, 5]
to = [0, 0, 5]
segments = 24
rest_curvature = [0.3, 0.2]
start = {{ torque = [300, 500, 700], torque_follows = true }}
end = "pinned"

[[rod]]
method = "{method}"
material = "rubber"
radius = 0.2
{material}
from = [0, 2, 0]
to = [12, 2, 0]
segments = 24
start = "clamped"

[rod.end]
hold = "clamped"
release = 0.1
motion = [{{ time = 0 }}, {{ time = 1, offset = [-1, 1, 0], rotation = [360, 40, 0] }}]
"#
    )
}

/// Substeps and iterations: long substeps, so that what is corrected in one is large, and after the direct method one iteration,
/// since what it leaves for a second is rounding.
fn resolution(method: &str) -> (u32, u32) {
    match method {
        "direct" => (1, 1),
        "corde" => (4, 1),
        _ => (1, 2),
    }
}

/// So soft that a strain is far above the rounding of a length.
pub const SOFT_RUBBER: &str = "youngs_modulus = 5e4";
/// So soft that what stretches explicit rods is far above the rounding of their lengths.
const SOFT: &str = "youngs_modulus = 2e4\nstretch_friction = 10\nbend_friction = 1";

pub fn rods(add: Add) {
    add("direct, order 2".into(), rod("order = 2", "direct", SOFT_RUBBER), 6, ELIMINATED);
    for method in ["direct", "coloured", "jacobi"] {
        let tolerance = if method == "direct" { ELIMINATED } else { ROD };
        add(format!("rods, {method}"), rod("", method, SOFT_RUBBER), 5, tolerance);
    }
    // Just when an end is let go, and with the passes of a processor, which walks along rods.
    add("rods, let go".into(), rod("", "coloured", SOFT_RUBBER), 6, ROD);
    for frame_substeps in [1, 3] {
        let top = format!("raise_substeps = true\nframe_substeps = {frame_substeps}");
        add(format!("rods, corde, {frame_substeps}"), rod(&top, "corde", SOFT), 200, ROD);
    }
}

/// Nets of rubber, as thick as the rods: pinned, clamped and driven; knots of both kinds.
pub fn net(top: &str, method: &str, material: &str) -> String {
    let (substeps, iterations) = resolution(method);
    format!(
        r#"
format = 1
substeps = {substeps}
iterations = {iterations}
damping = 0.5
{top}

[[net]]
method = "{method}"
material = "rubber"
radius = 0.2
{material}
grid = {{ size = [6, 5], cells = [4, 3], segments = 3 }}
rotation = [-70, 10, 5]

[[net.clamp]]
indices = [0]

[[net.clamp]]
indices = [4]
release = 0.2
motion = [{{ time = 0 }}, {{ time = 1, offset = [-1, 1, 0], rotation = [90, 40, 0] }}]

[[net.pin]]
indices = [19]

[[net]]
method = "{method}"
material = "rubber"
radius = 0.2
{material}
web = {{ radius = 3, spokes = 5, rings = 2, segments = 2 }}
junctions = "pairs"
strain = "darboux"
position = [10, 0, 0]
rotation = [-60, 20, 30]

[[net.pin]]
indices = [6]
"#
    )
}

const WIND: &str = "wind = { velocity = [20, 0, 10] }";

pub fn nets(add: Add) {
    for method in ["direct", "coloured", "jacobi"] {
        add(format!("nets, {method}"), net(WIND, method, SOFT_RUBBER), 6, NET);
    }
    add("nets, corde".into(), net("raise_substeps = true", "corde", SOFT), 200, ROD);
}

/// Rods with the passes of a processor, which walks along each of them.
pub fn walked() -> Stage {
    // Enough equal rods to fill the lanes of registers.
    let copies = "copies = { count = [16, 8], steps = [[6, 0, 0], [0, 0, 6]] }\nhelix";
    let text = rod("", "coloured", SOFT_RUBBER).replace("helix", copies);
    let scene = Scene::parse(&text, "walked.toml", "").unwrap();
    let solver = Solver::new(&Model::new(&scene).unwrap()).unwrap();
    of_solver("rods, walked".into(), solver, 5, ROD)
}
