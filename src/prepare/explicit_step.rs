//! Refuses substeps at which explicitly integrated sheets and solids would blow up.

use crate::cloth::sheets;
use crate::model::{Model, ModelError};
use crate::scene::Integrator;
use crate::solids::measure as solid_measure;

/// One kind of elements: its largest stable substep for a body, and how an error speaks of it.
struct Elements {
    stable_substep: fn(&Model, usize) -> Option<f64>,
    /// Share of that limit which a scene may use.
    share: f64,
    name: &'static str,
    stuff: &'static str,
}

const KINDS: [Elements; 2] = [
    Elements {
        stable_substep: sheets::stable_substep,
        share: sheets::STABLE_SHARE,
        name: "fabric",
        stuff: "fabric",
    },
    Elements {
        stable_substep: solid_measure::stable_substep,
        share: solid_measure::STABLE_SHARE,
        name: "tetrahedra",
        stuff: "material",
    },
];

/// ω dt up to which damping of the mass can make explicit Euler stable: it has to be dt ω² at least and 2/dt at most.
const MOST_DAMPED: f64 = 1.2;

pub(super) fn check(model: &Model) -> Result<(), ModelError> {
    let settings = &model.settings;
    let dt = settings.substep();
    let problem = |body: usize| match settings.integrator {
        Integrator::Symplectic => symplectic(model, body, dt),
        Integrator::Explicit => explicit(model, body, dt),
        Integrator::Implicit | Integrator::Midpoint | Integrator::Bdf2 | Integrator::Static => None,
    };
    match (0..model.bodies.len()).find_map(|body| Some((body, problem(body)?))) {
        Some((body, problem)) => Err(ModelError::Body { body: model.bodies[body].name.clone(), problem }),
        None => Ok(()),
    }
}

/// What is wrong with symplectic steps of a body: their substeps are beyond what any explicit integration bears.
fn symplectic(model: &Model, body: usize, dt: f64) -> Option<String> {
    KINDS.iter().find_map(|Elements { stable_substep, share, name, stuff }| {
        let limit = stable_substep(model, body).filter(|limit| dt > share * limit)?;
        let substeps = (model.settings.time_step / (share * limit)).ceil();
        Some(format!(
            "explicit integration of its {name} is stable to substeps of {:.3} ms and the scene has {:.3} ms; \
             set `substeps = {substeps}` or `integrator = \"implicit\"`, or use a coarser mesh or a softer {stuff}",
            1e3 * limit,
            1e3 * dt
        ))
    })
}

/// What is wrong with steps of explicit Euler of a body.
fn explicit(model: &Model, body: usize, dt: f64) -> Option<String> {
    // A sheet may swing higher and higher, which is what there is to be seen, but not within a few substeps.
    if !model.elements[body].membranes.is_empty() {
        return symplectic(model, body, dt);
    }
    let share = solid_measure::STABLE_SHARE;
    let limit = solid_measure::explicit_substep(model, body).filter(|limit| dt > share * limit)?;
    let omega = solid_measure::highest_frequency(model, body)?;
    let mut cures = Vec::new();
    if limit > 0.0 {
        cures.push(format!("`substeps = {}`", (model.settings.time_step / (share * limit)).ceil()));
    }
    // Enough for the fastest vibration must not be too much for slow ones.
    if omega * dt < MOST_DAMPED {
        cures.push(format!("`damping = {{ mass = {:.3} }}`", 1.05 * dt * omega * omega / share));
    }
    cures.push("`integrator = \"symplectic\"`".into());
    Some(format!(
        "explicit Euler feeds every vibration that is not damped enough: with this damping it is stable to substeps of {:.3} ms and \
         the scene has {:.3} ms; set {}",
        1e3 * limit,
        1e3 * dt,
        cures.join(" or ")
    ))
}
