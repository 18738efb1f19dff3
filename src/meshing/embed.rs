//! A detailed surface inside a coarse mesh: each of its vertices in a tetrahedron, by barycentric coordinates.
//!
//!   x = Σ bₐ xₐ        Σ bₐ = 1
//!
//! A vertex outside every tetrahedron goes with the near one in which its most negative coordinate is largest: it is
//! extrapolated from there, which is harmless while it is near.

use glam::{DMat3, DVec3, IVec3};
use rayon::prelude::*;

use crate::meshing::tet_mesh::TetMesh;

/// Coordinates below which a vertex is so far out that it will move wildly.
const FAR_OUT: f64 = -1.0;
/// Coordinates from which a vertex counts as inside, whatever rounding says.
const INSIDE: f64 = -1e-9;
/// Bins along the longest side of the mesh.
const MOST_BINS: f64 = 128.0;

/// Where the vertices of a surface are in a mesh.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Embedding {
    /// For each vertex of the surface the corners of its tetrahedron.
    pub corners: Vec<[u32; 4]>,
    /// Barycentric coordinates, in the order of the corners.
    pub weights: Vec<[f64; 4]>,
    /// How many vertices are in no tetrahedron.
    pub outside: usize,
    /// How many have a coordinate below −1.
    pub far_outside: usize,
}

impl Embedding {
    /// Finds the tetrahedra of points in the mesh's own frame. The mesh has passed its check and has tetrahedra.
    pub fn new(mesh: &TetMesh, points: &[DVec3]) -> Self {
        let bins = Bins::new(mesh);
        let found: Vec<(u32, [f64; 4])> = points.par_iter().map(|&x| bins.find(mesh, x)).collect();
        let least = |weights: &[f64; 4]| weights.iter().copied().fold(f64::INFINITY, f64::min);
        Self {
            corners: found.iter().map(|(tet, _)| mesh.tets[*tet as usize]).collect(),
            outside: found.iter().filter(|(_, w)| least(w) < INSIDE).count(),
            far_outside: found.iter().filter(|(_, w)| least(w) < FAR_OUT).count(),
            weights: found.into_iter().map(|(_, weights)| weights).collect(),
        }
    }

    /// The surface's vertices for positions of the mesh's vertices: the twin of the kernel `skin`, in f64.
    pub fn apply(&self, positions: &[DVec3]) -> Vec<DVec3> {
        let place = |(corners, weights): (&[u32; 4], &[f64; 4])| {
            corners.iter().zip(weights).map(|(&v, &w)| positions[v as usize] * w).sum()
        };
        self.corners.iter().zip(&self.weights).map(place).collect()
    }
}

/// The barycentric coordinates of a point.
pub fn barycentric([a, b, c, d]: [DVec3; 4], x: DVec3) -> [f64; 4] {
    let inner = DMat3::from_cols(b - a, c - a, d - a).inverse() * (x - a);
    [1.0 - inner.element_sum(), inner.x, inner.y, inner.z]
}

/// Tetrahedra by the cubes of space that their boxes touch.
struct Bins {
    low: DVec3,
    width: f64,
    size: IVec3,
    starts: Vec<u32>,
    tets: Vec<u32>,
}

impl Bins {
    fn new(mesh: &TetMesh) -> Self {
        let (low, high) = mesh.bounds();
        let extent = high - low;
        // About one tetrahedron of average size per bin.
        let average = (mesh.volume().abs() / mesh.tets.len() as f64).cbrt();
        let width = (2.0 * average).max(extent.max_element() / MOST_BINS);
        let size = (extent / width).floor().as_ivec3() + 1;
        let mut bins = Self { low, width, size, starts: Vec::new(), tets: Vec::new() };
        let mut starts = vec![0u32; size.element_product() as usize + 1];
        for tet in 0..mesh.tets.len() {
            bins.each_of(mesh, tet, |bin| starts[bin + 1] += 1);
        }
        (1..starts.len()).for_each(|i| starts[i] += starts[i - 1]);
        let mut next = starts.clone();
        let mut tets = vec![0; *starts.last().unwrap_or(&0) as usize];
        for tet in 0..mesh.tets.len() {
            bins.each_of(mesh, tet, |bin| {
                tets[next[bin] as usize] = tet as u32;
                next[bin] += 1;
            });
        }
        (bins.starts, bins.tets) = (starts, tets);
        bins
    }

    fn place(&self, x: DVec3) -> IVec3 {
        // `as` saturates, so that far points find the rim.
        ((x - self.low) / self.width).floor().as_ivec3().clamp(IVec3::ZERO, self.size - 1)
    }

    fn number(&self, bin: IVec3) -> usize {
        ((bin.z * self.size.y + bin.y) * self.size.x + bin.x) as usize
    }

    fn each_of(&self, mesh: &TetMesh, tet: usize, mut visit: impl FnMut(usize)) {
        let corners = mesh.corners(tet);
        let first = self.place(corners.iter().copied().fold(DVec3::INFINITY, DVec3::min));
        let last = self.place(corners.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max));
        for z in first.z..=last.z {
            for y in first.y..=last.y {
                (first.x..=last.x).for_each(|x| visit(self.number(IVec3::new(x, y, z))));
            }
        }
    }

    /// The tetrahedron of a point and its coordinates there; of equals the first.
    fn find(&self, mesh: &TetMesh, x: DVec3) -> (u32, [f64; 4]) {
        let middle = self.place(x);
        let mut best = (0, [f64::NEG_INFINITY; 4], f64::NEG_INFINITY);
        let mut found_at = None;
        for ring in 0..=self.size.max_element() {
            // One ring beyond the first with tetrahedra: the nearest may be there.
            if found_at.is_some_and(|at| ring > at + 1) {
                break;
            }
            self.each_in_ring(middle, ring, |bin| {
                for &tet in &self.tets[self.starts[bin] as usize..self.starts[bin + 1] as usize] {
                    let weights = barycentric(mesh.corners(tet as usize), x);
                    let least = weights.into_iter().fold(f64::INFINITY, f64::min);
                    if least > best.2 {
                        best = (tet, weights, least);
                    }
                    found_at.get_or_insert(ring);
                }
            });
            if best.2 >= INSIDE {
                break;
            }
        }
        (best.0, best.1)
    }

    /// The bins at a distance of exactly `ring` from the middle, along the axes.
    fn each_in_ring(&self, middle: IVec3, ring: i32, mut visit: impl FnMut(usize)) {
        let first = (middle - ring).max(IVec3::ZERO);
        let last = (middle + ring).min(self.size - 1);
        for z in first.z..=last.z {
            for y in first.y..=last.y {
                let rim = (z - middle.z).abs() == ring || (y - middle.y).abs() == ring;
                let mut at = |x: i32| visit(self.number(IVec3::new(x, y, z)));
                if rim {
                    (first.x..=last.x).for_each(at);
                } else {
                    let ends = [middle.x - ring, middle.x + ring];
                    ends.into_iter().filter(|x| (0..self.size.x).contains(x)).for_each(&mut at);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meshing::generate::icosphere;

    #[test]
    fn points_inside_are_found_and_come_back() {
        let mesh = TetMesh::cuboid(DVec3::new(1.0, 0.5, 0.7), [9, 4, 6]);
        let points: Vec<DVec3> =
            icosphere(0.24, 3).positions.into_iter().chain([DVec3::ZERO, DVec3::splat(0.2)]).collect();
        let embedding = Embedding::new(&mesh, &points);
        assert_eq!((embedding.outside, embedding.far_outside), (0, 0));
        for (x, y) in points.iter().zip(embedding.apply(&mesh.vertices)) {
            assert!(x.distance(y) < 1e-14);
        }
        assert!(embedding.weights.iter().flatten().all(|&w| w >= INSIDE));
    }

    /// Whatever the mesh does that is affine, the surface does too, also outside.
    #[test]
    fn the_surface_follows_every_affine_motion() {
        let mesh = TetMesh::cuboid(DVec3::ONE, [3; 3]);
        let points: Vec<DVec3> = icosphere(0.6, 2).positions;
        let embedding = Embedding::new(&mesh, &points);
        assert!(embedding.outside > 0 && embedding.far_outside == 0);
        let turn = DMat3::from_cols_array(&[1.0, 0.3, 0.0, -0.2, 1.5, 0.1, 0.4, 0.0, 0.8]);
        let moved: Vec<DVec3> = mesh.vertices.iter().map(|&x| turn * x + DVec3::ONE).collect();
        for (x, y) in points.iter().zip(embedding.apply(&moved)) {
            assert!((turn * *x + DVec3::ONE).distance(y) < 1e-13);
        }
    }

    #[test]
    fn a_point_far_away_is_counted() {
        let mesh = TetMesh::cuboid(DVec3::ONE, [3; 3]);
        let embedding = Embedding::new(&mesh, &[DVec3::splat(50.0)]);
        assert_eq!((embedding.outside, embedding.far_outside), (1, 1));
        assert!(embedding.weights[0].iter().all(|w| w.is_finite()));
    }
}
