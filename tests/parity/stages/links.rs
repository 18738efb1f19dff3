//! Sheets and points of links, ties between bodies, and what a user does to a sheet.

use super::{Add, Stage, TOLERANCE, prepared};
use glam::DVec3;
use sinew::compute::{Data, Executor, Run};
use sinew::constraints::grab::Hold;
use sinew::contact::ball_push::Sphere;
use sinew::solver::Solver;

/// Links, hinges, areas, volumes, pins, contact and wind.
const LINKS: &str = r#"
format = 1
substeps = 4
iterations = 3
damping = 0.5

[wind]
velocity = [2, 0, 1]

[[cloth]]
grid = { size = [1, 1], cells = [8, 8] }
position = [0, 1.2, 0]
rotation = [-60, 10, 5]
area_stiffness = 200
bending = "dihedral"
bending_stiffness = 0.01

[[cloth.pin]]
corners = ["top_left", "top_right"]

[[cloth.pin]]
corners = ["bottom_left"]
compliance = 1e-3
axes = "xz"

[[cloth.pin]]
corners = ["bottom_right"]
motion = [{ time = 0 }, { time = 1, offset = [-0.5, 0.2, 0.1] }]
release = 0.05

[[collider]]
sphere = { radius = 0.3 }
position = [0, 0.9, 0]
motion = [{ time = 0 }, { time = 1, offset = [0.1, 0.5, 0], rotation = [10, 200, 30] }]

[[points]]
points = [[2, 1, 0], [2.3, 1, 0], [2, 1.3, 0.1], [2.1, 1.1, 0.3], [2.4, 1.2, 0.3]]
mass = 0.1
links = [[0, 1], [1, 4]]
triangles = [[0, 1, 2]]
tetrahedra = [[0, 1, 2, 3], [1, 2, 3, 4]]
velocity = [0.5, 0, 0]
compliance = 1e-4
area_compliance = 1e-5
volume_compliance = 1e-6

[[points.pin]]
indices = [0]
"#;

pub fn links(add: Add) {
    let jacobi = |text: &str| text.replace("damping", "solver = \"jacobi\"\ndamping");
    let isometric = LINKS.replace("\"dihedral\"", "\"isometric\"");
    // Before, while and after a pin lets go.
    for substeps in [10, 11, 12] {
        add(format!("links, {substeps}"), LINKS.into(), substeps, TOLERANCE);
    }
    let coarse = "coarse_links = true\nstretch_stiffness = 50\ntethers = { to = \"every\" }\narea_stiffness";
    add("links, coarse".into(), LINKS.replace("area_stiffness", coarse), 10, TOLERANCE);
    add("links, isometric".into(), isometric.clone(), 10, TOLERANCE);
    let (before, after) = LINKS.split_once("[[collider]]").expect("the scene has a collider");
    let free = format!("{before}{}", &after[after.find("[[points]]").expect("points follow it")..]);
    add("links, order 2".into(), free.replace("substeps = 4", "substeps = 4\norder = 2"), 10, TOLERANCE);
    add("links, Jacobi".into(), jacobi(LINKS), 10, TOLERANCE);
    add("links, isometric, Jacobi".into(), jacobi(&isometric), 10, TOLERANCE);
}

/// A sheet sewn together, tied to others rigidly and by springs, with a tie that lets go and one that tears.
const TIES: &str = r#"
format = 1
substeps = 4
iterations = 3

[[cloth]]
name = "sheet"
grid = { size = [1, 1], cells = [6, 6] }

[[points]]
name = "balls"
points = [[0.31, 0.11, 0.05], [-0.23, 0.07, 0.1], [0.05, -0.4, 0.2], [0.4, -0.3, 0.15], [-0.4, 0.3, 0.1]]
mass = 0.3
velocity = [1, 0.5, 0.25]

[[attach]]
a = { body = "balls", indices = [0, 1] }
b = { body = "sheet" }

[[attach]]
a = { body = "balls", indices = [2] }
b = { body = "sheet" }
length = 0
compliance = 1e-3
damping = 2

[[attach]]
a = { body = "balls", indices = [3] }
b = { body = "sheet" }
release = 0.02

[[attach]]
a = { body = "balls", indices = [4] }
b = { body = "sheet" }
break_force = 1e-3

[[seam]]
a = { body = "sheet", edge = "left" }
b = { body = "sheet", edge = "right" }
compliance = 1e-4
duration = 0.5
"#;

pub fn ties(add: Add) {
    add("ties".into(), TIES.into(), 10, TOLERANCE);
}

/// What is pulled and pushed by a user.
const HAND: &str = r#"
format = 1
substeps = 4

[[cloth]]
grid = { size = [1, 1], cells = [8, 8] }
"#;

/// A sheet pulled at three particles and pushed by a ball.
pub fn by_hand() -> Stage {
    let (model, solver) = prepared("by hand", HAND);
    let at = model.particles.positions[40];
    let hold = |k: u32| Hold { particle: k, target: at + 0.1 * DVec3::ONE, compliance: 1e-3 * f64::from(k) };
    let holds: Vec<Hold> = (0..3).map(hold).collect();
    let (hand, ball) = (solver.hand.unwrap(), solver.ball.unwrap());
    let prepare = move |executor: &mut dyn Executor| {
        hand.hold(executor, &holds).unwrap();
        ball.place(executor, Some(Sphere { centre: at - 0.05 * DVec3::Z, radius: 0.2 })).unwrap();
    };
    Stage {
        name: "by hand".into(),
        before: vec![Run { passes: solver.substep(), times: 4 }],
        buffers: solver.buffers,
        passes: solver.passes,
        tolerance: TOLERANCE,
        prepare: Box::new(prepare),
    }
}

/// A sheet of which one particle is lost and others run away, up to the pass that looks for such.
pub fn alarmed() -> Stage {
    let (_, solver) = prepared("alarmed", HAND);
    let Solver { positions, velocities, buffers, mut passes, .. } = solver;
    passes.list.retain(|pass| pass.kernel.name == "watch");
    let prepare = move |executor: &mut dyn Executor| {
        for (id, place, value) in [(positions, 4 * 7, f64::NAN), (velocities, 4 * 9, 1e30)] {
            let Data::Reals(mut values) = executor.read(id).unwrap() else { unreachable!() };
            values[place] = value;
            executor.write(id, &Data::Reals(values)).unwrap();
        }
    };
    let name = "alarmed".into();
    Stage { name, buffers, passes, before: Vec::new(), tolerance: TOLERANCE, prepare: Box::new(prepare) }
}
