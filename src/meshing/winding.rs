//! The generalised winding number: how much of the surface is seen from a point, as a share of the whole sky.
//!
//!   w(x) = Σ Ω(triangle, x) / 4π
//!
//! It is 1 inside a closed surface and 0 outside, and in between near a hole, where ½ closes it smoothly (Jacobson,
//! Kavan, Sorkine-Hornung 2013). Far triangles are taken together: a branch of the tree of triangles looks from afar like a
//! dipole, its area vector at its centre (Barill, Dickson, Schmidt, Levin, Jacobson 2018).

use std::f64::consts::PI;

use glam::DVec3;

use crate::meshing::triangle_tree::TriangleTree;

/// Distance over radius from which a branch counts as a dipole; 2 is what the paper recommends.
const FAR: f64 = 2.0;

/// Answers for one surface.
pub struct Winding<'a> {
    tree: &'a TriangleTree,
    /// One for each node of the tree.
    dipoles: Vec<Dipole>,
}

#[derive(Clone, Copy)]
struct Dipole {
    /// Where the area is, on average [m].
    centre: DVec3,
    /// Sum of area times normal [m²].
    area: DVec3,
    /// The farthest corner of the node's box from `centre` [m].
    radius: f64,
}

impl<'a> Winding<'a> {
    pub fn new(tree: &'a TriangleTree) -> Self {
        let dipoles = tree
            .each_node()
            .map(|(low, high, triangles)| {
                let (mut area, mut centre, mut weight) = (DVec3::ZERO, DVec3::ZERO, 0.0);
                for &[a, b, c] in triangles {
                    let normal = 0.5 * (b - a).cross(c - a);
                    area += normal;
                    weight += normal.length();
                    centre += (a + b + c) * (normal.length() / 3.0);
                }
                let centre = if weight > 0.0 { centre / weight } else { 0.5 * (low + high) };
                let radius = (centre - low).max(high - centre).length();
                Dipole { centre, area, radius }
            })
            .collect();
        Self { tree, dipoles }
    }

    /// The winding number of a point.
    pub fn at(&self, x: DVec3) -> f64 {
        let mut sum = 0.0;
        self.tree.walk(|node, triangles| {
            let dipole = &self.dipoles[node];
            let d = dipole.centre - x;
            let squared = d.length_squared();
            if squared > (FAR * dipole.radius) * (FAR * dipole.radius) {
                sum += d.dot(dipole.area) / (squared * squared.sqrt());
                return false;
            }
            sum += triangles.iter().map(|t| solid_angle(x, t)).sum::<f64>();
            true
        });
        sum / (4.0 * PI)
    }
}

/// The solid angle of a triangle, positive where it is seen from behind (van Oosterom, Strackee 1983).
fn solid_angle(x: DVec3, &[a, b, c]: &[DVec3; 3]) -> f64 {
    let [a, b, c] = [a - x, b - x, c - x];
    let (la, lb, lc) = (a.length(), b.length(), c.length());
    let above = a.dot(b.cross(c));
    let below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    2.0 * above.atan2(below)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meshing::generate::{icosphere, torus};
    use crate::meshing::triangle_mesh::TriangleMesh;

    fn tree(mesh: &TriangleMesh) -> TriangleTree {
        TriangleTree::new((0..mesh.triangles.len()).map(|t| mesh.corners(t)).collect())
    }

    /// What taking branches for dipoles may cost at twice their radius; far from the ½ that decides.
    const DIPOLE_ERROR: f64 = 0.05;

    #[test]
    fn a_point_is_inside_a_closed_surface_or_not() {
        let tree = tree(&torus(0.5, 0.2, [48, 24]));
        let winding = Winding::new(&tree);
        for (x, expected) in [
            ([0.5, 0.0, 0.0], 1.0),
            ([0.0, 0.0, 0.0], 0.0),
            ([0.0, 0.1, -0.45], 1.0),
            ([0.9, 0.4, 0.0], 0.0),
            ([30.0, 0.0, 0.0], 0.0),
        ] {
            let found = winding.at(DVec3::from_array(x));
            assert!((found - expected).abs() < DIPOLE_ERROR, "{x:?}: {found}");
        }
    }

    #[test]
    fn dipoles_differ_little_from_the_sum_of_all_triangles() {
        let mesh = icosphere(1.0, 3);
        let tree = tree(&mesh);
        let winding = Winding::new(&tree);
        for k in 0..200 {
            let k = f64::from(k);
            let x = DVec3::new((0.7 * k).sin(), (1.3 * k).cos(), (2.1 * k).sin()) * (0.01 * k);
            let all: f64 =
                (0..mesh.triangles.len()).map(|t| solid_angle(x, &mesh.corners(t))).sum::<f64>() / (4.0 * PI);
            assert!((winding.at(x) - all).abs() < DIPOLE_ERROR, "{x}: {} or {all}", winding.at(x));
        }
    }

    /// Half a sphere fills half the sky of its middle.
    #[test]
    fn half_a_ball_counts_half() {
        let mut mesh = icosphere(1.0, 4);
        let lower = |t: &[u32; 3]| t.iter().all(|&v| mesh.positions[v as usize].y <= 1e-9);
        mesh.triangles = mesh.triangles.iter().copied().filter(lower).collect();
        let tree = tree(&mesh);
        assert!((Winding::new(&tree).at(DVec3::ZERO) - 0.5).abs() < DIPOLE_ERROR);
    }
}
