//! Step-size advice: what `sinew check` says about a model before it runs.

use super::elements::Elements;
use super::{Body, Model};
use crate::scene::{Cloth, ClothModel, SolverKind};
use glam::DVec3;

/// Stretch through unfinished iterations that a picture shows.
const VISIBLE_STRETCH: f64 = 0.05;
/// Particles along an edge of a sheet from which coarse links and tethers pay.
const FINE_ROW: u32 = 100;
/// How much further a sweep over colours gets than a Jacobi iteration, about.
const COLOURED_GAIN: f64 = 4.0;

/// Sentences a user may want to hear; none when nothing stands out.
pub fn advice(model: &Model) -> Vec<String> {
    let settings = &model.settings;
    let dt = settings.substep();
    let mut lines = Vec::new();
    for (body, elements) in model.bodies.iter().zip(&model.elements) {
        let stretch = unfinished_stretch(model, elements, dt) * load(model, body);
        let fine = fine_sheet(model, body);
        if let Some(cloth) = fine.filter(|_| stretch > VISIBLE_STRETCH) {
            lines.extend(missing_help(cloth, &body.name));
        }
        if fine.is_some_and(|cloth| cloth.coarse_links) {
            continue;
        }
        if stretch > VISIBLE_STRETCH {
            let substeps = f64::from(settings.substeps) * (stretch / VISIBLE_STRETCH).sqrt();
            lines.push(format!(
                "`{}` will stretch by about {:.0} % through unfinished iterations alone; about {:.0} substeps bring that \
                 below {:.0} %, tethers or more iterations also help",
                body.name,
                100.0 * stretch,
                substeps.ceil(),
                100.0 * VISIBLE_STRETCH
            ));
        }
    }
    lines.extend(super::sizes::advice(model));
    let fastest = model.particles.velocities.iter().map(|v| v.length()).fold(0.0, f64::max);
    let thinnest = model.particles.radii.iter().copied().fold(f64::INFINITY, f64::min);
    if !model.colliders.is_empty() && thinnest > 0.0 && fastest * dt > 10.0 * thinnest {
        lines.push(format!(
            "the fastest particle moves {:.1} mm a substep and its contact radius is {:.1} mm: it may pass through thin \
             colliders",
            1e3 * fastest * dt,
            1e3 * thinnest
        ));
    }
    lines
}

/// The position-based grid of a body, if it has many particles along an edge.
fn fine_sheet<'m>(model: &'m Model, body: &Body) -> Option<&'m Cloth> {
    let (scene, geometry) = (model.source.scene().scene(), model.source.scene().geometry());
    let sheets = scene.cloth.iter().zip(&geometry.cloth);
    let (cloth, shape) = sheets.into_iter().find(|(_, shape)| shape.name == body.name)?;
    let is_fine = shape.cells.is_some_and(|cells| cells.into_iter().max() >= Some(FINE_ROW - 1));
    (is_fine && cloth.model == ClothModel::Net).then_some(cloth)
}

/// What a fine sheet could have to keep its length in few substeps.
fn missing_help(cloth: &Cloth, name: &str) -> Option<String> {
    let links = (!cloth.coarse_links).then_some("`coarse_links = true`");
    let tethers =
        (cloth.tethers.is_none() && !cloth.pin.is_empty()).then_some("`tethers = { to = \"every\" }`");
    let missing: Vec<&str> = links.into_iter().chain(tethers).collect();
    (!missing.is_empty()).then(|| {
        format!(
            "`{name}` has {FINE_ROW} particles or more along an edge: with {} it keeps its length in five substeps a frame",
            missing.join(" and ")
        )
    })
}

/// The acceleration that a body is loaded with: gravity and the wind's pressure on its whole area [m/s²].
fn load(model: &Model, body: &Body) -> f64 {
    let gravity = model.settings.gravity.length();
    let Some(wind) = &model.settings.wind else { return gravity };
    let x = |particle: u32| model.particles.positions[particle as usize];
    let triangles = &model.triangles[body.triangles.start as usize..body.triangles.end as usize];
    let area: f64 = triangles
        .iter()
        .map(|t| {
            let [a, b, c] = t.map(x);
            0.5 * (b - a).cross(c - a).length()
        })
        .sum();
    let numbers = body.particles.clone().map(|user| model.order.new_of_old[user as usize]);
    let mass: f64 = numbers.map(|particle| model.particles.masses[particle as usize]).sum();
    gravity + 0.5 * wind.density * wind.velocity.length_squared() * area / mass
}

/// The strain per acceleration that a body keeps because each substep corrects it only in part [s²/m].
///
/// One iteration gives a link of two particles of mass m at most the stiffness m/dt², whatever its material. A row of
/// N such links of length L under an acceleration a is then N a dt²/L too long where it is held: an estimate.
fn unfinished_stretch(model: &Model, elements: &Elements, dt: f64) -> f64 {
    let links = elements.links.iter().filter(|link| model.materials[link.material as usize][1] >= 0.0);
    let (mut count, mut total) = (0.0, 0.0);
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for link in links {
        count += 1.0;
        total += link.rest_length;
        let x = model.particles.positions[link.ends[0] as usize];
        low = low.min(x);
        high = high.max(x);
    }
    if count == 0.0 {
        return 0.0;
    }
    let length = total / count;
    let row = (high - low).max_element() / length;
    let sweep = match model.settings.solver {
        SolverKind::Coloured => COLOURED_GAIN,
        SolverKind::Jacobi => 1.0,
    };
    row * dt * dt / (length * sweep * f64::from(model.settings.iterations))
}
