//! A lattice of cubes, each split into five tetrahedra.
//!
//! The middle one is regular, with a third of the cube's volume; the four at the corners have a sixth each. The split
//! is mirrored where i + j + k is odd, so that the diagonals on shared faces match.

use glam::{DVec3, UVec3};

use super::tet_mesh::TetMesh;

/// The five tetrahedra of an even and of an odd cube. Corner b is at x = bit 0, y = bit 1, z = bit 2 of b.
pub const SPLIT: [[[u32; 4]; 5]; 2] = [
    [[0, 3, 6, 5], [1, 0, 5, 3], [2, 0, 3, 6], [4, 0, 6, 5], [7, 3, 5, 6]],
    [[1, 2, 4, 7], [0, 1, 2, 4], [3, 1, 7, 2], [5, 1, 4, 7], [6, 2, 7, 4]],
];

/// Where a lattice lies. Vertices are numbered x fastest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lattice {
    /// The lowest corner [m].
    pub origin: DVec3,
    /// Edges of a cell [m].
    pub cell: DVec3,
    /// Cells along each axis.
    pub cells: UVec3,
}

impl Lattice {
    /// How many vertices there are.
    pub fn vertex_count(&self) -> u64 {
        self.cells.to_array().iter().map(|&n| u64::from(n) + 1).product()
    }

    /// How many cells there are.
    pub fn cell_count(&self) -> u64 {
        self.cells.to_array().iter().map(|&n| u64::from(n)).product()
    }

    /// Where a vertex is [m].
    pub fn vertex(&self, index: UVec3) -> DVec3 {
        self.origin + self.cell * index.as_dvec3()
    }

    /// The number of a vertex.
    pub fn number(&self, index: UVec3) -> u64 {
        let [nx, ny] = [self.cells.x, self.cells.y].map(|n| u64::from(n) + 1);
        (u64::from(index.z) * ny + u64::from(index.y)) * nx + u64::from(index.x)
    }

    /// The inverse of [`Self::number`].
    pub fn index(&self, number: u64) -> UVec3 {
        let [nx, ny] = [self.cells.x, self.cells.y].map(|n| u64::from(n) + 1);
        UVec3::new((number % nx) as u32, (number / nx % ny) as u32, (number / nx / ny) as u32)
    }

    /// The tetrahedra of a cell, by the indices of their corners.
    pub fn tets_of(&self, cell: UVec3) -> [[UVec3; 4]; 5] {
        let odd = cell.element_sum() % 2;
        SPLIT[odd as usize].map(|tet| tet.map(|b| cell + UVec3::new(b & 1, b >> 1 & 1, b >> 2)))
    }

    /// All cells, x fastest.
    pub fn each_cell(&self) -> impl Iterator<Item = UVec3> + use<> {
        let [nx, ny, nz] = self.cells.to_array();
        (0..nz).flat_map(move |k| (0..ny).flat_map(move |j| (0..nx).map(move |i| UVec3::new(i, j, k))))
    }
}

/// A box around the origin: every cell is split into five. The caller checks the counts.
pub fn block(size: DVec3, cells: [u32; 3]) -> TetMesh {
    let cells = UVec3::from(cells);
    let lattice = Lattice { origin: -0.5 * size, cell: size / cells.as_dvec3(), cells };
    // Centred before scaling, so that the block is symmetric to the last bit.
    let centred = |n| {
        let twice = 2.0 * lattice.index(n).as_dvec3() - cells.as_dvec3();
        0.5 * size * twice / cells.as_dvec3()
    };
    let tets = |cell| lattice.tets_of(cell).map(|tet| tet.map(|v| lattice.number(v) as u32));
    TetMesh {
        vertices: (0..lattice.vertex_count()).map(centred).collect(),
        tets: lattice.each_cell().flat_map(tets).collect(),
        groups: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::quality::{dihedral_angles, radius_ratio};
    use super::*;

    /// Volumes a³/3 and a³/6, radius ratios 1 and √3 − 1, dihedral angles 70.53°, and 54.74° and 90°.
    #[test]
    fn the_five_tetrahedra_have_their_known_shapes() {
        const A: f64 = 0.2;
        let mesh = block(DVec3::splat(2.0 * A), [2, 2, 2]);
        mesh.check().unwrap();
        for tet in 0..mesh.tets.len() {
            let (share, ratio) = if tet % 5 == 0 { (1.0 / 3.0, 1.0) } else { (1.0 / 6.0, 3f64.sqrt() - 1.0) };
            assert!((mesh.tet_volume(tet) / A.powi(3) - share).abs() < 1e-13);
            assert!((radius_ratio(mesh.corners(tet)) - ratio).abs() < 1e-13);
            for angle in dihedral_angles(mesh.corners(tet)) {
                let known: &[f64] =
                    if tet % 5 == 0 { &[70.528_779_365_509_3] } else { &[54.735_610_317_245_3, 90.0] };
                assert!(known.iter().any(|k| (angle - k).abs() < 1e-9), "{angle}");
            }
        }
    }

    /// The counts of the 4³ block are those of the literature; every inner face belongs to exactly two tetrahedra.
    #[test]
    fn the_parts_of_a_lattice_fit_together() {
        let mesh = block(DVec3::ONE, [4, 4, 4]);
        assert_eq!((mesh.vertices.len(), mesh.tets.len()), (125, 320));
        assert!((mesh.volume() - 1.0).abs() < 1e-13);
        // Two triangles on each of the 6 · 16 squares outside; all the other faces are shared.
        assert_eq!(mesh.boundary().len(), 6 * 16 * 2);
        let mut edges: Vec<[u32; 2]> = mesh
            .tets
            .iter()
            .flat_map(|t| super::super::tet_mesh::EDGES.map(|[a, b]| [t[a].min(t[b]), t[a].max(t[b])]))
            .collect();
        edges.sort_unstable();
        edges.dedup();
        assert_eq!(edges.len(), 540);
    }

    #[test]
    fn a_block_may_have_any_sides() {
        let mesh = block(DVec3::new(1.0, 0.1, 0.3), [7, 2, 3]);
        mesh.check().unwrap();
        assert!((mesh.volume() - 0.03).abs() < 1e-15);
        assert_eq!(mesh.bounds(), (DVec3::new(-0.5, -0.05, -0.15), DVec3::new(0.5, 0.05, 0.15)));
    }
}
