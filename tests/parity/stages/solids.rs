//! Blocks of every model, stretched, turned inside out, damped, and drawn as a detailed surface.

use super::sheets::JACOBI;
use super::{Add, TOLERANCE};

/// f32 rounding after one pass: rotations magnify it by the range of the stretches, forces by that of the strains, and the seven
/// projections of `tet_strain` each work on the rounding of those before.
const SOLID: f64 = 5e-5;
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

pub fn solids(add: Add) {
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
        ("springs", "static"),
    ] {
        let body = format!("model = \"{model}\"\n{START}\n{RAYLEIGH}");
        add(
            format!("{model}, {integrator}"),
            solid(&format!("integrator = \"{integrator}\"\nnewton = 1\n{JACOBI}"), &body),
            4,
            SOLID,
        );
    }
    for model in ["linear", "corotational", "neo_hookean", "springs"] {
        let top = "integrator = \"bdf2\"\npreconditioner = \"multigrid\"";
        let body = format!("model = \"{model}\"\n{START}\n{RAYLEIGH}");
        // Without rotations nothing magnifies rounding.
        let tolerance = if model == "linear" { TOLERANCE } else { SOLID };
        add(format!("{model}, bdf2"), solid(top, &body), 4, tolerance);
    }
    // So stiff that corrections are far above the rounding of positions.
    const STIFF: &str = "youngs_modulus = 1e7";
    for model in ["position", "strain"] {
        for solver in ["coloured", "jacobi"] {
            let body = format!("model = \"{model}\"\n{START}\n{STIFF}");
            add(format!("{model}, {solver}"), solid(&format!("solver = \"{solver}\""), &body), 4, SOLID);
        }
    }
    // The rotation turns with the motion, in the matrix too.
    for integrator in ["midpoint", "static"] {
        let top = format!("integrator = \"{integrator}\"\nnewton = 1\npreconditioner = \"multigrid\"");
        let body = format!("model = \"corotational\"\n{START}");
        add(format!("corotational, {integrator}, multigrid"), solid(&top, &body), 4, SOLID);
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
        add(format!("damping, {damping}"), text, 6, TOLERANCE);
    }
    let ball = "[[solid]]\nball = { radius = 0.5 }\nresolution = 5\nstart = { stretch = [1.2, 0.8, 1.1] }\n";
    add("skin".into(), format!("format = 1\n{ball}"), 4, SOLID);
}
