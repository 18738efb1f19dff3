//! The keys of the top level, but for `format` and the lists of bodies and colliders.

use super::super::document::Table;
use super::super::keys::describe::Type;
use super::super::keys::{Check, Declared, End, Keys, Result, Rule};
use super::super::{
    ClothModel, ConjugateGradients, Gust, Integrator, NetMethod, Preconditioner, RodMethod, Scene,
    SceneError, SceneErrorKind, SolverKind, Wind,
};
use crate::at;
use crate::limits;

const SOLVERS: &[(&str, SolverKind)] = &[("coloured", SolverKind::Coloured), ("jacobi", SolverKind::Jacobi)];
const INTEGRATORS: &[(&str, Integrator)] = &[
    ("symplectic", Integrator::Symplectic),
    ("implicit", Integrator::Implicit),
    ("midpoint", Integrator::Midpoint),
    ("bdf2", Integrator::Bdf2),
    ("explicit", Integrator::Explicit),
    ("static", Integrator::Static),
];
const PRECONDITIONERS: &[(&str, Preconditioner)] = &[
    ("auto", Preconditioner::Auto),
    ("jacobi", Preconditioner::Jacobi),
    ("multigrid", Preconditioner::Multigrid),
];

/// The word for a number of substeps that follows from the scene.
const AUTO: &str = "auto";

impl Declared for Scene {
    fn declare(k: &mut Keys<Self>) {
        k.value("title", at!(title)).says("a short title");
        k.value("gravity", at!(gravity)).finite("m/s²").says("acceleration of everything");
        k.value("time_step", at!(time_step))
            .positive("s")
            .default("1/60")
            .says("one step (frame) of the solver");
        k.odd("substeps", Type::Either(vec![Type::Whole, Type::Word(vec![AUTO])]), read_substeps, |scene| {
            Some(scene.substeps.to_string())
        })
        .whole(1, limits::SUBSTEPS)
        .default("\"auto\"")
        .says("substeps of a step; `\"auto\"`: 10, or more where heavy loads hang on light ropes and where `method = \"corde\"` rods need them");
        k.checking(|scene| Rule::Whole(1, limits::SUBSTEPS).whole("substeps", scene.substeps, ""));
        k.value("raise_substeps", at!(raise_substeps))
            .default("`true` with `substeps = \"auto\"`")
            .says("take more substeps than `substeps` where rods and nets need them; else `method = \"corde\"` ones that need more are refused, with the limit");
        k.value("frame_substeps", at!(frame_substeps))
            .whole(1, limits::FRAME_SUBSTEPS)
            .says("steps that the frames of `method = \"corde\"` rods and nets take in each substep: frames of little inertia turn faster than particles move");
        k.value("iterations", at!(iterations))
            .whole(1, limits::ITERATIONS)
            .slider(1.0, 50.0)
            .says("constraint iterations of a substep");
        k.value("order", at!(order))
            .whole(1, 2)
            .says("of the steps of position-based bodies, rods and nets: 1 takes energy from every motion, 2 (backward differentiation) next to none; not yet with contact, colliders, attachments, seams, tendons and rigid bodies");
        k.checking(order);
        k.group("solver", "constraints", declare_solver)
            .default("its defaults")
            .says("how systems are solved; a word stands for `constraints`");
        k.choice("integrator", at!(integrator), INTEGRATORS)
            .says("how the forces of `model = \"green\"` sheets and of solids are integrated, see there");
        let old = Type::Table(ConjugateGradients::keys().describe(&ConjugateGradients::default()));
        k.odd("conjugate_gradients", old, read_gradients, |_| None)
            .default("`solver`")
            .says("the older name of `iterations` and `tolerance` of `solver`");
        let words = PRECONDITIONERS.iter().map(|(word, _)| *word).collect();
        k.odd("preconditioner", Type::Word(words), read_preconditioner, |_| None)
            .default("`solver`")
            .says("the older place of that key of `solver`");
        k.value("newton", at!(newton))
            .whole(1, limits::NEWTON_STEPS)
            .default("2 for `\"bdf2\"`, 4 for `\"static\"` with solids that are not `linear`, else 1")
            .says("steps of Newton's method in a substep; `\"bdf2\"`, and the others with more than one, search along each for a lower energy");
        k.checking(newton);
        k.checking(|scene| match scene.integrator == Integrator::Static && !(scene.load.is_empty() && scene.tendon.is_empty() && scene.magnetise.is_empty()) {
            true => {
                let message = "is \"static\", which knows `[[solid.load]]` and weight alone; for `[[load]]`, `[[tendon]]` and `[[magnetise]]` let the scene settle with `damping`";
                Err(SceneError::value("integrator", message))
            }
            false => Ok(()),
        });
        k.table("strain_limiting", at!(strain_limiting))
            .default("its defaults")
            .says("how strain limits of sheets of triangles are enforced");
        k.value("relaxation", at!(relaxation))
            .within(End::Beyond(0.0), End::Beyond(2.0), "greater than 0 and less than 2")
            .slider(0.1, 1.95)
            .says("over-relaxation");
        k.value("chebyshev", at!(chebyshev))
            .within(End::At(0.0), End::Beyond(1.0), "at least 0 and less than 1")
            .slider(0.0, 0.99)
            .says("estimate of the spectral radius for Chebyshev acceleration; 0 is off; `\"jacobi\"` only");
        k.checking(|scene| match scene.chebyshev > 0.0 && scene.solver != SolverKind::Jacobi {
            true => {
                let message = "accelerates only `solver = \"jacobi\"`; set one of the two";
                Err(SceneError::value("chebyshev", message))
            }
            false => Ok(()),
        });
        k.value("damping", at!(damping))
            .not_negative("1/s")
            .slider(0.0, 5.0)
            .says("rate at which velocities decay");
        k.value("duration", at!(duration))
            .not_negative("s")
            .says("how long a run lasts unless told otherwise");
        k.checking(steps);
        k.value("seed", at!(seed)).says("seed of everything random");
        k.value("start_from", at!(start_from))
            .default("the bodies' places")
            .says("a checkpoint of this scene to begin with, as `sinew run` and the window write it; relative to the file; it fits one precision");
        k.maybe("wind", at!(wind)).default("none").says("moving air");
        k.maybe("contact", at!(contact))
            .default("none")
            .says("contact between bodies; without this table they pass through each other");
        k.list("attach", at!(attach), limits::JOINS, "attach")
            .default("none")
            .says("what joins points of bodies, with equal and opposite forces on both");
        k.list("seam", at!(seam), limits::JOINS, "seam")
            .default("none")
            .says("edges that are sewn together, closing over a time");
        k.list("joint", at!(joint), limits::JOINTS, "joint")
            .default("none")
            .says("what holds rigid bodies together or to the world");
        k.list("load", at!(load), limits::LOADS, "load")
            .default("none")
            .says("forces, tractions and pressures that may change with time");
        k.list("tendon", at!(tendon), limits::LOADS, "tendon")
            .default("none")
            .says("cables through particles of any bodies that pull with a tension over time");
        k.list("probe", at!(probe), limits::EXPECTED_PARTICLES, "probe")
            .default("none")
            .says("particles whose place and velocity are columns of `scalars.csv`");
        k.maybe("magnetic_field", at!(magnetic_field))
            .default("none")
            .says("a field that acts on magnets, beside those of the magnets themselves");
        k.list("magnetise", at!(magnetise), limits::FIELDS, "magnetise")
            .default("none")
            .says("cloth and solids that are magnets ([magnets.md](magnets.md))");
        k.list("field", at!(field), limits::FIELDS, "field")
            .default("none")
            .says("magnetic fields of coils, wires and magnets that act on magnets");
        k.value("magnet_tolerance", at!(magnet_tolerance))
            .within(End::Beyond(0.0), End::At(0.1), "greater than 0 and at most 0.1")
            .says("how much the field of a magnet's cells that are taken together may be off, as a share");
        k.table("camera", at!(camera)).default("frames the scene").says("where to look from");
        k.table("render", at!(render)).default("its defaults").says("how pictures are drawn");
        k.maybe("expect", at!(expect)).default("none").says("what `sinew run --expect` and the tests check");
    }
}

fn declare_solver(k: &mut Keys<Scene>) {
    k.choice("constraints", at!(solver), SOLVERS).says(
        "of constraints: `\"coloured\"`: graph-coloured Gauss–Seidel; `\"jacobi\"`: gathered and averaged",
    );
    k.choice("preconditioner", at!(preconditioner), PRECONDITIONERS)
        .says("of the conjugate gradients of implicit integrators: `\"multigrid\"`: levels of ever fewer nodes; `\"auto\"`: the same, without levels for bodies that need few iterations anyway, which `sinew check` names; `\"jacobi\"`: each particle's own block, ten times the iterations or more");
    k.flat(at!(conjugate_gradients));
}

/// Refuses an old key beside the table that has its place.
fn refuse_both(table: &Table, key: &str) -> Result<()> {
    let both = table.has("solver") && !table.is_string("solver");
    let reason = "stands beside `solver = { … }`; write what is in it there";
    if both { table.refuse(&[key], reason) } else { Ok(()) }
}

fn read_gradients(table: &Table, key: &str, scene: &mut Scene) -> Result<()> {
    let keys = ConjugateGradients::keys();
    let Some(inner) = table.table(key, &keys.names())? else { return Ok(()) };
    refuse_both(table, key)?;
    keys.read(&inner, &mut scene.conjugate_gradients)?;
    keys.check(&scene.conjugate_gradients).map_err(|error| inner.place(error.inside("conjugate_gradients")))
}

fn read_preconditioner(table: &Table, key: &str, scene: &mut Scene) -> Result<()> {
    if let Some(chosen) = table.choice(key, PRECONDITIONERS)? {
        refuse_both(table, key)?;
        scene.preconditioner = chosen;
    }
    Ok(())
}

/// Without a number there are as many substeps as by default, or more.
fn read_substeps(table: &Table, key: &str, scene: &mut Scene) -> Result<()> {
    scene.raise_substeps = !table.has(key) || table.is_string(key);
    if table.is_string(key) {
        table.choice(key, &[(AUTO, ())])?;
    } else if let Some(substeps) = table.integer(key)? {
        scene.substeps = substeps;
    }
    Ok(())
}

/// What has no steps of second order: blows, whose past says nothing of what follows, and what keeps its own time.
fn order(scene: &Scene) -> Check {
    let forces = scene.cloth.iter().any(|cloth| cloth.model != ClothModel::Net)
        || scene.solid.iter().any(|solid| solid.model.has_forces());
    let corde = scene.rod.iter().any(|rod| rod.method == RodMethod::Corde)
        || scene.net.iter().any(|net| net.method == NetMethod::Corde);
    let others = [
        (scene.contact.is_some(), "`[contact]`"),
        (!scene.collider.is_empty(), "`[[collider]]`"),
        (!scene.attach.is_empty(), "`[[attach]]`"),
        (!scene.seam.is_empty(), "`[[seam]]`"),
        (!scene.tendon.is_empty(), "`[[tendon]]`"),
        (!scene.rigid.is_empty(), "`[[rigid]]`"),
        (!scene.composite.is_empty(), "`[[composite]]`"),
        (corde, "`method = \"corde\"`, which loses no energy"),
        (forces, "bodies of finite elements; for these there is `integrator = \"bdf2\"`"),
    ];
    match others.iter().find(|(is_there, _)| scene.order == 2 && *is_there) {
        Some((_, what)) => Err(SceneError::value("order", format!("is 2, which does not go with {what}"))),
        None => Ok(()),
    }
}

fn newton(scene: &Scene) -> Check {
    let iterates = matches!(scene.integrator, Integrator::Implicit | Integrator::Static | Integrator::Bdf2);
    if let Some(steps) = scene.newton.filter(|steps| *steps > 1 && !iterates) {
        let message = format!(
            "is {steps}; more than one step goes with `integrator = \"implicit\"`, `\"bdf2\"` or `\"static\"`"
        );
        return Err(SceneError::value("newton", message));
    }
    let sheets = scene.cloth.iter().any(|cloth| cloth.model != ClothModel::Net);
    let solids = scene.solid.iter().any(|solid| solid.model.has_forces());
    if scene.integrator == Integrator::Bdf2 && !sheets && !solids {
        let message = "is \"bdf2\", and no body has forces that it could integrate; give a sheet `model = \"green\"` or a solid `model = \"corotational\"`, or leave it out";
        return Err(SceneError::value("integrator", message));
    }
    Ok(())
}

fn steps(scene: &Scene) -> Check {
    let steps = scene.duration / scene.time_step;
    if steps > limits::STEPS {
        let message = format!("is {steps:e} steps of `time_step`; the limit is {:e}", limits::STEPS);
        return Err(SceneError::at(SceneErrorKind::Limit, "duration", message));
    }
    Ok(())
}

impl Declared for Wind {
    fn declare(k: &mut Keys<Self>) {
        k.value("velocity", at!(velocity)).finite("m/s").required().says("velocity of the air");
        k.value("density", at!(density)).not_negative("kg/m³").says("density of the air");
        k.maybe("gust", at!(gust))
            .default("none")
            .says("the velocity is multiplied by 1 + amplitude · sin(2π t / period)");
    }
}

impl Declared for Gust {
    fn declare(k: &mut Keys<Self>) {
        k.value("amplitude", at!(amplitude)).not_negative("").required().says("part of the wind's velocity");
        k.value("period", at!(period)).positive("s").required().says("time from gust to gust");
    }
}

impl Default for Gust {
    fn default() -> Self {
        Self { amplitude: 0.0, period: 1.0 }
    }
}
