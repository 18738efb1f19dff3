//! Corners that are no particles: those of rigid bodies' surfaces, and the sharp features of obstacles. They follow the particles in the columns of
//! corners, those of rigid bodies first, and are elements of the same lists.
//!
//! A rigid body has its whole surface, with a thin skin of [`SKIN`] of its smallest half extent. An obstacle has its edges and ends: what particles
//! touch of its faces is the business of [`super::collide`].

use crate::model::Model;
use crate::model::colliders::Shape;
use glam::{DMat3, DVec3};

/// Half the thickness of a rigid body's surface, as a share of its smallest half extent.
pub const SKIN: f64 = 0.01;
/// A round obstacle this many times as thick as the longest edge is touched well enough by particles alone.
const THICK: f64 = 2.0;
/// Turns of a power iteration, after which the largest push of a corner is known to a few digits.
const TURNS: u32 = 40;

/// The driven corners of a model, and what they form.
#[derive(Clone, Debug, Default)]
pub struct Driven {
    /// Corners that are particles.
    pub particles: u32,
    /// Of each rigid body: particle, frame, first driven corner, corners.
    pub bodies: Vec<[u32; 4]>,
    /// Of each driven corner: its rigid body or its collider.
    pub owners: Vec<u32>,
    /// Along the owner's axes [m], and 1/mass of a push there [1/kg].
    pub arms: Vec<[f64; 4]>,
    /// Driven corners of rigid bodies.
    pub rigid: u32,
    /// Positions at the start, half the thickness [m].
    pub rest: Vec<[f64; 4]>,
    /// The number of the body or, after all bodies, of the collider.
    pub numbers: Vec<u32>,
    pub triangles: Vec<[u32; 3]>,
    pub segments: Vec<[u32; 2]>,
    pub points: Vec<u32>,
    /// Of each collider: the radius around its features [m]; none if it has no features.
    pub radii: Vec<Option<f64>>,
}

impl Driven {
    /// The driven corners of a model whose longest edge is so long [m].
    pub fn of(model: &Model, longest: f64) -> Self {
        let mut driven = Self { particles: model.particle_count() as u32, ..Self::default() };
        driven.add_bodies(model);
        driven.rigid = driven.arms.len() as u32;
        for (number, collider) in (0..).zip(&model.colliders) {
            let round = |radius: f64| (radius < THICK * longest).then_some(radius);
            let radius = match &collider.shape {
                Shape::Box { .. } => Some(0.0),
                Shape::Sphere { radius } | Shape::Capsule { radius, .. } => round(*radius),
                Shape::Plane { .. } | Shape::Field(_) => None,
            };
            driven.radii.push(radius);
            let Some(radius) = radius else { continue };
            let arms = match &collider.shape {
                Shape::Box { half } => (0..8).map(|k| *half * signs(k)).collect(),
                Shape::Capsule { half_length, .. } if *half_length > 0.0 => {
                    vec![DVec3::Y * -*half_length, DVec3::Y * *half_length]
                }
                _ => vec![DVec3::ZERO],
            };
            let first = driven.corner();
            for &arm in &arms {
                let place = collider.position + collider.rotation.normalize() * arm;
                driven.add(number, arm.extend(0.0), place.extend(radius), model.bodies.len() as u32 + number);
            }
            match arms.len() {
                1 => driven.points.push(first),
                2 => driven.segments.push([first, first + 1]),
                // An edge leads from each corner to those that differ in one sign.
                _ => driven.segments.extend((0..8u32).flat_map(|a| {
                    [1, 2, 4]
                        .into_iter()
                        .filter(move |bit| a & bit == 0)
                        .map(move |bit| [first + a, first + a + bit])
                })),
            }
        }
        driven
    }

    fn add_bodies(&mut self, model: &Model) {
        let before = model.skins.embedding.corners.len() as u32;
        for (owner, body) in (0..).zip(&model.rigid) {
            let skin = model.skins.parts.iter().find(|skin| skin.body == body.body);
            let Some(skin) = skin else { continue };
            let vertices = (skin.vertices.start - before) as usize..(skin.vertices.end - before) as usize;
            let arms: Vec<DVec3> = model.skins.rigid[vertices].iter().map(|vertex| vertex.arm).collect();
            let extent = arms.iter().fold(DVec3::ZERO, |most, arm| most.max(arm.abs()));
            let particle = body.particle as usize;
            let (centre, mass) =
                (model.particles.positions[particle], model.particles.inverse_masses[particle]);
            let first = self.corner();
            self.bodies.push([body.particle, body.frame, first - self.particles, arms.len() as u32]);
            for arm in arms {
                let push = mass + largest_turn(arm, body.moments.recip());
                let place = centre + body.orientation * arm;
                self.add(owner, arm.extend(push), place.extend(SKIN * extent.min_element()), body.body);
            }
            let corner = |v: u32| first + v - skin.vertices.start;
            self.triangles.extend(skin.triangles.iter().map(|t| t.map(corner)));
        }
    }

    fn corner(&self) -> u32 {
        self.particles + self.arms.len() as u32
    }

    fn add(&mut self, owner: u32, arm: glam::DVec4, rest: glam::DVec4, number: u32) {
        self.owners.push(owner);
        self.arms.push(arm.to_array());
        self.rest.push(rest.to_array());
        self.numbers.push(number);
    }

    pub fn is_empty(&self) -> bool {
        self.arms.is_empty()
    }

    /// Driven corners of obstacles.
    pub fn carried(&self) -> u32 {
        self.arms.len() as u32 - self.rigid
    }
}

fn signs(k: u32) -> DVec3 {
    let sign = |bit: u32| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
    DVec3::new(sign(0), sign(1), sign(2))
}

/// The largest (r × n)·I⁻¹(r × n) of all directions n.
fn largest_turn(r: DVec3, inverse: DVec3) -> f64 {
    let cross = DMat3::from_cols(r.cross(DVec3::X), r.cross(DVec3::Y), r.cross(DVec3::Z));
    let form = cross.transpose() * DMat3::from_diagonal(inverse) * cross;
    let mut n = DVec3::new(1.0, 0.7, 0.4);
    for _ in 0..TURNS {
        n = (form * n).normalize_or_zero();
    }
    n.dot(form * n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_push_of_a_corner_is_that_of_all_directions() {
        let (r, inverse) = (DVec3::new(0.3, -0.2, 0.5), DVec3::new(1.0, 2.0, 5.0));
        let found = largest_turn(r, inverse);
        let mut most = 0.0f64;
        for k in 0..20_000 {
            let (a, z) = (f64::from(k) * 2.399_963, 1.0 - 2.0 * (f64::from(k) + 0.5) / 20_000.0);
            let s = (1.0 - z * z).sqrt();
            let lever = r.cross(DVec3::new(s * a.cos(), s * a.sin(), z));
            most = most.max(lever.dot(inverse * lever));
        }
        assert!((found / most - 1.0).abs() < 1e-3, "{found}, not {most}");
    }
}
