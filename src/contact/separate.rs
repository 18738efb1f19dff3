//! Bodies that start in each other, moved apart as wholes: along the axes, the line of their centres and the mean normal of what they go through, whichever way
//! is the shortest that leaves them their thickness apart. Their shapes, and so their strains, stay as they are.

use super::verify::{Shapes, Verifier};
use crate::export::si;
use crate::model::Model;
use glam::DVec3;
use std::collections::BTreeMap;

/// Pairs of bodies that are moved at most, in multiples of how many there are.
const ROUNDS: usize = 4;
/// Halvings of the way that is looked for.
const HALVINGS: u32 = 16;
/// Doublings of the way, from a thickness on.
const DOUBLINGS: u32 = 40;
/// What is moved goes further by this share of a thickness, so that rounding leaves nobody in touch.
const MORE: f64 = 1e-3;

/// Moves what can be moved, and says what was; what goes through something still is for others to find.
pub fn separate(model: &mut Model) -> Vec<String> {
    let mut ways: BTreeMap<usize, DVec3> = BTreeMap::new();
    let held: Vec<bool> = (0..model.bodies.len()).map(|body| is_held(model, body)).collect();
    for _ in 0..ROUNDS * model.bodies.len() {
        let shapes = Shapes::whole(model);
        let tangled = Verifier::new(shapes.clone()).tangled(&shapes.start);
        let bodies = |(edge, triangle): &([u32; 2], [u32; 3])| {
            [edge[0], triangle[0]].map(|p| shapes.bodies[p as usize][0] as usize)
        };
        let Some(pair) = tangled.iter().map(bodies).find(|[a, b]| a != b && !(held[*a] && held[*b])) else {
            break;
        };
        let mean = mean_normal(&shapes, &tangled, pair);
        let Some(way) = shortest(&shapes, pair, mean) else { break };
        let [a, b] = pair.map(|body| if held[body] { f64::INFINITY } else { mass(model, body) });
        // The part of the first; what is held has all the mass there is.
        let part = if b.is_infinite() {
            1.0
        } else if a.is_infinite() {
            0.0
        } else {
            b / (a + b)
        };
        for (body, moved) in pair.into_iter().zip([way * part, way * (part - 1.0)]) {
            if moved != DVec3::ZERO {
                shift(model, body, moved);
                *ways.entry(body).or_default() += moved;
            }
        }
    }
    let said = ways.into_iter().map(|(body, way)| {
        let name = &model.bodies[body].name;
        format!(
            "`{name}` was moved {} at the start, by ({:.4}, {:.4}, {:.4})",
            si(way.length(), "m"),
            way.x,
            way.y,
            way.z
        )
    });
    said.collect()
}

/// Whether a body is pinned, or hangs on something that would not come along.
fn is_held(model: &Model, body: usize) -> bool {
    let is_of = |p: u32| {
        let user = model.order.old_of_new[p as usize];
        model.bodies[body].particles.contains(&user)
    };
    let fixed = (0..model.particle_count() as u32)
        .any(|p| is_of(p) && model.particles.inverse_masses[p as usize] == 0.0);
    fixed
        || model.pins.iter().any(|pin| is_of(pin.particle))
        || !model.joins.joins.is_empty()
        || !model.joints.list.is_empty()
}

fn particles(model: &Model, body: usize) -> Vec<usize> {
    let users = model.bodies[body].particles.clone();
    users.map(|user| model.order.new_of_old[user as usize] as usize).collect()
}

fn mass(model: &Model, body: usize) -> f64 {
    particles(model, body).into_iter().map(|p| model.particles.masses[p]).sum()
}

fn shift(model: &mut Model, body: usize, way: DVec3) {
    for p in particles(model, body) {
        model.particles.positions[p] += way;
    }
}

/// The mean of the normals of the second body's triangles that edges of the first go through, and those of the first against.
fn mean_normal(shapes: &Shapes, tangled: &[([u32; 2], [u32; 3])], [first, second]: [usize; 2]) -> DVec3 {
    let body = |p: u32| shapes.bodies[p as usize][0] as usize;
    let mut sum = DVec3::ZERO;
    for (edge, triangle) in tangled {
        let [a, b, c] = triangle.map(|p| shapes.start[p as usize]);
        let normal = (b - a).cross(c - a).normalize_or_zero();
        match [body(edge[0]), body(triangle[0])] {
            bodies if bodies == [first, second] => sum += normal,
            bodies if bodies == [second, first] => sum -= normal,
            _ => {}
        }
    }
    sum
}

/// The shortest way found by which the first of two bodies gets out of the second.
fn shortest(shapes: &Shapes, pair: [usize; 2], mean: DVec3) -> Option<DVec3> {
    let is_of = |p: u32, body: usize| shapes.bodies[p as usize][0] as usize == body;
    let of_both = |p: u32| pair.into_iter().any(|body| is_of(p, body));
    let mut two = shapes.clone();
    two.triangles.retain(|triangle| of_both(triangle[0]));
    two.segments.retain(|segment| of_both(segment[0]));
    two.points.retain(|&point| of_both(point));
    two.excluded.extend(pair.map(|body| [body as u32; 2]));
    let radius = |body: usize| {
        let own = (0..).zip(&two.radii).filter(|(p, _)| is_of(*p, body));
        own.map(|(_, &radius)| radius).fold(0.0, f64::max)
    };
    let thickness = radius(pair[0]) + radius(pair[1]);
    let [from, to] = pair.map(|body| {
        let own: Vec<DVec3> =
            (0..).zip(&two.start).filter(|(p, _)| is_of(*p, body)).map(|(_, x)| *x).collect();
        own.iter().sum::<DVec3>() / own.len().max(1) as f64
    });
    let directions = [DVec3::Y, DVec3::X, DVec3::Z, from - to, mean].map(DVec3::normalize_or_zero);
    let directions = directions.into_iter().filter(|d| *d != DVec3::ZERO).flat_map(|d| [d, -d]);
    let start = two.start.clone();
    let verifier = Verifier::new(two);
    let is_apart = |way: DVec3| {
        let moved: Vec<DVec3> =
            (0..).zip(&start).map(|(p, x)| if is_of(p, pair[0]) { *x + way } else { *x }).collect();
        let found = verifier.look(&moved);
        found.intersections == 0 && found.max_depth <= 0.0
    };
    let mut best: Option<(f64, DVec3)> = None;
    for direction in directions {
        let most = best.map_or(f64::INFINITY, |(length, _)| length);
        let mut far = thickness.max(f64::MIN_POSITIVE);
        let mut doublings = 0;
        while far < most && doublings < DOUBLINGS && !is_apart(direction * far) {
            (far, doublings) = (2.0 * far, doublings + 1);
        }
        if far >= most || doublings == DOUBLINGS {
            continue;
        }
        let mut near = 0.0;
        for _ in 0..HALVINGS {
            let middle = 0.5 * (near + far);
            if is_apart(direction * middle) { far = middle } else { near = middle }
        }
        best = Some((far, direction * (far + MORE * thickness)));
    }
    best.map(|(_, way)| way)
}
