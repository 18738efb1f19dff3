//! The convex hull of points.
//!
//! Points are added one by one: faces that see the next one give way to a fan from it to their common border (Clarkson and Shor 1989, without their
//! lists: hulls of rigid bodies have few points).

use super::triangle_mesh::TriangleMesh;
use glam::DVec3;
use std::collections::HashSet;

/// Of the size: nearer to a face counts as on it, and what is no thicker has no inside.
const FLAT: f64 = 1e-9;

/// The hull facing outwards, with those of the points alone that are its corners; nothing if they lie in a plane.
pub fn hull(points: &[DVec3]) -> Option<TriangleMesh> {
    let (low, high) = points
        .iter()
        .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)));
    let thin = FLAT * (high - low).max_element();
    let farthest = |distance: &dyn Fn(DVec3) -> f64| {
        let all = points.iter().enumerate().map(|(i, x)| (i, distance(*x)));
        all.max_by(|a, b| a.1.total_cmp(&b.1))
    };
    let (first, _) = farthest(&|x| -x.x)?;
    let a = points[first];
    let (second, length) = farthest(&|x| x.distance(a))?;
    let along = (points[second] - a).normalize_or_zero();
    let (third, width) = farthest(&|x| (x - a).reject_from(along).length())?;
    let normal = along.cross(points[third] - a).normalize_or_zero();
    let (fourth, height) = farthest(&|x| (x - a).dot(normal).abs())?;
    if !height.is_finite() || length.min(width).min(height) <= thin {
        return None;
    }
    let mut corners = [first, second, third, fourth];
    if (points[fourth] - a).dot(normal) > 0.0 {
        corners.swap(1, 2);
    }
    let [a, b, c, d] = corners;
    let mut faces = vec![[a, b, c], [a, d, b], [b, d, c], [c, d, a]];
    for (i, &x) in points.iter().enumerate() {
        let sees = |face: &[usize; 3]| {
            let [p, q, r] = face.map(|k| points[k]);
            let normal = (q - p).cross(r - p);
            (x - p).dot(normal) > thin * normal.length()
        };
        let (seen, kept): (Vec<[usize; 3]>, Vec<[usize; 3]>) = faces.iter().partition(|face| sees(face));
        if seen.is_empty() {
            continue;
        }
        let sides: HashSet<[usize; 2]> =
            seen.iter().flat_map(|&[p, q, r]| [[p, q], [q, r], [r, p]]).collect();
        faces = kept;
        // In the order of the faces, so that results do not depend on how a set is kept.
        for side in seen.iter().flat_map(|&[p, q, r]| [[p, q], [q, r], [r, p]]) {
            if !sides.contains(&[side[1], side[0]]) {
                faces.push([side[0], side[1], i]);
            }
        }
    }
    let mut numbers = vec![None; points.len()];
    let mut mesh = TriangleMesh::default();
    for face in faces {
        let corners = face.map(|k| {
            *numbers[k].get_or_insert_with(|| {
                mesh.positions.push(points[k]);
                mesh.positions.len() as u32 - 1
            })
        });
        mesh.triangles.push(corners);
    }
    Some(mesh)
}
