//! Edges and hinges of a triangle mesh: what a sheet bends about.
//!
//! A hinge is an edge with a triangle on either side, written `[x1, x2, x3, x4]`: x1 and x2 are the opposite vertices,
//! x3–x4 is the shared edge, and the triangles are (x1, x3, x4) and (x2, x4, x3) in their winding order.
//!
//! ```text
//!          x4
//!        / ↑ \
//!      x1  e  x2       N1 = (x1 − x3) × (x1 − x4)      N2 = (x2 − x4) × (x2 − x3)      e = x4 − x3
//!        \ │ /         θ = atan2((n1 × n2)·e/|e|, n1·n2), 0 when flat
//!          x3
//! ```

use glam::DVec3;

use super::grid_bending::GridBending;
use crate::model::incidence::{ElementError, check_elements};
use crate::scene::ClothGeometry;

/// The edges of a triangle mesh, each list in ascending order of the edge's (smaller, larger) vertex.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MeshEdges {
    /// Every edge once, smaller index first.
    pub edges: Vec<[u32; 2]>,
    /// Interior edges with their opposite vertices: `[x1, x2, x3, x4]`, see the module.
    pub hinges: Vec<[u32; 4]>,
    /// Edges of one triangle only, directed as in that triangle.
    pub boundary: Vec<[u32; 2]>,
    /// Edges of three or more triangles, smaller index first. Each carries a hinge between its first triangle and
    /// each of the others, so a seam sewn onto a sheet bends as well.
    pub nonmanifold: Vec<[u32; 2]>,
}

impl MeshEdges {
    /// Finds the edges by sorting; the first triangle of a hinge is the one of lower index.
    ///
    /// A hinge is well defined even if its triangles are wound against each other; θ is then that of the second one
    /// turned over. Collapsed and duplicate triangles are errors, because their hinges have no angle.
    pub fn new(triangles: &[[u32; 3]], vertex_count: usize) -> Result<Self, ElementError> {
        check_elements(triangles, vertex_count)?;
        if let Some(element) = triangles.iter().position(|&[a, b, c]| a == b || a == c || b == c) {
            let [a, b, c] = triangles[element];
            let particle = if b == c { b } else { a };
            return Err(ElementError::Repeated { element, particle });
        }
        // Key and half-edge 3t + k, from vertex k to vertex k + 1 of triangle t.
        let mut half_edges: Vec<(u64, u32)> = triangles
            .iter()
            .enumerate()
            .flat_map(|(t, tri)| {
                (0..3).map(move |k| (edge_key(tri[k], tri[(k + 1) % 3]), (3 * t + k) as u32))
            })
            .collect();
        half_edges.sort_unstable();

        let mut mesh = Self::default();
        for group in half_edges.chunk_by(|a, b| a.0 == b.0) {
            let edge = [(group[0].0 >> 32) as u32, group[0].0 as u32];
            let [x3, x4, x1] = from_half_edge(triangles, group[0].1);
            mesh.edges.push(edge);
            refuse_same_triangle(triangles, group)?;
            match group.len() {
                1 => mesh.boundary.push([x3, x4]),
                2 => {}
                _ => mesh.nonmanifold.push(edge),
            }
            for &(_, half_edge) in &group[1..] {
                let [_, _, x2] = from_half_edge(triangles, half_edge);
                mesh.hinges.push([x1, x2, x3, x4]);
            }
        }
        Ok(mesh)
    }
}

fn edge_key(a: u32, b: u32) -> u64 {
    u64::from(a.min(b)) << 32 | u64::from(a.max(b))
}

/// Start, end and opposite vertex.
fn from_half_edge(triangles: &[[u32; 3]], half_edge: u32) -> [u32; 3] {
    let (t, k) = (half_edge as usize / 3, half_edge as usize % 3);
    [0, 1, 2].map(|i| triangles[t][(k + i) % 3])
}

/// Two triangles on one edge with one opposite vertex are the same triangle.
fn refuse_same_triangle(triangles: &[[u32; 3]], group: &[(u64, u32)]) -> Result<(), ElementError> {
    let mut opposites: Vec<(u32, usize)> =
        group.iter().map(|&(_, h)| (from_half_edge(triangles, h)[2], h as usize / 3)).collect();
    opposites.sort_unstable();
    match opposites.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        Some(pair) => Err(ElementError::SameTriangle { first: pair[0].1, second: pair[1].1 }),
        None => Ok(()),
    }
}

/// What the stiffness of the hinge on an edge is multiplied by; 1 on meshes that are no grid.
pub(super) fn hinge_factors(geometry: &ClothGeometry) -> impl Fn([u32; 2]) -> f64 + '_ {
    let x = &geometry.mesh.positions;
    let grid = geometry.cells.map(|[columns, _]| {
        let [along, up] = [1, columns as usize + 1].map(|p| x[p].distance(x[0]));
        GridBending::new(columns + 1, [along, up])
    });
    // Cutting has copied some particles; edges are those of the whole grid.
    let origin = |p: u32| geometry.origins.get(p as usize).copied().unwrap_or(p);
    move |edge| grid.map_or(1.0, |grid| grid.factor(edge.map(origin)))
}

/// The signed angle θ between the two triangles of a hinge [rad], in (−π, π]; 0 when flat.
///
/// Positive for a ridge seen from the side the normals point to: on a convex body wound outwards every θ is positive.
/// A hinge with a collapsed triangle or edge counts as flat.
pub fn dihedral_angle([x1, x2, x3, x4]: [DVec3; 4]) -> f64 {
    let n1 = (x1 - x3).cross(x1 - x4);
    let n2 = (x2 - x4).cross(x2 - x3);
    let e = x4 - x3;
    // Both arguments carry the factor |N1||N2|, which atan2 does not see: nothing needs normalising but e.
    n1.cross(n2).dot(e.normalize_or_zero()).atan2(n1.dot(n2))
}

/// The quadratic bending energy of a hinge at rest in the plane: E = ½ B Σᵢⱼ Qᵢⱼ xᵢ·xⱼ with bending stiffness B [N·m].
///
///   Q = 3/(A1 + A2) K Kᵀ        K·x = |e| (ν1 + ν2), the sum of the triangles' unit normals across the edge, in-plane
///
/// Bergou, Wardetzky, Harmon, Zorin, Grinspun 2006, with K in the order x1, x2, x3, x4 of this module. The energy is
/// exact in what it promises, a constant Hessian and zero for a flat sheet, as long as the triangles keep their
/// shape. |K·x| = 2 |e| sin(θ/2), so one Q serves every position of the hinge.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IsometricBending {
    /// K: cotangent weights of x1, x2, x3, x4, with sum 0. Pure numbers.
    pub weights: [f64; 4],
    /// A1 + A2: the area of both triangles at rest [m²].
    pub area: f64,
}

/// What Q must be multiplied by so that a *developable* sheet stores ½ B κ² per area.
///
/// A hinge model weighs the shape of curvature, not only its trace: on equilateral triangles Bergou's Q stores
/// ½ B ((κ1 + κ2)² + 2 (κ1 − κ2)²) per area, which is right for a sphere and three times too much for a cylinder. Cloth
/// hardly stretches, so it bends into developable shapes, and a third is the factor that gives it the stiffness
/// B = E h³ / (12 (1 − ν²)) of the cantilever test.
///
/// What remains is the mesh, if all its particles lie on the cylinder: with φ the angle between the direction of curvature and a side of the grid and
/// s = sin 2φ, equilateral triangles store exactly that in every direction, right triangles with alternating diagonals
/// 1 + s²/2 times that, and right triangles with parallel diagonals 1 + s + s² times that, which is three times as much when
/// the sheet curves along its diagonals. All agree along the sides of the grid. Particles of a loaded grid do not stay on the cylinder, see [`super::grid_bending`].
pub const DEVELOPABLE_CALIBRATION: f64 = 1.0 / 3.0;

impl IsometricBending {
    /// From the rest shape of a hinge, or nothing if one of its triangles has no area.
    pub fn new([x1, x2, x3, x4]: [DVec3; 4]) -> Option<Self> {
        let double_areas = [(x1 - x3).cross(x1 - x4), (x2 - x4).cross(x2 - x3)].map(DVec3::length);
        // Cotangents of the angles at x3 and x4, first and second triangle.
        let cot = |apex: DVec3, a: DVec3, b: DVec3, double_area: f64| (a - apex).dot(b - apex) / double_area;
        let [c13, c23] = [cot(x3, x1, x4, double_areas[0]), cot(x3, x2, x4, double_areas[1])];
        let [c14, c24] = [cot(x4, x1, x3, double_areas[0]), cot(x4, x2, x3, double_areas[1])];
        let weights = [-(c13 + c14), -(c23 + c24), c14 + c24, c13 + c23];
        let area = 0.5 * (double_areas[0] + double_areas[1]);
        (weights.iter().all(|w| w.is_finite()) && area > 0.0).then_some(Self { weights, area })
    }

    /// Q [1/m²], Bergou's matrix without [`DEVELOPABLE_CALIBRATION`].
    pub fn matrix(&self) -> [[f64; 4]; 4] {
        let k = self.weights;
        k.map(|ki| k.map(|kj| 3.0 / self.area * ki * kj))
    }

    /// ½ xᵀ Q x: the energy per bending stiffness, a pure number.
    pub fn energy(&self, x: [DVec3; 4]) -> f64 {
        let kx: DVec3 = self.weights.iter().zip(x).map(|(&k, x)| k * x).sum();
        1.5 / self.area * kx.length_squared()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;
    use std::collections::BTreeMap;
    use std::f64::consts::{FRAC_PI_2, PI};

    #[derive(Clone, Copy, PartialEq)]
    enum Triangles {
        Equilateral,
        AlternatingDiagonals,
        /// From (1, 0) to (0, 1) in every cell.
        ParallelDiagonals,
    }
    use Triangles::*;

    /// Vertices (i, j) of a sheet, row by row; equilateral triangles need every other row shifted by half a cell.
    fn sheet(nx: u32, ny: u32, spacing: f64, kind: Triangles) -> (Vec<DVec3>, Vec<[u32; 3]>) {
        let at = |i: u32, j: u32| {
            let (x, y) = (f64::from(i), f64::from(j));
            let place = if kind == Equilateral {
                DVec3::new(x + 0.5 * f64::from(j % 2), y * 0.75f64.sqrt(), 0.0)
            } else {
                DVec3::new(x, y, 0.0)
            };
            place * spacing
        };
        let positions = (0..ny).flat_map(|j| (0..nx).map(move |i| at(i, j)));
        let mut triangles = Vec::new();
        for (j, i) in (0..ny - 1).flat_map(|j| (0..nx - 1).map(move |i| (j, i))) {
            let [a, b, c, d] = [j * nx + i, j * nx + i + 1, (j + 1) * nx + i, (j + 1) * nx + i + 1];
            let rising = match kind {
                Equilateral => j % 2 == 1,
                AlternatingDiagonals => (i + j) % 2 == 1,
                ParallelDiagonals => false,
            };
            if rising {
                triangles.extend([[a, b, d], [a, d, c]]);
            } else {
                triangles.extend([[a, b, c], [b, d, c]]);
            }
        }
        (positions.collect(), triangles)
    }

    fn corners<const K: usize>(element: [u32; K], x: &[DVec3]) -> [DVec3; K] {
        element.map(|i| x[i as usize])
    }

    /// Rolls a flat sheet, without stretching it, onto a cylinder whose axis has the given direction in the plane.
    fn rolled(x: &[DVec3], radius: f64, axis_angle: f64) -> Vec<DVec3> {
        let axis = DVec3::new(axis_angle.cos(), axis_angle.sin(), 0.0);
        let across = DVec3::new(-axis_angle.sin(), axis_angle.cos(), 0.0);
        let roll = |x: &DVec3| {
            let u = x.dot(across) / radius;
            x.dot(axis) * axis + radius * (u.sin() * across + (1.0 - u.cos()) * DVec3::Z)
        };
        x.iter().map(roll).collect()
    }

    /// Energy over ½ κ² area of a sheet of side 1 rolled with radius 1; the area is that of the hinges, as the
    /// boundary has none and would hide the density behind a slow limit.
    fn cylinder_ratio(n: u32, kind: Triangles, axis_angle: f64) -> f64 {
        let (flat, triangles) = sheet(n + 1, n + 1, 1.0 / f64::from(n), kind);
        let bent = rolled(&flat, 1.0, axis_angle);
        let mesh = MeshEdges::new(&triangles, flat.len()).unwrap();
        let (mut energy, mut area) = (0.0, 0.0);
        for &hinge in &mesh.hinges {
            let bending = IsometricBending::new(corners(hinge, &flat)).unwrap();
            energy += bending.energy(corners(hinge, &bent));
            // Each triangle belongs to three edges.
            area += bending.area / 3.0;
        }
        DEVELOPABLE_CALIBRATION * energy / (0.5 * area)
    }

    #[test]
    fn two_triangles_share_one_hinge_in_the_documented_order() {
        let mesh = MeshEdges::new(&[[0, 1, 2], [2, 1, 3]], 4).unwrap();
        assert_eq!(mesh.edges, [[0, 1], [0, 2], [1, 2], [1, 3], [2, 3]]);
        assert_eq!(mesh.hinges, [[0, 3, 1, 2]]);
        assert_eq!(mesh.boundary, [[0, 1], [2, 0], [1, 3], [3, 2]]);
        assert!(mesh.nonmanifold.is_empty());
    }

    #[test]
    fn hinges_of_a_sheet_agree_with_a_search_over_all_pairs_of_triangles() {
        let (x, triangles) = sheet(7, 5, 1.0, Equilateral);
        let mesh = MeshEdges::new(&triangles, x.len()).unwrap();
        let mut expected = BTreeMap::new();
        for (s, a) in triangles.iter().enumerate() {
            for b in &triangles[s + 1..] {
                for k in 0..3 {
                    for l in 0..3 {
                        let (x3, x4) = (a[k], a[(k + 1) % 3]);
                        if (x4, x3) == (b[l], b[(l + 1) % 3]) {
                            let hinge = [a[(k + 2) % 3], b[(l + 2) % 3], x3, x4];
                            expected.insert([x3.min(x4), x3.max(x4)], hinge);
                        }
                    }
                }
            }
        }
        assert_eq!(mesh.hinges, expected.into_values().collect::<Vec<_>>());
        // Euler: V − E + F = 1 for a disc, and every edge is a hinge or on the boundary.
        assert_eq!(x.len() + triangles.len(), mesh.edges.len() + 1);
        assert_eq!(mesh.hinges.len() + mesh.boundary.len(), mesh.edges.len());
        assert_eq!(mesh.boundary.len(), 2 * (6 + 4));
    }

    #[test]
    fn three_triangles_on_one_edge_give_two_hinges_and_are_reported() {
        let mesh = MeshEdges::new(&[[2, 0, 1], [3, 1, 0], [4, 0, 1]], 5).unwrap();
        assert_eq!(mesh.hinges, [[2, 3, 0, 1], [2, 4, 0, 1]]);
        assert_eq!(mesh.nonmanifold, [[0, 1]]);
    }

    #[test]
    fn unusable_triangles_are_named() {
        let new = |triangles: &[[u32; 3]]| MeshEdges::new(triangles, 4).unwrap_err();
        let repeated = ElementError::Repeated { element: 1, particle: 3 };
        assert_eq!(new(&[[0, 1, 2], [1, 3, 3]]), repeated);
        let same = ElementError::SameTriangle { first: 0, second: 2 };
        assert_eq!(new(&[[0, 1, 2], [1, 2, 3], [2, 1, 0]]), same);
        assert!(matches!(new(&[[0, 1, 4]]), ElementError::OutOfRange { .. }));
        assert_eq!(MeshEdges::new(&[], 0).unwrap(), MeshEdges::default());
    }

    #[test]
    fn the_dihedral_angle_is_the_angle_folded_by() {
        for fold in [-3.0, -FRAC_PI_2, -0.1, 0.0, 1e-9, 0.7, 3.1, PI] {
            // Turning x2 about the edge, away from the normals, by `fold`.
            let x2 = DVec3::new(f64::cos(fold), 0.3, -f64::sin(fold));
            let hinge = [DVec3::new(-2.0, 0.4, 0.0), x2, DVec3::ZERO, DVec3::new(0.0, 1.5, 0.0)];
            assert!((dihedral_angle(hinge) - fold).abs() < 1e-14, "{fold}");
            let turn = DQuat::from_euler(glam::EulerRot::XYZ, 0.3, -1.2, 2.0);
            let moved = hinge.map(|x| turn * x + DVec3::new(1.0, -2.0, 3.0));
            let difference = (dihedral_angle(moved) - fold).rem_euclid(2.0 * PI);
            assert!(difference.min(2.0 * PI - difference) < 1e-14);
        }
        assert_eq!(dihedral_angle([DVec3::ONE; 4]), 0.0);
    }

    #[test]
    fn a_convex_body_has_only_positive_angles() {
        let x = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        let outward = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        let mesh = MeshEdges::new(&outward, 4).unwrap();
        assert_eq!(mesh.hinges.len(), 6);
        assert!(mesh.hinges.iter().all(|&h| dihedral_angle(corners(h, &x)) > 0.5));
    }

    #[test]
    fn a_flat_sheet_has_no_bending_energy_however_it_lies() {
        let (mut x, triangles) = sheet(6, 6, 0.01, ParallelDiagonals);
        for (i, x) in x.iter_mut().enumerate() {
            // Irregular triangles: linear precision may not depend on the grid.
            *x += 0.002 * DVec3::new((i as f64 * 1.7).sin(), (i as f64 * 2.9).cos(), 0.0);
        }
        let turn = DQuat::from_rotation_x(0.8) * DQuat::from_rotation_y(1.1);
        for hinge in MeshEdges::new(&triangles, x.len()).unwrap().hinges {
            let bending = IsometricBending::new(corners(hinge, &x)).unwrap();
            let moved = corners(hinge, &x).map(|x| turn * x + DVec3::new(0.1, 0.2, -0.3));
            assert!(bending.weights.iter().sum::<f64>().abs() < 1e-12);
            assert!(bending.energy(moved) < 1e-24);
        }
    }

    #[test]
    fn energy_matrix_and_angle_agree_and_do_not_depend_on_rotation() {
        let rest = [[-1.0, 0.3], [0.8, 0.9], [0.0, 0.0], [0.0, 1.2]].map(|[x, y]| DVec3::new(x, y, 0.0));
        let bending = IsometricBending::new(rest).unwrap();
        let fold = 0.9;
        let mut bent = rest;
        bent[1] = DQuat::from_rotation_y(fold) * rest[1];
        let energy = bending.energy(bent);
        let edge = 1.2;
        let from_angle = 1.5 / bending.area * (2.0 * edge * (0.5 * fold).sin()).powi(2);
        assert!((energy - from_angle).abs() < 1e-13);
        assert!((dihedral_angle(bent) - fold).abs() < 1e-13);
        let q = bending.matrix();
        let pairs = (0..4).flat_map(|i| (0..4).map(move |j| (i, j)));
        let from_matrix: f64 = pairs.map(|(i, j)| 0.5 * q[i][j] * bent[i].dot(bent[j])).sum();
        assert!((energy - from_matrix).abs() < 1e-13);
        let turn = DQuat::from_euler(glam::EulerRot::XYZ, 1.0, 2.0, 3.0);
        assert!((bending.energy(bent.map(|x| turn * x)) - energy).abs() < 1e-13);
    }

    #[test]
    fn a_collapsed_hinge_has_no_bending_matrix() {
        assert_eq!(IsometricBending::new([DVec3::ZERO, DVec3::X, DVec3::Y, 2.0 * DVec3::Y]), None);
    }

    #[test]
    fn a_rolled_sheet_approaches_half_b_kappa_squared_per_area() {
        for axis in [0.0, 0.4, FRAC_PI_2] {
            let errors = [16, 32, 64].map(|n| (cylinder_ratio(n, Equilateral, axis) - 1.0).abs());
            println!("axis {axis}: {errors:?}");
            assert!(errors[2] < 0.02 && errors[2] < 0.6 * errors[1] && errors[1] < 0.6 * errors[0]);
        }
    }

    /// The limits that DEVELOPABLE_CALIBRATION states.
    #[test]
    fn bending_of_right_triangles_depends_on_direction_as_documented() {
        let eighth = FRAC_PI_2 / 2.0;
        // The diagonals fall, so curving along them means s = −1 in the formula for rising ones: axis at +45°.
        for (axis, parallel, alternating) in
            [(0.0, 1.0, 1.0), (-eighth, 1.0, 1.5), (eighth, 3.0, 1.5), (-PI / 12.0, 0.75, 1.125)]
        {
            for (kind, expected) in [(ParallelDiagonals, parallel), (AlternatingDiagonals, alternating)] {
                let ratio = cylinder_ratio(64, kind, axis);
                assert!((ratio - expected).abs() < 0.02 * expected, "{axis}: {ratio}, not {expected}");
            }
        }
    }
}
