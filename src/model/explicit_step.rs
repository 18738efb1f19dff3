//! Refuses substeps at which explicitly integrated sheets and solids would blow up.

use super::{Model, ModelError, sheets, solid_measure};

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

pub(super) fn check(model: &Model) -> Result<(), ModelError> {
    let settings = &model.settings;
    if !settings.integrator.is_explicit() {
        return Ok(());
    }
    let dt = settings.time_step / f64::from(settings.substeps);
    let pairs = KINDS.iter().flat_map(|kind| model.bodies.iter().enumerate().map(move |body| (kind, body)));
    for (Elements { stable_substep, share, name, stuff }, (k, body)) in pairs {
        let Some(limit) = stable_substep(model, k).filter(|limit| dt > share * limit) else { continue };
        let substeps = (settings.time_step / (share * limit)).ceil();
        return Err(ModelError::Body {
            body: body.name.clone(),
            problem: format!(
                "explicit integration of its {name} is stable to substeps of {:.3} ms and the scene has {:.3} ms; \
                 set `substeps = {substeps}` or `integrator = \"implicit\"`, or use a coarser mesh or a softer {stuff}",
                1e3 * limit,
                1e3 * dt
            ),
        });
    }
    Ok(())
}
