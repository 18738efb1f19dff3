//! Small scenes that between them run every kernel, each with bodies of one kind, so that none of them sets the scale for
//! others.

use crate::Stage;
use crate::stretched::stretched;
use glam::DVec3;
use sinew::compute::{Data, Executor, Run};
use sinew::constraints::grab::Hold;
use sinew::contact::ball_push::Sphere;
use sinew::model::Model;
use sinew::scene::Scene;
use sinew::solver::{Cores, Families, Solver};

/// Makes a stage when its turn comes.
pub type Make = Box<dyn FnOnce() -> Stage + Send>;

/// f32 rounding after one pass.
pub const TOLERANCE: f64 = 1e-5;
/// The same for solids: rotations magnify it by the range of the stretches, forces by that of the strains, and the seven
/// projections of `tet_strain` each work on the rounding of those before.
const SOLID: f64 = 5e-5;
/// The same for rods and nets: the elimination magnifies it by the condition of the system, which is small for soft rods.
const ROD: f64 = 2e-5;
/// The same for the multipliers of nets and for the rows of the direct method, each kind of which is compared by itself.
const NET: f64 = 3e-5;
const ELIMINATED: f64 = 5e-5;

/// The same for contacts of rigid bodies: the sweeps over a body's contacts work on the rounding of those before.
const RIGID_TOLERANCE: f64 = 5e-5;

pub fn all() -> Vec<Make> {
    let mut all: Vec<Make> = Vec::new();
    let mut add = |name: String, text: String, substeps: u32, tolerance: f64| {
        all.push(Box::new(move || stage(name, &text, substeps, tolerance)));
    };
    links(&mut add);
    sheets(&mut add);
    solids(&mut add);
    rods(&mut add);
    nets(&mut add);
    ties(&mut add);
    rigid(&mut add);
    all.push(Box::new(by_hand));
    all.push(Box::new(walked));
    all.push(Box::new(alarmed));
    all.push(Box::new(collapsed));
    all.push(Box::new(stretched));
    all
}

type Add<'a> = &'a mut dyn FnMut(String, String, u32, f64);

/// A scene with the passes of a device, under way for some substeps.
fn stage(name: String, text: &str, substeps: u32, tolerance: f64) -> Stage {
    let (_, solver) = prepared(&name, text);
    of_solver(name, solver, substeps, tolerance)
}

fn of_solver(name: String, solver: Solver, substeps: u32, tolerance: f64) -> Stage {
    let before = vec![Run { passes: solver.substep(), times: substeps }];
    let Solver { buffers, passes, .. } = solver;
    Stage { name, buffers, passes, before, tolerance, prepare: Box::new(|_| {}) }
}

pub fn prepared(name: &str, text: &str) -> (Model, Solver) {
    let scene =
        Scene::parse(text, format!("{name}.toml"), "").unwrap_or_else(|error| panic!("{error}\n{text}"));
    let model = Model::new(&scene).unwrap_or_else(|error| panic!("{name}: {error}"));
    let solver = Solver::interactive(&model, &Families::standard(), Cores::Many)
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    (model, solver)
}

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

fn links(add: Add) {
    let jacobi = |text: &str| text.replace("damping", "solver = \"jacobi\"\ndamping");
    let isometric = LINKS.replace("\"dihedral\"", "\"isometric\"");
    // Before, while and after a pin lets go.
    for substeps in [10, 11, 12] {
        add(format!("links, {substeps}"), LINKS.into(), substeps, TOLERANCE);
    }
    add("links, isometric".into(), isometric.clone(), 10, TOLERANCE);
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

fn ties(add: Add) {
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
fn by_hand() -> Stage {
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

/// Rods with the passes of a processor, which walks along each of them.
fn walked() -> Stage {
    // Enough equal rods to fill the lanes of registers.
    let copies = "copies = { count = [16, 8], steps = [[6, 0, 0], [0, 0, 6]] }\nhelix";
    let text = rod("", "coloured", SOFT_RUBBER).replace("helix", copies);
    let scene = Scene::parse(&text, "walked.toml", "").unwrap();
    let solver = Solver::new(&Model::new(&scene).unwrap()).unwrap();
    of_solver("rods, walked".into(), solver, 5, ROD)
}

/// A sheet of which one particle is lost and others run away, up to the pass that looks for such.
fn alarmed() -> Stage {
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

/// A sheet with limits of which one triangle has collapsed to a line, up to the pass that gives it up.
fn collapsed() -> Stage {
    let text = sheet("strain_limiting = { method = \"impulses\", iterations = 3, tolerance = 1e-4 }", LIMITS);
    let (model, solver) = prepared("collapsed", &text);
    let Solver { positions, buffers, mut passes, .. } = solver;
    passes.list.retain(|pass| pass.kernel.name == "limit_impulse");
    let [a, b, ..] = model.elements[0].membranes[0].particles.map(|p| 4 * p as usize);
    let impulses = buffers.find("limit_impulses").unwrap();
    let prepare = move |executor: &mut dyn Executor| {
        let Data::Reals(mut values) = executor.read(positions).unwrap() else { unreachable!() };
        values.copy_within(a..a + 3, b);
        executor.write(positions, &Data::Reals(values)).unwrap();
        let remembered = executor.read(impulses).unwrap().reals().iter().map(|_| 1e-3).collect();
        executor.write(impulses, &Data::Reals(remembered)).unwrap();
    };
    let name = "collapsed".into();
    Stage { name, buffers, passes, before: Vec::new(), tolerance: TOLERANCE, prepare: Box::new(prepare) }
}

/// A sheet of triangles that hangs and swings, a little beyond its limits if it has any.
pub fn sheet(top: &str, fabric: &str) -> String {
    format!(
        r#"
format = 1
substeps = 4
conjugate_gradients = {{ iterations = 4, tolerance = 1e-4 }}
{top}

[[cloth]]
model = "green"
grid = {{ size = [1, 1], cells = [8, 8] }}
irregular = 0.2
position = [0, 1.2, 0]
rotation = [30, 20, 10]
velocity = [0.5, 0.3, 0.2]
bending_stiffness = 0.05

[cloth.fabric]
weft_modulus = 60
warp_modulus = 40
shear_modulus = 20
poisson_ratio = 0.3
{fabric}

[[cloth.pin]]
corners = ["top_left", "top_right"]
"#
    )
}

const LIMITS: &str = "limits = { weft = [-0.02, 0.02], warp = [-0.02, 0.01], shear = 0.02 }";

pub const VISCOUS: &str = "dilation_viscosity = 0.1\nshear_viscosity = 0.1\nbending_damping = 0.01";

fn sheets(add: Add) {
    for integrator in ["implicit", "midpoint", "symplectic", "explicit", "static", "bdf2"] {
        let top = format!("integrator = \"{integrator}\"\ntime_step = 0.001");
        add(format!("sheet, {integrator}"), sheet(&top, VISCOUS), 30, TOLERANCE);
    }
    let top = "integrator = \"implicit\"\npreconditioner = \"multigrid\"\ntime_step = 0.001";
    add("sheet, multigrid".into(), sheet(top, VISCOUS), 30, TOLERANCE);
    for (method, more) in [
        ("impulses", "visit = \"all\""),
        ("filter", "visit = \"all\", rate = 0.01"),
        ("edges", "visit = \"all\""),
    ] {
        for solver in ["coloured", "jacobi"] {
            let top = format!(
                "solver = \"{solver}\"\nstrain_limiting = {{ method = \"{method}\", iterations = 3, tolerance = 1e-4, {more} }}"
            );
            add(format!("limits, {method}, {more}, {solver}"), sheet(&top, LIMITS), 20, TOLERANCE);
        }
    }
}

/// A block that is stretched, turned and let go.
fn solid(top: &str, solid: &str) -> String {
    format!(
        r#"
format = 1
substeps = 20
iterations = 3
conjugate_gradients = {{ iterations = 4, tolerance = 1e-4 }}
{top}

[[solid]]
box = {{ size = [0.5, 0.3, 0.3], cells = [4, 3, 3] }}
position = [0.1, 0.4, 0.2]
rotation = [10, 20, 30]
{solid}

[[solid.pin]]
indices = [0, 1]

[[solid.load]]
indices = [30, 31]
force = [0.1, 0.2, 0.3]
"#
    )
}

fn solids(add: Add) {
    const START: &str = "start = { stretch = [1.2, 0.8, 1.1], twist = 40 }";
    const RAYLEIGH: &str = "damping = { mass = 0.3, stiffness = 0.002 }";
    for (model, integrator) in [
        ("linear", "implicit"),
        ("corotational", "implicit"),
        ("neo_hookean", "implicit"),
        ("springs", "implicit"),
        ("corotational", "midpoint"),
        ("corotational", "symplectic"),
        ("corotational", "explicit"),
        ("corotational", "static"),
    ] {
        let body = format!("model = \"{model}\"\n{START}\n{RAYLEIGH}");
        add(
            format!("{model}, {integrator}"),
            solid(&format!("integrator = \"{integrator}\""), &body),
            4,
            SOLID,
        );
    }
    for model in ["linear", "corotational", "neo_hookean", "springs"] {
        let top = "integrator = \"bdf2\"\npreconditioner = \"multigrid\"";
        let body = format!("model = \"{model}\"\n{START}\n{RAYLEIGH}");
        add(format!("{model}, bdf2"), solid(top, &body), 4, SOLID);
    }
    // So stiff that corrections are far above the rounding of positions.
    const STIFF: &str = "youngs_modulus = 1e7";
    for model in ["position", "strain"] {
        for solver in ["coloured", "jacobi"] {
            let body = format!("model = \"{model}\"\n{START}\n{STIFF}");
            add(format!("{model}, {solver}"), solid(&format!("solver = \"{solver}\""), &body), 4, SOLID);
        }
    }
    // Inside out, and crushed.
    for (model, stretch) in [
        ("corotational", "[0.9, -0.8, 1.1]"),
        ("springs", "[0.9, -0.8, 1.1]"),
        ("strain", "[0.9, -0.8, 1.1]"),
        ("neo_hookean", "[0.3, 0.2, 0.4]"),
        ("position", "[0.3, 0.2, 0.4]"),
    ] {
        let body = format!("model = \"{model}\"\nstart = {{ stretch = {stretch} }}");
        add(format!("{model}, {stretch}"), solid("", &body), 2, SOLID);
    }
    // The first substep is one of those in which rings are looked at.
    let folded = "start = { stretch = [0.9, -0.8, 1.1], twist = 120 }";
    add("rings".into(), solid("", folded), 0, SOLID);
    for inversion in ["forgetful", "smallest", "largest"] {
        let body = format!("inversion = \"{inversion}\"\nstart = {{ stretch = [0.9, -0.8, 1.1] }}");
        add(format!("inverted, {inversion}"), solid("", &body), 2, SOLID);
    }
    // At one substep a step, so that what is damped away in one is large.
    for damping in [
        "spring = { coefficient = 1, sweeps = 2, projected = \"yes\" }",
        "spring = { coefficient = 1, sweeps = 1, projected = \"no\" }",
        "point = 0.1, global = { rate = 20, torque = \"rigid\" }",
        "global = { rate = 20, torque = \"couples\" }",
        "global = { rate = 20, torque = \"edges\" }",
        "local = { rate = 40, torque = \"rigid\" }",
        "local = { rate = 40, torque = \"couples\" }",
    ] {
        let body = format!("{START}\ndamping = {{ {damping} }}");
        let text = solid("", &body).replace("substeps = 20", "substeps = 1");
        add(format!("damping, {damping}"), text, 20, TOLERANCE);
    }
    let ball = "[[solid]]\nball = { radius = 0.5 }\nresolution = 5\nstart = { stretch = [1.2, 0.8, 1.1] }\n";
    add("skin".into(), format!("format = 1\n{ball}"), 4, SOLID);
}

/// Rods of rubber in a wind: curved at rest, clamped, driven, loaded and let go. They are as thick as trunks and have segments of
/// half a metre, so that forces and torques, and lengths and angles, have numbers of the same size: what holds all of them
/// has one scale.
fn rod(top: &str, method: &str, material: &str) -> String {
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
const SOFT_RUBBER: &str = "youngs_modulus = 5e4";
/// So soft that what stretches explicit rods is far above the rounding of their lengths.
const SOFT: &str = "youngs_modulus = 2e4\nstretch_friction = 10\nbend_friction = 1";

fn rods(add: Add) {
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
fn net(top: &str, method: &str, material: &str) -> String {
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

fn nets(add: Add) {
    for method in ["direct", "coloured", "jacobi"] {
        add(format!("nets, {method}"), net(WIND, method, SOFT_RUBBER), 6, NET);
    }
    add("nets, corde".into(), net("raise_substeps = true", "corde", SOFT), 200, ROD);
}

fn rigid(add: Add) {
    add("rigid bodies that hit".into(), crate::rigid::SCENE.into(), 0, RIGID_TOLERANCE);
}
