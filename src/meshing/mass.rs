//! Mass, centre and inertia of solids of uniform density.
//!
//!   V = Σ det/6      c = Σ det/24 · (a + b + d) / V      ∫ x xᵀ = Σ det/120 · (s sᵀ + a aᵀ + b bᵀ + d dᵀ),  s = a + b + d
//!
//! summed over the tetrahedra that a closed surface's triangles (a, b, d) make with a point: the divergence theorem. The point is
//! the middle of the surface, so that a body far from its origin keeps its digits. J = tr(C) 1 − C with C = ∫ (x − c)(x − c)ᵀ.

use super::triangle_mesh::TriangleMesh;
use glam::{DMat3, DQuat, DVec3};
use std::f64::consts::PI;

/// What a solid amounts to when it moves without bending.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// [kg], or [m³] for a density of 1.
    pub mass: f64,
    /// The centre of mass [m].
    pub centre: DVec3,
    /// About the centre [kg m²].
    pub inertia: DMat3,
}

impl MassProperties {
    /// A ball around the origin, of density 1.
    pub fn ball(radius: f64) -> Self {
        let mass = 4.0 / 3.0 * PI * radius.powi(3);
        Self::about_origin(mass, DVec3::splat(0.4 * mass * radius * radius))
    }

    /// A cuboid around the origin, of density 1.
    pub fn cuboid(size: DVec3) -> Self {
        let (mass, square) = (size.element_product(), size * size);
        let sum = DVec3::splat(square.element_sum()) - square;
        Self::about_origin(mass, mass / 12.0 * sum)
    }

    /// A capsule around the origin along y, of density 1; `length` is between the centres of the caps.
    pub fn capsule(radius: f64, length: f64) -> Self {
        let square = radius * radius;
        let (shaft, caps) = (PI * square * length, 4.0 / 3.0 * PI * square * radius);
        // A half ball's own centre is 3/8 r from its flat side; its inertia across, about the middle of that side, is 2/5 m r².
        let across = shaft * (length * length / 12.0 + 0.25 * square)
            + caps * (0.4 * square + 0.375 * radius * length + 0.25 * length * length);
        let along = 0.5 * shaft * square + 0.4 * caps * square;
        Self::about_origin(shaft + caps, DVec3::new(across, along, across))
    }

    /// The inside of a closed surface that faces outwards, of density 1. The mass of one that faces inwards is negative.
    pub fn of_surface(mesh: &TriangleMesh) -> Self {
        let middle = mesh.positions.iter().sum::<DVec3>() / mesh.positions.len().max(1) as f64;
        let (mut mass, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
        for triangle in 0..mesh.triangles.len() {
            let corners = mesh.corners(triangle).map(|x| x - middle);
            let [a, b, d] = corners;
            let (det, s) = (a.dot(b.cross(d)), a + b + d);
            mass += det / 6.0;
            first += det / 24.0 * s;
            let squares = [s, a, b, d].map(|v| outer(v, v));
            second += (squares[0] + squares[1] + squares[2] + squares[3]) * (det / 120.0);
        }
        let centre = first / mass;
        let about = second - outer(centre, centre) * mass;
        let trace = about.x_axis.x + about.y_axis.y + about.z_axis.z;
        Self { mass, centre: middle + centre, inertia: DMat3::from_diagonal(DVec3::splat(trace)) - about }
    }

    fn about_origin(mass: f64, moments: DVec3) -> Self {
        Self { mass, centre: DVec3::ZERO, inertia: DMat3::from_diagonal(moments) }
    }

    /// The same of another density.
    #[must_use]
    pub fn times(self, density: f64) -> Self {
        Self { mass: density * self.mass, inertia: self.inertia * density, ..self }
    }

    /// The same turned, then moved.
    #[must_use]
    pub fn placed(self, turn: DQuat, way: DVec3) -> Self {
        let axes = DMat3::from_quat(turn);
        let inertia = axes * self.inertia * axes.transpose();
        Self { mass: self.mass, centre: turn * self.centre + way, inertia }
    }

    /// Several together, each with all of its mass where they overlap.
    pub fn of_parts(parts: &[Self]) -> Self {
        let mass: f64 = parts.iter().map(|part| part.mass).sum();
        let centre = parts.iter().map(|part| part.mass * part.centre).sum::<DVec3>() / mass;
        let inertia = parts.iter().fold(DMat3::ZERO, |sum, part| {
            let d = part.centre - centre;
            let steiner = DMat3::from_diagonal(DVec3::splat(d.length_squared())) - outer(d, d);
            sum + part.inertia + steiner * part.mass
        });
        Self { mass, centre, inertia }
    }

    /// The principal moments [kg m²], each about its axis: the columns of the rotation.
    pub fn principal(&self) -> (DVec3, DQuat) {
        principal(self.inertia)
    }
}

fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// Sweeps of Jacobi's method, which converges quadratically: six are enough for any matrix of three rows.
const SWEEPS: u32 = 12;

/// Eigenvalues of a symmetric matrix and the rotation that takes the axes to its eigenvectors, by Jacobi's method (1846). A matrix
/// that is diagonal keeps its axes and their order.
fn principal(mut m: DMat3) -> (DVec3, DQuat) {
    let mut axes = DMat3::IDENTITY;
    for _ in 0..SWEEPS {
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            let off = m.col(j)[i];
            if off == 0.0 {
                continue;
            }
            let ratio = (m.col(j)[j] - m.col(i)[i]) / (2.0 * off);
            let tangent = ratio.signum() / (ratio.abs() + ratio.hypot(1.0));
            let cosine = 1.0 / tangent.hypot(1.0);
            let mut turn = DMat3::IDENTITY;
            turn.col_mut(i)[i] = cosine;
            turn.col_mut(j)[j] = cosine;
            turn.col_mut(j)[i] = tangent * cosine;
            turn.col_mut(i)[j] = -tangent * cosine;
            m = turn.transpose() * m * turn;
            axes *= turn;
        }
    }
    (DVec3::new(m.x_axis.x, m.y_axis.y, m.z_axis.z), DQuat::from_mat3(&axes).normalize())
}

#[cfg(test)]
mod tests {
    use super::super::generate;
    use super::*;

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance * b.abs(), "{a} instead of {b}");
    }

    /// The corners of a cuboid as a closed surface.
    fn cuboid(size: DVec3) -> TriangleMesh {
        let corner = |i: usize| {
            0.5 * size * DVec3::from([0, 1, 2].map(|axis| if i >> axis & 1 == 1 { 1.0 } else { -1.0 }))
        };
        let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        TriangleMesh { positions: (0..8).map(corner).collect(), triangles, ..TriangleMesh::default() }
    }

    #[test]
    fn the_surface_of_a_turned_cuboid_far_away_has_its_closed_form() {
        let (size, turn, at) =
            (DVec3::new(0.2, 0.5, 0.9), DQuat::from_rotation_x(0.7) * DQuat::from_rotation_z(1.1), 40.0);
        let mut mesh = cuboid(size);
        mesh.positions.iter_mut().for_each(|x| *x = turn * *x + DVec3::splat(at));
        let (found, known) = (MassProperties::of_surface(&mesh), MassProperties::cuboid(size));
        close(found.mass, known.mass, 1e-10);
        assert!(found.centre.distance(DVec3::splat(at)) < 1e-10);
        let rotation = DMat3::from_quat(turn);
        let expected = rotation * known.inertia * rotation.transpose();
        let difference = found.inertia - expected;
        assert!(difference.to_cols_array().iter().all(|x| x.abs() < 1e-10 * known.mass), "{difference}");
        let (moments, axes) = found.principal();
        let again = DMat3::from_quat(axes);
        let difference = again * DMat3::from_diagonal(moments) * again.transpose() - found.inertia;
        assert!(difference.to_cols_array().iter().all(|x| x.abs() < 1e-13 * known.mass), "{difference}");
    }

    #[test]
    fn a_diagonal_inertia_keeps_its_axes_and_their_order() {
        let (moments, axes) = MassProperties::capsule(0.1, 0.5).principal();
        assert_eq!(axes, DQuat::IDENTITY);
        assert!(moments.y < moments.x && moments.x == moments.z);
    }

    /// Inscribed polyhedra fall short by the square of the edge.
    #[test]
    fn balls_and_capsules_are_the_limits_of_their_surfaces() {
        let found = MassProperties::of_surface(&generate::icosphere(0.3, 5));
        let known = MassProperties::ball(0.3);
        close(found.mass, known.mass, 2e-3);
        close(found.principal().0.y, known.inertia.y_axis.y, 3e-3);
        let found = MassProperties::of_surface(&generate::capsule(0.1, 0.4, 64));
        let known = MassProperties::capsule(0.1, 0.4);
        close(found.mass, known.mass, 4e-3);
        close(found.inertia.x_axis.x, known.inertia.x_axis.x, 5e-3);
        close(found.inertia.y_axis.y, known.inertia.y_axis.y, 7e-3);
    }
}
