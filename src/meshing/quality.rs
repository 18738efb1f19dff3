//! How well shaped the tetrahedra of a mesh are.
//!
//!   radius ratio 3 r / R        r, R: radii of the inscribed and the circumscribed sphere
//!
//! It is 1 for the regular tetrahedron and 0 for a flat one. The dihedral angles are those between the faces at an edge:
//! 70.53° in the regular tetrahedron, near 0° or 180° in slivers, which make stiffness matrices ill-conditioned (Shewchuk 2002).

use crate::export::si;
use std::fmt;

use glam::DVec3;
use rayon::prelude::*;
use serde::Serialize;

use super::tet_groups::boundary;
use crate::meshing::tet_mesh::{EDGES, TetMesh, volume};

/// Width of a bar of the histogram [degrees].
pub const BAR: usize = 10;
/// Bars of the histogram: 0° to 180°.
pub const BARS: usize = 180 / BAR;

/// What there is to say about the shape of a mesh.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Quality {
    pub vertices: usize,
    pub tets: usize,
    /// Faces on the outside.
    pub boundary_triangles: usize,
    /// [m³]
    pub volume: f64,
    /// 3 r / R: 1 for the regular tetrahedron.
    pub worst_radius_ratio: f64,
    pub mean_radius_ratio: f64,
    /// [degrees]
    pub smallest_dihedral: f64,
    /// [degrees]
    pub largest_dihedral: f64,
    /// The shortest and the longest edge [m].
    pub edges: [f64; 2],
    /// How many dihedral angles lie within each ten degrees from 0° to 180°; six per tetrahedron.
    pub dihedral_histogram: [u64; BARS],
}

/// Three times the inscribed over the circumscribed radius, negative if the tetrahedron is inverted.
pub fn radius_ratio(corners: [DVec3; 4]) -> f64 {
    let [a, b, c] = [1, 2, 3].map(|k| corners[k] - corners[0]);
    let (bc, ca, ab) = (b.cross(c), c.cross(a), a.cross(b));
    let volume = a.dot(bc);
    // r = 6V / Σ 2A and R = |a² b×c + b² c×a + c² a×b| / 12V.
    let areas = bc.length() + ca.length() + ab.length() + (b - a).cross(c - a).length();
    let round = (a.length_squared() * bc + b.length_squared() * ca + c.length_squared() * ab).length();
    let below = areas * round;
    if below > 0.0 { 6.0 * volume * volume.abs() / below } else { 0.0 }
}

/// The angles between the faces at each of [`EDGES`] [degrees].
pub fn dihedral_angles(corners: [DVec3; 4]) -> [f64; 6] {
    let mut angles = [0.0; 6];
    for (k, angle) in angles.iter_mut().enumerate() {
        let [a, b] = EDGES[k].map(|corner| corners[corner]);
        let [c, d] = EDGES[5 - k].map(|corner| corners[corner]);
        let along = b - a;
        let (left, right) = (along.cross(c - a), along.cross(d - a));
        *angle = left.cross(right).length().atan2(left.dot(right)).to_degrees();
    }
    angles
}

/// What the tetrahedra of one stretch of the list add to the report.
#[derive(Clone)]
struct Tally {
    worst: f64,
    sum: f64,
    smallest: f64,
    largest: f64,
    shortest: f64,
    longest: f64,
    histogram: [u64; BARS],
}

impl Tally {
    const NOTHING: Self = Self {
        worst: f64::INFINITY,
        sum: 0.0,
        smallest: f64::INFINITY,
        largest: 0.0,
        shortest: f64::INFINITY,
        longest: 0.0,
        histogram: [0; BARS],
    };

    fn add(mut self, corners: [DVec3; 4]) -> Self {
        let ratio = radius_ratio(corners);
        self.worst = self.worst.min(ratio);
        self.sum += ratio;
        for angle in dihedral_angles(corners) {
            self.smallest = self.smallest.min(angle);
            self.largest = self.largest.max(angle);
            // `as` is safe: angles are not negative, and NaN becomes 0.
            self.histogram[(angle as usize / BAR).min(BARS - 1)] += 1;
        }
        for [a, b] in EDGES {
            let length = corners[a].distance(corners[b]);
            self.shortest = self.shortest.min(length);
            self.longest = self.longest.max(length);
        }
        self
    }

    fn join(mut self, other: &Self) -> Self {
        self.worst = self.worst.min(other.worst);
        self.sum += other.sum;
        self.smallest = self.smallest.min(other.smallest);
        self.largest = self.largest.max(other.largest);
        self.shortest = self.shortest.min(other.shortest);
        self.longest = self.longest.max(other.longest);
        self.histogram.iter_mut().zip(other.histogram).for_each(|(a, b)| *a += b);
        self
    }
}

impl Quality {
    /// Looks at every tetrahedron. Indices must be in range ([`TetMesh::check`]).
    pub fn of(mesh: &TetMesh) -> Self {
        /// Tetrahedra summed by one thread; fixed, so that sums do not depend on the number of threads.
        const STRETCH: usize = 4096;
        let corners = |tet: &[u32; 4]| tet.map(|v| mesh.vertices[v as usize]);
        let tallies: Vec<(Tally, f64)> = mesh
            .tets
            .par_chunks(STRETCH)
            .map(|tets| {
                let tally = tets.iter().map(corners).fold(Tally::NOTHING, Tally::add);
                (tally, tets.iter().map(|t| volume(corners(t))).sum())
            })
            .collect();
        let tally = tallies.iter().fold(Tally::NOTHING, |all, (tally, _)| all.join(tally));
        Self {
            vertices: mesh.vertices.len(),
            tets: mesh.tets.len(),
            boundary_triangles: boundary(&mesh.tets).len(),
            volume: tallies.iter().map(|(_, volume)| volume).sum(),
            worst_radius_ratio: tally.worst,
            mean_radius_ratio: tally.sum / mesh.tets.len() as f64,
            smallest_dihedral: tally.smallest,
            largest_dihedral: tally.largest,
            edges: [tally.shortest, tally.longest],
            dihedral_histogram: tally.histogram,
        }
    }
}

impl fmt::Display for Quality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const WIDTH: u64 = 40;
        writeln!(
            f,
            "{} vertices, {} tetrahedra, {} triangles outside, {:.6e} m³",
            self.vertices, self.tets, self.boundary_triangles, self.volume
        )?;
        writeln!(
            f,
            "radius ratio 3r/R: worst {:.3}, mean {:.3}; edges {} to {}",
            self.worst_radius_ratio,
            self.mean_radius_ratio,
            si(self.edges[0], "m"),
            si(self.edges[1], "m")
        )?;
        writeln!(
            f,
            "dihedral angles: {:.1}° to {:.1}°, six per tetrahedron",
            self.smallest_dihedral, self.largest_dihedral
        )?;
        let most = self.dihedral_histogram.iter().copied().max().unwrap_or(0).max(1);
        for (k, &count) in self.dihedral_histogram.iter().enumerate() {
            // A bar that is not empty shows at least one mark.
            let bar = "#".repeat((count * WIDTH).div_ceil(most) as usize);
            let end = if k + 1 < BARS { "\n" } else { "" };
            write!(f, "{:4}° to {:3}° {count:9} {bar}{end}", k * BAR, (k + 1) * BAR)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_regular_tetrahedron_is_perfect_and_a_flat_one_worthless() {
        let regular = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]]
            .map(DVec3::from_array)
            .map(|x| 0.1 * x);
        assert!((radius_ratio(regular).abs() - 1.0).abs() < 1e-14);
        assert!(dihedral_angles(regular).iter().all(|a| (a - 70.528_779).abs() < 1e-5));
        let flat = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::X + DVec3::Y];
        assert_eq!(radius_ratio(flat), 0.0);
        assert_eq!(radius_ratio([DVec3::ZERO; 4]), 0.0);
    }

    /// Against the textbook: the corner of a cube has r = a / (3 + √3) and R = a √3/2.
    #[test]
    fn the_corner_of_a_cube_has_its_known_shape() {
        let corner = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        let expected = 3.0 / (3.0 + 3f64.sqrt()) / (0.5 * 3f64.sqrt());
        assert!((radius_ratio(corner) - expected).abs() < 1e-14);
        let mut angles = dihedral_angles(corner);
        angles.sort_by(f64::total_cmp);
        for (angle, expected) in angles.iter().zip([54.735_61, 54.735_61, 54.735_61, 90.0, 90.0, 90.0]) {
            assert!((angle - expected).abs() < 1e-5);
        }
    }
}
