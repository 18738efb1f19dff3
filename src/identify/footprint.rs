//! How a tip's push is spread over a surface.
//!
//!   p_i ∝ ∫ N_i exp(−|X − c|²/a²) dA        Σ p_i = 1
//!
//! over the triangles that face the tip, a its radius and c where it touches the body at rest. The integral is taken over small parts of
//! each triangle, so that meshes of any fineness get the same push.

use super::IdentifyError;
use super::body::Body;
use crate::meshing::triangle_tree::TriangleTree;
use glam::DVec3;

/// Where a tip pushes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Footprint {
    /// A place on the surface at rest [m].
    pub centre: DVec3,
    /// Unit vector of the force.
    pub direction: DVec3,
    /// a [m].
    pub radius: f64,
}

/// Parts of a side into which triangles are cut.
const PARTS: u32 = 6;
/// a² above the nearest part beyond which the tip does not push.
const FAR: f64 = 12.0;

impl Footprint {
    /// The tip's place brought to the surface, which must be near.
    pub fn new(body: &Body, touch: DVec3, force: DVec3, radius: f64) -> Result<Self, IdentifyError> {
        let corners = body.surface.iter().map(|t| t.map(|v| body.rest[v as usize]));
        let tree = TriangleTree::new(corners.collect());
        let (centre, _) = tree.nearest_point(touch, 0);
        let (distance, reach) = (centre.distance(touch), (2.0 * radius).max(0.02 * body.diagonal()));
        if distance > reach {
            return Err(IdentifyError::NoTouch { distance, reach });
        }
        Ok(Self { centre, direction: force.normalize_or_zero(), radius })
    }

    /// A force of 1 N on the vertices of a body.
    pub fn push(&self, body: &Body) -> Result<Vec<DVec3>, IdentifyError> {
        let corners = |t: &[u32; 3]| t.map(|v| body.rest[v as usize]);
        let faces = |t: &&[u32; 3]| {
            let [a, b, c] = corners(t);
            (b - a).cross(c - a).dot(self.direction) < 0.0
        };
        let mut nearest = f64::INFINITY;
        for triangle in body.surface.iter().filter(faces) {
            each_part(corners(triangle), |x, _| nearest = nearest.min(x.distance_squared(self.centre)));
        }
        let square = self.radius * self.radius;
        let mut shares = vec![0.0; body.rest.len()];
        for triangle in body.surface.iter().filter(faces) {
            let [a, b, c] = corners(triangle);
            let area = (b - a).cross(c - a).length();
            each_part([a, b, c], |x, weights| {
                let away = (x.distance_squared(self.centre) - nearest) / square;
                if away < FAR {
                    let share = area * (-away).exp();
                    triangle.iter().zip(weights).for_each(|(&v, w)| shares[v as usize] += share * w);
                }
            });
        }
        let sum: f64 = shares.iter().zip(&body.is_held).filter(|(_, held)| !**held).map(|(s, _)| s).sum();
        if sum.is_nan() || sum <= 0.0 {
            return Err(IdentifyError::NoFace);
        }
        let all: f64 = shares.iter().sum();
        Ok(shares.into_iter().map(|share| self.direction * (share / all)).collect())
    }

    /// How far a place is from the line along which the tip pushes [m].
    pub fn off_axis(&self, x: DVec3) -> f64 {
        (x - self.centre).cross(self.direction).length()
    }
}

/// The middles of equal parts of a triangle, with their barycentric coordinates.
fn each_part([a, b, c]: [DVec3; 3], mut visit: impl FnMut(DVec3, [f64; 3])) {
    let n = f64::from(PARTS);
    for i in 0..PARTS {
        for j in 0..PARTS - i {
            let mut part = |up: f64| {
                let (v, w) = ((f64::from(i) + up) / n, (f64::from(j) + up) / n);
                let weights = [1.0 - v - w, v, w];
                visit(a * weights[0] + b * v + c * w, weights);
            };
            part(1.0 / 3.0);
            if i + j + 2 <= PARTS {
                part(2.0 / 3.0);
            }
        }
    }
}
