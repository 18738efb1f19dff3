//! What `sinew check` says about contact between bodies before a run, and what is refused.

use super::guard_share::CORE;
use super::verify::{PLACES, Shapes, Verifier};
use crate::export::si;
use crate::model::{Body, Model, ModelError};

/// Beyond this share of the edges' length, surfaces are near to more than can touch them.
const THICK: f64 = 0.5;
/// Steps of f32 that a core has at least.
const STEPS: f64 = 16.0;
/// A particle is a load if it has this many times the usual mass of its body's.
const LOAD: f64 = 10.0;
/// T κ dt²/(ρ l) up to which a loaded rope keeps its contacts, with one iteration and with more.
const SLOW: [f64; 2] = [0.05, 0.1];

/// Refuses bodies that touch and go through each other at the start: nothing could tell on which side they belong.
pub fn check_start(model: &Model) -> Result<(), ModelError> {
    if model.settings.contact.is_none() {
        return Ok(());
    }
    let shapes = Shapes::whole(model);
    let start = shapes.start.clone();
    let findings = Verifier::new(shapes).look(&start);
    let Some(first) = findings.places.first() else { return Ok(()) };
    let places: Vec<String> =
        findings.places.iter().map(|place| format!("{} and {}", place.things[0], place.things[1])).collect();
    Err(ModelError::Start { count: findings.intersections, at: first.position, places: places.join("; ") })
}

/// Sentences a user may want to hear; none without contact between bodies.
pub fn advice(model: &Model) -> Vec<String> {
    if model.settings.contact.is_none() {
        return Vec::new();
    }
    let shapes = Shapes::whole(model);
    let mut lines = Vec::new();
    for (number, body) in model.bodies.iter().enumerate() {
        lines.extend(thickness(&shapes, number, body));
        lines.extend(core(&shapes, number, body));
        lines.extend(substeps(model, body));
    }
    let start = shapes.start.clone();
    let touching = Verifier::new(shapes).touching(&start);
    let more = touching.len().saturating_sub(PLACES);
    lines.extend(touching.iter().take(PLACES).map(|(depth, place)| {
        let ([first, second], p) = (&place.things, place.position);
        let share = 1e2 * depth;
        format!("{first} and {second} are {share:.1} % of their thickness too near at the start, at ({:.4}, {:.4}, {:.4})", p.x, p.y, p.z)
    }));
    if more > 0 {
        lines.push(format!("so are {more} more pairs of bodies"));
    }
    lines
}

/// Thickness beside the length of edges.
fn thickness(shapes: &Shapes, number: usize, body: &Body) -> Option<String> {
    let of_body = |p: u32| shapes.bodies[p as usize][0] as usize == number;
    let triangles = shapes.triangles.iter().filter(|t| of_body(t[0]));
    let sides = triangles.flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let edges = sides.chain(shapes.segments.iter().copied().filter(|s| of_body(s[0])));
    let start = |p: u32| shapes.start[p as usize];
    let (mut shortest, mut longest, mut thick) = (f64::INFINITY, 0.0f64, 0.0f64);
    for [a, b] in edges {
        let length = start(a).distance(start(b));
        (shortest, longest) = (shortest.min(length), longest.max(length));
        thick = thick.max(shapes.radii[a as usize] + shapes.radii[b as usize]);
    }
    if longest == 0.0 {
        return None;
    }
    let beside = format!(
        "`{}` is {} thick and has edges of {} to {}",
        body.name,
        si(thick, "m"),
        si(shortest, "m"),
        si(longest, "m")
    );
    let is_thick = thick > THICK * shortest && !body.triangles.is_empty();
    Some(if is_thick {
        beside + ": more is near than can touch, which takes time; make it thinner, or its mesh coarser"
    } else {
        beside
    })
}

/// Whether f32 can tell the two sides of a body apart.
fn core(shapes: &Shapes, number: usize, body: &Body) -> Option<String> {
    let own = (0..shapes.start.len()).filter(|&p| shapes.bodies[p][0] as usize == number);
    let (mut far, mut thinnest) = (0.0f64, f64::INFINITY);
    for p in own {
        far = far.max(shapes.start[p].abs().max_element());
        thinnest = thinnest.min(2.0 * shapes.radii[p]);
    }
    let step = far * f64::from(f32::EPSILON);
    (CORE * thinnest < STEPS * step).then(|| {
        format!(
            "`{}` is {} thick and {} from the origin, where f32 goes by {}: contact may not hold; move the scene to the origin, make \
             the body thicker, or use `--backend cpu --precision f64`",
            body.name,
            si(thinnest, "m"),
            si(far, "m"),
            si(step, "m")
        )
    })
}

/// The substeps that a rope with a load needs where it bends around something as thick as itself.
fn substeps(model: &Model, body: &Body) -> Option<String> {
    if !body.triangles.is_empty() || body.segments.is_empty() {
        return None;
    }
    let numbers = body.particles.clone().map(|user| model.order.new_of_old[user as usize] as usize);
    let (mut masses, mut radius) = (Vec::new(), 0.0f64);
    for particle in numbers {
        masses.push(model.particles.masses[particle]);
        radius = radius.max(model.particles.radii[particle]);
    }
    let all: f64 = masses.iter().sum();
    masses.sort_by(f64::total_cmp);
    let usual = masses[masses.len() / 2];
    let settings = &model.settings;
    let tension = settings.gravity.length() * all;
    if masses.last().is_none_or(|heaviest| *heaviest <= LOAD * usual) || radius == 0.0 || tension == 0.0 {
        return None;
    }
    let stiffness = tension * settings.substep().powi(2) / (2.0 * radius * usual);
    let limit = SLOW[usize::from(settings.iterations > 1)];
    let wanted = (f64::from(settings.substeps) * (stiffness / limit).sqrt()).ceil();
    (stiffness > limit).then(|| {
        format!(
            "`{}` carries {}: where it bends around something as thick as itself, its contacts need about {wanted} substeps ({} now)",
            body.name,
            si(tension, "N"),
            settings.substeps
        )
    })
}
