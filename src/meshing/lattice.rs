//! A lattice of cubes, each split into five tetrahedra.
//!
//! The middle one is regular, with a third of the cube's volume; the four at the corners have a sixth each. The split
//! is mirrored where i + j + k is odd, so that the diagonals on shared faces match.

use glam::{DVec3, UVec3};

use crate::meshing::tet_mesh::CELL;

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
        CELL[odd as usize].map(|tet| tet.map(|b| cell + UVec3::new(b & 1, b >> 1 & 1, b >> 2)))
    }

    /// All cells, x fastest.
    pub fn each_cell(&self) -> impl Iterator<Item = UVec3> + use<> {
        let [nx, ny, nz] = self.cells.to_array();
        (0..nz).flat_map(move |k| (0..ny).flat_map(move |j| (0..nx).map(move |i| UVec3::new(i, j, k))))
    }
}

#[cfg(test)]
mod tests {
    use super::super::quality::{dihedral_angles, radius_ratio};
    use super::*;
    use crate::meshing::tet_mesh::{TetMesh, volume};

    /// Volumes a³/3 and a³/6, radius ratios 1 and √3 − 1, dihedral angles 70.53°, and 54.74° and 90°.
    #[test]
    fn the_five_tetrahedra_have_their_known_shapes() {
        const A: f64 = 0.2;
        let mesh = TetMesh::cuboid(DVec3::splat(2.0 * A), [2, 2, 2]);
        mesh.check().unwrap();
        for tet in 0..mesh.tets.len() {
            let (share, ratio) = if tet % 5 == 0 { (1.0 / 3.0, 1.0) } else { (1.0 / 6.0, 3f64.sqrt() - 1.0) };
            assert!((volume(mesh.corners(tet)) / A.powi(3) - share).abs() < 1e-13);
            assert!((radius_ratio(mesh.corners(tet)) - ratio).abs() < 1e-13);
            for angle in dihedral_angles(mesh.corners(tet)) {
                let known: &[f64] =
                    if tet % 5 == 0 { &[70.528_779_365_509_3] } else { &[54.735_610_317_245_3, 90.0] };
                assert!(known.iter().any(|k| (angle - k).abs() < 1e-9), "{angle}");
            }
        }
    }

    /// A lattice and a box number their vertices alike, and tetrahedra of neighbouring cells share whole faces.
    #[test]
    fn a_lattice_is_a_box() {
        let cells = UVec3::new(3, 4, 2);
        let lattice = Lattice { origin: DVec3::ZERO, cell: DVec3::ONE, cells };
        let tets = |cell| lattice.tets_of(cell).map(|tet| tet.map(|v| lattice.number(v) as u32));
        let mesh = TetMesh::cuboid(cells.as_dvec3(), cells.to_array());
        assert_eq!(lattice.each_cell().flat_map(tets).collect::<Vec<_>>(), mesh.tets);
        assert_eq!(lattice.vertex_count(), mesh.vertices.len() as u64);
        for (number, x) in (0..).zip(&mesh.vertices) {
            assert_eq!(lattice.number(lattice.index(number)), number);
            assert_eq!(lattice.vertex(lattice.index(number)) - 0.5 * cells.as_dvec3(), *x);
        }
        let inner = crate::meshing::tet_groups::face_uses(&mesh.tets);
        let shared = inner.chunk_by(|a, b| a.key == b.key).filter(|g| g.len() == 2).count();
        assert_eq!(4 * mesh.tets.len(), 2 * shared + mesh.surface().len());
    }
}
