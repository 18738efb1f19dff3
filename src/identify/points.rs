//! Scanned points against a simulated skin.
//!
//!   d = n · (T x − y)        ∂d/∂θ = −n · ∂y/∂θ        ∂d/∂T by the small motion of T
//!
//! y is the nearest point of the skin and n its normal there: to first order a point does not notice that y slides along the skin.

use super::body::Body;
use crate::meshing::triangle_tree::TriangleTree;
use glam::DVec3;
use rayon::prelude::*;
use std::collections::HashMap;

/// A point and where it is measured from.
#[derive(Debug, Clone, Copy)]
pub struct Contact {
    /// The scanned point where the pose puts it [m].
    pub point: DVec3,
    /// Of the skin, and the weights of its corners.
    pub triangle: u32,
    pub weights: [f64; 3],
    /// Unit vector from the skin.
    pub normal: DVec3,
    /// Signed distance along it [m].
    pub distance: f64,
}

/// Distances relative to the body's size below which a point is on the skin and its normal is the triangle's.
const ON: f64 = 1e-9;

/// The nearest skin of each point.
pub fn contacts(body: &Body, positions: &[DVec3], points: &[DVec3]) -> Vec<Contact> {
    let tree = TriangleTree::new(body.skin.corners(positions));
    let on = ON * body.diagonal();
    let contact = |&point: &DVec3| {
        let (nearest, triangle) = tree.nearest_point(point, 0);
        let (corners, face) = (tree.corners(triangle), tree.normal(triangle));
        let away = point - nearest;
        let outside = if away.dot(face) < 0.0 { -1.0 } else { 1.0 };
        let length = away.length();
        let normal = if length > on { away * (outside / length) } else { face };
        Contact {
            point,
            triangle: tree.origin(triangle),
            weights: weights(corners, nearest),
            normal,
            distance: normal.dot(away),
        }
    };
    points.par_iter().map(contact).collect()
}

/// The sharp edges of a body's skin at rest. A noisy point beside one may be nearer to the wrong side, by which distances there are too small.
pub struct Rims {
    corners: Vec<[DVec3; 3]>,
    /// Edges as triangles without area; nothing if none is sharp.
    edges: Option<TriangleTree>,
}

/// Cosine of the turn of the normal from which on an edge is sharp: 45°.
const SHARP: f64 = 0.707;

impl Rims {
    pub fn new(body: &Body) -> Self {
        let corners = body.skin.corners(&body.rest);
        let normal = |t: usize| {
            let [a, b, c] = corners[t];
            (b - a).cross(c - a).normalize_or_zero()
        };
        let mut first: HashMap<[u32; 2], usize> = HashMap::new();
        let mut sharp = Vec::new();
        for (t, triangle) in body.skin.triangles.iter().enumerate() {
            for k in 0..3 {
                let other = first.entry(edge(triangle, k)).or_insert(t);
                if normal(*other).dot(normal(t)) < SHARP {
                    let [a, b] = [corners[t][(k + 1) % 3], corners[t][(k + 2) % 3]];
                    sharp.push([a, b, b]);
                }
            }
        }
        let edges = (!sharp.is_empty()).then(|| TriangleTree::new(sharp));
        Self { corners, edges }
    }

    /// Whether the place of a contact on the skin at rest is so near to a sharp edge.
    pub fn is_near(&self, contact: &Contact, margin: f64) -> bool {
        let [a, b, c] = self.corners[contact.triangle as usize];
        let x = a * contact.weights[0] + b * contact.weights[1] + c * contact.weights[2];
        self.edges.as_ref().is_some_and(|edges| edges.nearest(x, 0).distance_squared < margin * margin)
    }
}

/// The edge of a triangle opposite to a corner.
fn edge(triangle: &[u32; 3], k: usize) -> [u32; 2] {
    let [a, b] = [triangle[(k + 1) % 3], triangle[(k + 2) % 3]];
    [a.min(b), a.max(b)]
}

/// Barycentric coordinates of a point of a triangle.
fn weights([a, b, c]: [DVec3; 3], x: DVec3) -> [f64; 3] {
    let (ab, ac, ax) = (b - a, c - a, x - a);
    let (bb, bc, cc) = (ab.dot(ab), ab.dot(ac), ac.dot(ac));
    let determinant = bb * cc - bc * bc;
    if determinant <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let (xb, xc) = (ax.dot(ab), ax.dot(ac));
    let (v, w) = ((cc * xb - bc * xc) / determinant, (bb * xc - bc * xb) / determinant);
    [1.0 - v - w, v, w]
}
