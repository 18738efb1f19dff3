//! What is rigid in a room, as outlines on its floor.

use crate::meshing::triangle_mesh::TriangleMesh;
use crate::scene::{Collider, ColliderShape, rotation};
use glam::{DVec2, DVec3};

/// Something that a robot must not touch, as seen from above: a convex outline, grown by a radius. A point or two are outlines too.
#[derive(Debug, Clone, PartialEq)]
pub struct Obstacle {
    pub name: String,
    pub outline: Vec<DVec2>,
    pub radius: f64,
}

/// Colliders that reach into the heights from the floor to a robot's top; none for those that are floor or ceiling. Meshes, whose
/// surfaces are given, count as the boxes around them.
pub fn obstacles(
    colliders: &[Collider],
    surfaces: &[Option<TriangleMesh>],
    floor: f64,
    height: f64,
) -> Vec<Obstacle> {
    let one = |(index, collider): (usize, &Collider)| -> Option<Obstacle> {
        let turn = rotation(collider.rotation);
        let place = |x: DVec3| collider.position + turn * x;
        let corners = |low: DVec3, high: DVec3| -> Vec<DVec3> {
            let corner = |bits: u32| {
                let pick = |bit: u32, low: f64, high: f64| if bits >> bit & 1 == 0 { low } else { high };
                place(DVec3::new(pick(0, low.x, high.x), pick(1, low.y, high.y), pick(2, low.z, high.z)))
            };
            (0..8).map(corner).collect()
        };
        let (points, radius) = match &collider.shape {
            ColliderShape::Plane { .. } => return None,
            ColliderShape::Sphere { radius } => (vec![place(DVec3::ZERO)], *radius),
            ColliderShape::Box { size } => (corners(-0.5 * *size, 0.5 * *size), 0.0),
            ColliderShape::Capsule { radius, length } => {
                (vec![place(DVec3::Y * (-0.5 * length)), place(DVec3::Y * (0.5 * length))], *radius)
            }
            ColliderShape::Mesh { .. } | ColliderShape::Triangles { .. } => {
                let mesh = surfaces.get(index)?.as_ref()?;
                let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
                let (low, high) = mesh.positions.iter().fold(start, |(l, h), x| (l.min(*x), h.max(*x)));
                (corners(low, high), 0.0)
            }
        };
        let lowest = points.iter().map(|x| x.y).fold(f64::INFINITY, f64::min) - radius;
        let highest = points.iter().map(|x| x.y).fold(f64::NEG_INFINITY, f64::max) + radius;
        // What a robot drives over or under does not stop it.
        let is_in_the_way = lowest < floor + height && highest > floor + 0.02 * height;
        let flat = points.iter().map(|x| DVec2::new(x.x, x.z)).collect();
        is_in_the_way.then(|| Obstacle { name: collider.label(index), outline: hull(flat), radius })
    };
    // What moves is no part of the room.
    colliders.iter().enumerate().filter(|(_, collider)| collider.motion.is_empty()).filter_map(one).collect()
}

/// The convex hull, counter-clockwise (Andrew 1979).
fn hull(mut points: Vec<DVec2>) -> Vec<DVec2> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let half = |points: &mut dyn Iterator<Item = DVec2>| {
        let mut chain: Vec<DVec2> = Vec::new();
        for x in points {
            while let [.., a, b] = chain[..]
                && (b - a).perp_dot(x - b) <= 0.0
            {
                chain.pop();
            }
            chain.push(x);
        }
        chain.pop();
        chain
    };
    let mut hull = half(&mut points.iter().copied());
    hull.extend(half(&mut points.iter().rev().copied()));
    hull
}

impl Obstacle {
    /// How far a place is from it [m]; zero or less inside.
    pub fn distance(&self, x: DVec2) -> f64 {
        let n = self.outline.len();
        let edge = |k: usize| (self.outline[k], self.outline[(k + 1) % n]);
        let inside = n > 2 && (0..n).all(|k| (edge(k).1 - edge(k).0).perp_dot(x - edge(k).0) >= 0.0);
        let away = |k: usize| {
            let (a, b) = edge(k);
            let along = b - a;
            let square = along.length_squared();
            let t = if square > 0.0 { ((x - a).dot(along) / square).clamp(0.0, 1.0) } else { 0.0 };
            x.distance(a + along * t)
        };
        let nearest = (0..n).map(away).fold(f64::INFINITY, f64::min);
        (if inside { -nearest } else { nearest }) - self.radius
    }
}

/// Where a robot may drive.
#[derive(Debug, Clone)]
pub struct Room {
    pub low: DVec2,
    pub high: DVec2,
    pub obstacles: Vec<Obstacle>,
    /// Of the robot [m].
    pub radius: f64,
}

impl Room {
    /// What a robot there would touch: an obstacle's number, or nothing in particular for the room's bounds.
    pub fn hit(&self, x: DVec2) -> Option<Option<usize>> {
        if x.clamp(self.low, self.high) != x {
            return Some(None);
        }
        self.obstacles.iter().position(|o| o.distance(x) < self.radius).map(Some)
    }

    /// Whether a robot can drive straight on, looked at every quarter of its radius.
    pub fn is_free(&self, from: DVec2, to: DVec2) -> bool {
        let steps = (from.distance(to) / (0.25 * self.radius)).ceil().max(1.0) as u32;
        (0..=steps).all(|k| self.hit(from.lerp(to, f64::from(k) / f64::from(steps))).is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_those_of_boxes_and_balls() {
        let wall = Collider {
            shape: ColliderShape::Box { size: DVec3::new(2.0, 1.0, 0.2) },
            position: DVec3::new(1.0, 0.5, 3.0),
            rotation: DVec3::new(0.0, 90.0, 0.0),
            ..Collider::default()
        };
        let ball = Collider { shape: ColliderShape::Sphere { radius: 0.3 }, ..Collider::default() };
        let lamp = Collider { position: DVec3::Y * 9.0, ..ball.clone() };
        let found = obstacles(&[wall, ball, lamp], &[], 0.0, 1.0);
        assert_eq!(found.len(), 2);
        let away = |k: usize, x: f64, z: f64| found[k].distance(DVec2::new(x, z));
        assert!((away(0, 1.5, 3.0) - 0.4).abs() < 1e-12 && (away(0, 1.0, 4.5) - 0.5).abs() < 1e-12);
        assert!((away(0, 1.0, 3.0) + 0.1).abs() < 1e-12);
        assert!((away(1, 3.0, 4.0) - 4.7).abs() < 1e-12);
    }
}
