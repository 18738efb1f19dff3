//! Sizes, places and masses that look like a mistake: what `sinew check` says about them before a run.

use super::colliders::Shape;
use super::{Body, Model};
use crate::export::si;
use crate::scene::Feature;
use glam::DVec3;
use std::collections::HashSet;

/// A body of this size [m] and mass [kg] was probably drawn in millimetres.
const HUGE: f64 = 50.0;
const MASSIVE: f64 = 1e4;
/// Beyond this many times its size from the origin, f32 moves the particles of a body visibly.
const FAR: f64 = 1000.0;
/// A particle is a heavy load if it has this many times the mass of all the others of its body.
const HEAVY: f64 = 1000.0;

/// What a body looks like from outside.
struct Looks<'a> {
    body: &'a Body,
    low: DVec3,
    high: DVec3,
    /// Of all particles, and of the heaviest [kg].
    mass: f64,
    heaviest: f64,
    is_free: bool,
    is_rigid: bool,
    /// The mean edge of its triangles; 0 without any [m].
    edge: f64,
}

impl Looks<'_> {
    fn size(&self) -> f64 {
        (self.high - self.low).length()
    }
}

/// Sentences about what stands out.
pub fn advice(model: &Model) -> Vec<String> {
    let pinned: HashSet<u32> = model.pins.iter().map(|pin| pin.particle).collect();
    let all: Vec<Looks> =
        model.bodies.iter().enumerate().filter_map(|body| looks(model, &pinned, body)).collect();
    let mut lines = Vec::new();
    for looks in &all {
        let (name, size) = (&looks.body.name, looks.size());
        if size > HUGE && looks.mass > MASSIVE {
            lines.push(format!(
                "`{name}` is {} long and weighs {:.0} tonnes; lengths are in metres: if the mesh is in millimetres, give {} \
                 `scale = 0.001`",
                si(size, "m"),
                1e-3 * looks.mass,
                if looks.is_rigid { "its `mesh`" } else { "it" }
            ));
        }
        let distance = looks.low.abs().max(looks.high.abs()).max_element();
        if size > 0.0 && distance > FAR * size {
            lines.push(format!(
                "`{name}` starts {} from the origin and is {} long: f32 rounds its positions to {}, which strains it; move the \
                 scene to the origin, or use `--backend cpu --precision f64`",
                si(distance, "m"),
                si(size, "m"),
                si(distance * f64::from(f32::EPSILON), "m")
            ));
        }
        let others = looks.mass - looks.heaviest;
        if others > 0.0 && looks.heaviest > HEAVY * others {
            lines.push(format!(
                "`{name}` weighs {} and carries {} on one particle: light things under heavy loads need many substeps ({} now); a \
                 heavier or thicker body needs fewer",
                si(1e3 * others, "g"),
                si(1e3 * looks.heaviest, "g"),
                model.settings.substeps
            ));
        }
    }
    if model.settings.contact.is_none() {
        lines.extend(thin_colliders(model, &all));
        lines.extend(passing(model, &all));
    }
    lines
}

fn looks<'a>(model: &Model, pinned: &HashSet<u32>, (index, body): (usize, &'a Body)) -> Option<Looks<'a>> {
    if body.particles.is_empty() {
        return None;
    }
    let numbers = || body.particles.clone().map(|user| model.order.new_of_old[user as usize]);
    let x = |particle: u32| model.particles.positions[particle as usize];
    let mass = |particle: u32| model.particles.masses[particle as usize];
    let triangles = &model.triangles[body.triangles.start as usize..body.triangles.end as usize];
    let edges = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let length: f64 = edges.map(|[a, b]| (x(b) - x(a)).length()).sum();
    // A rigid body has one particle, and its size is that of its features.
    let rigid = model.rigid.iter().find(|rigid| rigid.body as usize == index);
    let features = rigid.into_iter().flat_map(|rigid| {
        let place = |feature: &Feature| (x(rigid.particle) + rigid.orientation * feature.arm, feature.radius);
        rigid.features.iter().map(place)
    });
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for (x, radius) in numbers().map(|particle| (x(particle), 0.0)).chain(features) {
        (low, high) = (low.min(x - radius), high.max(x + radius));
    }
    Some(Looks {
        body,
        low,
        high,
        mass: numbers().map(mass).sum(),
        heaviest: numbers().map(mass).fold(0.0, f64::max),
        is_free: numbers().all(|i| model.particles.inverse_masses[i as usize] > 0.0 && !pinned.contains(&i)),
        is_rigid: rigid.is_some(),
        edge: length / (3 * triangles.len()).max(1) as f64,
    })
}

/// Particles touch colliders, edges between them do not, unless the scene has contact.
fn thin_colliders(model: &Model, all: &[Looks]) -> Vec<String> {
    let thickness = |shape: &Shape| match shape {
        Shape::Sphere { radius } | Shape::Capsule { radius, .. } => Some(2.0 * radius),
        Shape::Box { half } => Some(2.0 * half.min_element()),
        Shape::Plane { .. } | Shape::Field(_) => None,
    };
    let mut lines = Vec::new();
    for (k, collider) in model.colliders.iter().enumerate() {
        let Some(thickness) = thickness(&collider.shape) else { continue };
        let Some(coarse) = all.iter().find(|looks| looks.edge > thickness) else { continue };
        lines.push(format!(
            "collider {} is {} thick and the edges of `{}` are {} long: it slips through between the particles; use a finer mesh, a \
             thicker collider, or a `[contact]` table",
            k + 1,
            si(thickness, "m"),
            coarse.body.name,
            si(coarse.edge, "m")
        ));
    }
    lines
}

/// A free body that falls on another one goes through it, unless the scene has contact, or both are magnets and may float.
fn passing(model: &Model, all: &[Looks]) -> Option<String> {
    let down = model.settings.gravity.normalize_or_zero();
    // Along the axis of gravity, one is above the other; across, they overlap.
    let axis = down.abs().max_position();
    if down == DVec3::ZERO || !model.joins.joins.is_empty() {
        return None;
    }
    let is_magnet = |looks: &Looks| {
        model.magnets.iter().any(|magnet| looks.body.particles.contains(&magnet.particles[0]))
    };
    let falls_on = |a: &Looks, b: &Looks| {
        let above = if down[axis] < 0.0 { a.low[axis] >= b.high[axis] } else { a.high[axis] <= b.low[axis] };
        above
            && !(is_magnet(a) && is_magnet(b))
            && (0..3).filter(|&k| k != axis).all(|k| a.low[k] < b.high[k] && b.low[k] < a.high[k])
    };
    let (a, b) =
        all.iter().filter(|a| a.is_free).find_map(|a| Some((a, all.iter().find(|b| falls_on(a, b))?)))?;
    Some(format!(
        "`{}` falls on `{}` and will pass through it: bodies touch each other only in scenes with a `[contact]` table",
        a.body.name, b.body.name
    ))
}
