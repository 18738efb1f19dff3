//! Sheets of triangles: integrators, limits of strain, and states that are made by hand.

use super::{Add, Stage, TOLERANCE, prepared};
use sinew::compute::{Data, Executor};
use sinew::solver::Solver;

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

/// Products element by element, which multigrid has a matrix for.
pub const JACOBI: &str = "preconditioner = \"jacobi\"";

pub const VISCOUS: &str = "dilation_viscosity = 0.1\nshear_viscosity = 0.1\nbending_damping = 0.01";

pub fn sheets(add: Add) {
    for integrator in ["implicit", "midpoint", "symplectic", "explicit", "static", "bdf2"] {
        let top = format!("integrator = \"{integrator}\"\n{JACOBI}\ntime_step = 0.001");
        add(format!("sheet, {integrator}"), sheet(&top, VISCOUS), 30, TOLERANCE);
    }
    for (method, more) in [
        ("impulses", "visit = \"all\""),
        ("filter", "visit = \"all\", rate = 0.01"),
        ("filter", "visit = \"active\""),
        ("edges", "visit = \"all\""),
    ] {
        for solver in ["coloured", "jacobi"] {
            let top = format!(
                "solver = \"{solver}\"\n{JACOBI}\nstrain_limiting = {{ method = \"{method}\", iterations = 3, tolerance = 1e-4, {more} }}"
            );
            add(format!("limits, {method}, {more}, {solver}"), sheet(&top, LIMITS), 20, TOLERANCE);
        }
    }
}

/// A sheet with limits of which one triangle has collapsed to a line, up to the pass that gives it up.
pub fn collapsed() -> Stage {
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
