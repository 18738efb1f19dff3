//! What is under the cursor.

use super::pick_element::{self, Element};
use crate::measure::particle_strains;
use crate::model::Model;
use glam::DVec3;

/// A half-line from the eye through a pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    pub origin: DVec3,
    /// Unit length.
    pub direction: DVec3,
}

/// The numbers of a particle, as a user sees them.
#[derive(Clone, Debug, PartialEq)]
pub struct Picked {
    pub body: String,
    pub body_index: usize,
    /// Counted in its body.
    pub number: u32,
    /// By the model's number.
    pub particle: u32,
    /// Where the ray met the body [m].
    pub point: DVec3,
    /// [m].
    pub position: DVec3,
    /// [m/s].
    pub velocity: DVec3,
    /// [kg]; also of pinned particles.
    pub mass: f64,
    /// Largest strain of its links.
    pub strain: f64,
    /// What the element that was met has to say.
    pub element: Vec<(&'static str, String)>,
}

/// Where a ray met a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The nearest particle, by the model's number.
    pub particle: u32,
    /// [m].
    pub point: DVec3,
    pub element: Option<Element>,
}

/// How much thicker than drawn a line or ball is to the cursor.
const REACH: f64 = 1.8;

/// Where a ray first meets a body.
pub fn hit(model: &Model, positions: &[DVec3], ray: &Ray) -> Option<Hit> {
    let x = |particle: u32| positions[particle as usize];
    let mut best: Option<(f64, u32, Option<Element>)> = None;
    let mut offer = |t: f64, particle: u32, element: Option<Element>| {
        if t > 0.0 && best.is_none_or(|(nearest, ..)| t < nearest) {
            best = Some((t, particle, element));
        }
    };
    for (index, triangle) in model.triangles.iter().enumerate() {
        if let Some((t, weights)) = ray_triangle(ray, triangle.map(x)) {
            let corner = if weights[0] >= weights[1] && weights[0] >= weights[2] {
                0
            } else if weights[1] >= weights[2] {
                1
            } else {
                2
            };
            offer(t, triangle[corner], Some(Element::Triangle(index)));
        }
    }
    for body in model.bodies.iter().filter(|body| body.triangles.is_empty()) {
        for user in body.particles.clone() {
            let particle = model.order.new_of_old[user as usize];
            let t = (x(particle) - ray.origin).dot(ray.direction);
            let away = x(particle).distance(ray.origin + t * ray.direction);
            if away < REACH * body.radius {
                offer(t, particle, None);
            }
        }
        for index in body.segments.start as usize..body.segments.end as usize {
            let [a, b] = model.segments[index];
            let (t, s, away) = ray_segment(ray, x(a), x(b));
            if away < REACH * body.radius {
                offer(t, if s < 0.5 { a } else { b }, Some(Element::Segment(index)));
            }
        }
    }
    best.map(|(t, particle, element)| Hit { particle, point: ray.origin + t * ray.direction, element })
}

/// Everything about a particle that was hit.
pub fn describe(
    model: &Model,
    positions: &[DVec3],
    velocities: &[DVec3],
    Hit { particle, point, element }: Hit,
) -> Option<Picked> {
    let index = particle as usize;
    let user = model.order.old_of_new[index];
    let body_index = model.bodies.iter().position(|body| body.particles.contains(&user))?;
    let body = &model.bodies[body_index];
    Some(Picked {
        body: body.name.clone(),
        body_index,
        number: user - body.particles.start,
        particle,
        point,
        position: positions[index],
        velocity: velocities[index],
        mass: model.particles.masses[index],
        strain: particle_strains(model, positions)[index],
        element: element
            .map_or_else(Vec::new, |element| pick_element::numbers(model, positions, body_index, element)),
    })
}

/// Where a ray meets a triangle, from either side, and the weights of the corners there (Möller, Trumbore 1997).
fn ray_triangle(ray: &Ray, [a, b, c]: [DVec3; 3]) -> Option<(f64, [f64; 3])> {
    let (ab, ac) = (b - a, c - a);
    let p = ray.direction.cross(ac);
    let determinant = ab.dot(p);
    if determinant == 0.0 {
        return None;
    }
    let s = (ray.origin - a) / determinant;
    let v = s.dot(p);
    let q = s.cross(ab);
    let w = ray.direction.dot(q);
    let inside = v >= 0.0 && w >= 0.0 && v + w <= 1.0;
    inside.then(|| (ac.dot(q), [1.0 - v - w, v, w]))
}

/// Where a ray comes nearest to a segment: along the ray, along the segment (0 to 1), and how near.
fn ray_segment(ray: &Ray, a: DVec3, b: DVec3) -> (f64, f64, f64) {
    let (d, ab, to_a) = (ray.direction, b - a, a - ray.origin);
    let across = d.dot(ab);
    let span = ab.length_squared() - across * across;
    let s = if span > 0.0 { (across * to_a.dot(d) - ab.dot(to_a)) / span } else { 0.0 };
    let s = s.clamp(0.0, 1.0);
    let point = a + s * ab;
    let t = (point - ray.origin).dot(d);
    (t, s, point.distance(ray.origin + t * d))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RAY: Ray = Ray { origin: DVec3::new(0.2, 0.1, 3.0), direction: DVec3::NEG_Z };

    #[test]
    fn a_ray_meets_a_triangle_from_both_sides() {
        let corners = [DVec3::ZERO, DVec3::X, DVec3::Y];
        let (t, weights) = ray_triangle(&RAY, corners).unwrap();
        assert!((t - 3.0).abs() < 1e-12);
        assert!((weights[1] - 0.2).abs() < 1e-12 && (weights[2] - 0.1).abs() < 1e-12);
        let [a, b, c] = corners;
        assert!(ray_triangle(&RAY, [a, c, b]).is_some());
        assert!(ray_triangle(&RAY, corners.map(|x| x + DVec3::X)).is_none());
    }

    #[test]
    fn a_ray_passes_a_segment_at_their_common_perpendicular() {
        let (t, s, away) = ray_segment(&RAY, DVec3::new(-1.0, 0.4, 0.0), DVec3::new(1.0, 0.4, 0.0));
        assert!((t - 3.0).abs() < 1e-12 && (s - 0.6).abs() < 1e-12 && (away - 0.3).abs() < 1e-12);
    }
}
