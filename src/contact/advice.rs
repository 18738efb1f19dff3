//! What `sinew check` says about contact between bodies before a run, and what is refused.

use super::guard_share::CORE;
use super::separate::separate;
use super::verify::{PLACES, Shapes, Verifier};
use crate::export::si;
use crate::model::colliders::Shape;
use crate::model::{Body, Model, ModelError};
use crate::scene::ContactStart;
use glam::{DQuat, DVec3};

/// Beyond this share of the edges' length, surfaces are near to more than can touch them.
const THICK: f64 = 0.5;
/// Steps of f32 that a core has at least.
const STEPS: f64 = 16.0;
/// A particle is a load if it has this many times the usual mass of its body's.
const LOAD: f64 = 10.0;
/// T κ dt²/(ρ l) up to which a loaded rope keeps its contacts, with one iteration and with more.
const SLOW: [f64; 2] = [0.05, 0.1];

/// Does what the scene wants of bodies that touch and go through each other at the start, and says what it was: refuses them, as nothing could tell on which
/// side they belong, moves them apart or lets them be.
pub fn settle_start(model: &mut Model) -> Result<Vec<String>, ModelError> {
    let said = match model.settings.contact.as_ref().map(|contact| contact.start) {
        None => return Ok(Vec::new()),
        Some(ContactStart::Allow) => return Ok(tangled(model)),
        Some(ContactStart::Separate) => separate(model),
        Some(ContactStart::Refuse) => Vec::new(),
    };
    let shapes = Shapes::whole(model);
    let start = shapes.start.clone();
    let findings = Verifier::new(shapes).look(&start);
    let Some(first) = findings.places.first() else { return Ok(said) };
    let places: Vec<String> =
        findings.places.iter().map(|place| format!("{} and {}", place.things[0], place.things[1])).collect();
    Err(ModelError::Start { count: findings.intersections, at: first.position, places: places.join("; ") })
}

/// How much is caught at the start.
fn tangled(model: &Model) -> Vec<String> {
    let shapes = Shapes::whole(model);
    let start = shapes.start.clone();
    let count = Verifier::new(shapes).tangled(&start).len();
    let sentence = || {
        format!(
            "{count} edges go through triangles at the start; what is caught has no contact until it has come apart"
        )
    };
    (count > 0).then(sentence).into_iter().collect()
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
    lines.extend(fast(model, &shapes));
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
    // The particle of a rigid body touches nothing; its surface does.
    let own =
        (0..shapes.start.len()).filter(|&p| shapes.bodies[p][0] as usize == number && shapes.radii[p] > 0.0);
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

/// What is led by keyframes and goes further in a substep than the guard has room for: half of the smallest thickness.
fn fast(model: &Model, shapes: &Shapes) -> Vec<String> {
    let settings = &model.settings;
    let thick = shapes.radii[..model.particle_count()].iter().filter(|radius| **radius > 0.0);
    let thinnest = thick.map(|radius| 2.0 * radius).fold(f64::INFINITY, f64::min);
    let room = CORE * thinnest;
    let mut fastest: Vec<(String, f64)> = Vec::new();
    let mut add = |name: String, speed: f64| match fastest.iter_mut().find(|(known, _)| *known == name) {
        Some((_, most)) => *most = most.max(speed),
        None => fastest.push((name, speed)),
    };
    for pin in &model.pins {
        if let (Some(track), Some(body)) = (pin.track, model.body_of(pin.particle)) {
            add(format!("a pin of `{}`", body.name), speed(model, track, pin.anchor));
        }
    }
    for collider in &model.colliders {
        let Some(track) = collider.track else { continue };
        let extent = match &collider.shape {
            Shape::Box { half } => *half,
            Shape::Sphere { radius } => DVec3::splat(*radius),
            Shape::Capsule { radius, half_length } => DVec3::new(*radius, radius + half_length, *radius),
            Shape::Plane { .. } | Shape::Field(_) => DVec3::ZERO,
        };
        let ends = [DVec3::X, DVec3::Y, DVec3::Z, DVec3::ZERO].into_iter().flat_map(|axis| [axis, -axis]);
        let places = ends.map(|axis| collider.position + collider.rotation.normalize() * (axis * extent));
        add("a collider".into(), places.map(|place| speed(model, track, place)).fold(0.0, f64::max));
    }
    let dt = settings.substep();
    let too_fast = fastest.into_iter().filter(|(_, speed)| room > 0.0 && speed * dt > room);
    let sentence = |(what, speed): (String, f64)| {
        let wanted = (f64::from(settings.substeps) * speed * dt / room).ceil();
        format!(
            "{what} goes up to {} in a substep, and contact has room for {}: what is in its way may be pushed through; about {wanted} \
             substeps would do ({} now)",
            si(speed * dt, "m"),
            si(room, "m"),
            settings.substeps
        )
    };
    too_fast.map(sentence).collect()
}

/// How fast a track ever carries what is at a place at the start [m/s].
fn speed(model: &Model, track: u32, place: DVec3) -> f64 {
    let Some(&[first, count]) = model.tracks.tracks.get(track as usize) else { return 0.0 };
    let records = &model.tracks.keys[first as usize..(first + 1 + 2 * count) as usize];
    let pivot = DVec3::from_slice(&records[0]);
    let poses = records[1..].chunks_exact(2).map(|key| {
        let offset = DVec3::from_slice(&key[0][1..]);
        (key[0][0], pivot + DQuat::from_array(key[1]) * (place - pivot) + offset)
    });
    let poses: Vec<(f64, DVec3)> = poses.collect();
    let ways = poses.windows(2).map(|pair| pair[0].1.distance(pair[1].1) / (pair[1].0 - pair[0].0));
    ways.filter(|speed| speed.is_finite()).fold(0.0, f64::max)
}
