//! Tetrahedral meshes: vertices, tetrahedra, named groups of vertices, and the surface around them.
//!
//! A tetrahedron (a, b, c, d) has positive volume when (b − a)·((c − a) × (d − a)) > 0: seen from d, the corners a, b, c
//! turn counter-clockwise.

use glam::DVec3;
use std::collections::HashMap;

/// Volume over the cube of the root-mean-square edge below which a tetrahedron counts as flat: its inverse rest shape
/// would be rounding error in f32. A regular tetrahedron has 0.118.
const FLAT: f64 = 1e-6;

/// A solid cut into tetrahedra.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TetMesh {
    /// [m].
    pub vertices: Vec<DVec3>,
    /// Four vertices each, of positive volume.
    pub tets: Vec<[u32; 4]>,
    /// Parts of the mesh that have a name.
    pub groups: Vec<Group>,
}

/// A part with a name, to pin or to drive: a physical group of Gmsh, a region or a boundary marker of TetGen.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Group {
    pub name: String,
    /// In increasing order; those of `tets` are among them.
    pub vertices: Vec<u32>,
    /// In increasing order; empty if only vertices are named.
    pub tets: Vec<u32>,
}

/// What is wrong with a tetrahedral mesh.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TetMeshError {
    #[error("has no tetrahedra")]
    Empty,
    #[error("tetrahedron {tet} names vertex {vertex}, but there are {count} (counted from 0)")]
    OutOfRange { tet: usize, vertex: u32, count: usize },
    #[error("tetrahedron {tet} names vertex {vertex} twice")]
    Repeated { tet: usize, vertex: u32 },
    #[error(
        "tetrahedron {tet} has no volume at rest: its corners lie in one plane; remove it or move a corner"
    )]
    Flat { tet: usize },
    #[error("tetrahedron {tet} has negative volume at rest ({volume:e} m³); swap two of its corners")]
    Inverted { tet: usize, volume: f64 },
    #[error("vertex {vertex} belongs to no tetrahedron; remove it, or it would have no mass")]
    Unreferenced { vertex: usize },
    #[error("three tetrahedra, the last of them {tet}, share one face; two is the most")]
    CrowdedFace { tet: usize },
    #[error("vertex {vertex} is not finite")]
    NotFinite { vertex: usize },
    #[error("group `{group}` names {what} {index}, but there are {count} (counted from 0)")]
    Group { group: String, what: &'static str, index: u32, count: usize },
}

/// The faces of a tetrahedron of positive volume, wound so that their normals point out; face i is opposite corner i.
pub const FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];

/// The edges of a tetrahedron by its corners.
pub const EDGES: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];

/// The signed volume of a tetrahedron [m³].
pub fn volume([a, b, c, d]: [DVec3; 4]) -> f64 {
    (b - a).cross(c - a).dot(d - a) / 6.0
}

impl TetMesh {
    /// A box around the origin. Each cell is cut into five tetrahedra, mirrored from cell to cell so that faces meet.
    /// The caller checks the counts ([`crate::limits`]).
    pub fn cuboid(size: DVec3, cells: [u32; 3]) -> Self {
        let [nx, ny, nz] = cells;
        let mut mesh = Self::default();
        let at =
            |i: u32, n: u32, width: f64| 0.5 * width * (2.0 * f64::from(i) - f64::from(n)) / f64::from(n);
        for k in 0..=nz {
            for j in 0..=ny {
                for i in 0..=nx {
                    let vertex = DVec3::new(at(i, nx, size.x), at(j, ny, size.y), at(k, nz, size.z));
                    mesh.vertices.push(vertex);
                }
            }
        }
        let number = |i: u32, j: u32, k: u32| (k * (ny + 1) + j) * (nx + 1) + i;
        for k in 0..nz {
            for j in 0..ny {
                for i in 0..nx {
                    // Corner bits: 1 along x, 2 along y, 4 along z.
                    let corner = |bits: u32| number(i + (bits & 1), j + (bits >> 1 & 1), k + (bits >> 2));
                    mesh.tets.extend(CELL[((i + j + k) % 2) as usize].map(|tet| tet.map(corner)));
                }
            }
        }
        mesh
    }

    /// The corners of a tetrahedron [m].
    pub fn corners(&self, tet: usize) -> [DVec3; 4] {
        self.tets[tet].map(|v| self.vertices[v as usize])
    }

    /// The volume of all tetrahedra [m³].
    pub fn volume(&self) -> f64 {
        (0..self.tets.len()).map(|tet| volume(self.corners(tet))).sum()
    }

    /// The mass of each vertex [kg]: a quarter of each of its tetrahedra's.
    pub fn masses(&self, density: f64) -> Vec<f64> {
        let mut masses = vec![0.0; self.vertices.len()];
        for (tet, corners) in self.tets.iter().enumerate() {
            let share = 0.25 * density * volume(self.corners(tet));
            for &v in corners {
                masses[v as usize] += share;
            }
        }
        masses
    }

    /// The triangles around the solid, normals out: faces that belong to one tetrahedron only.
    pub fn surface(&self) -> Vec<[u32; 3]> {
        let mut faces: HashMap<[u32; 3], Option<[u32; 3]>> = HashMap::with_capacity(2 * self.tets.len());
        for tet in &self.tets {
            for face in FACES.map(|face| face.map(|corner| tet[corner])) {
                faces.entry(sorted(face)).and_modify(|seen| *seen = None).or_insert(Some(face));
            }
        }
        // In the order of the tetrahedra, so that the result does not depend on the map.
        self.tets
            .iter()
            .flat_map(|tet| FACES.map(|face| face.map(|corner| tet[corner])))
            .filter(|face| faces.get(&sorted(*face)).is_some_and(Option::is_some))
            .collect()
    }

    /// The edges, each once, lower vertex first, in increasing order.
    pub fn edges(&self) -> Vec<[u32; 2]> {
        edges(&self.tets)
    }

    /// The group of this name.
    pub fn group(&self, name: &str) -> Option<&Group> {
        self.groups.iter().find(|group| group.name == name)
    }

    /// Whether it is a mesh that can be simulated.
    pub fn check(&self) -> Result<(), TetMeshError> {
        if self.tets.is_empty() {
            return Err(TetMeshError::Empty);
        }
        if let Some(vertex) = self.vertices.iter().position(|x| !x.is_finite()) {
            return Err(TetMeshError::NotFinite { vertex });
        }
        let count = self.vertices.len();
        let mut used = vec![false; count];
        let mut faces: HashMap<[u32; 3], u8> = HashMap::with_capacity(2 * self.tets.len());
        for (tet, corners) in self.tets.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|v| **v as usize >= count) {
                return Err(TetMeshError::OutOfRange { tet, vertex, count });
            }
            if let Some(k) = (1..4).find(|&k| corners[..k].contains(&corners[k])) {
                return Err(TetMeshError::Repeated { tet, vertex: corners[k] });
            }
            corners.iter().for_each(|&v| used[v as usize] = true);
            self.check_volume(tet)?;
            for face in FACES.map(|face| sorted(face.map(|corner| corners[corner]))) {
                let uses = faces.entry(face).or_insert(0);
                *uses += 1;
                if *uses > 2 {
                    return Err(TetMeshError::CrowdedFace { tet });
                }
            }
        }
        if let Some(vertex) = used.iter().position(|used| !used) {
            return Err(TetMeshError::Unreferenced { vertex });
        }
        for group in &self.groups {
            let parts = [("vertex", &group.vertices, count), ("tetrahedron", &group.tets, self.tets.len())];
            for (what, members, count) in parts {
                if let Some(&index) = members.iter().find(|v| **v as usize >= count) {
                    return Err(TetMeshError::Group { group: group.name.clone(), what, index, count });
                }
            }
        }
        Ok(())
    }

    /// Whether a tetrahedron, whose vertices exist, has a positive volume.
    pub(crate) fn check_volume(&self, tet: usize) -> Result<(), TetMeshError> {
        let x = self.corners(tet);
        let volume = volume(x);
        let square: f64 = EDGES.iter().map(|&[a, b]| x[a].distance_squared(x[b])).sum::<f64>() / 6.0;
        // Written so that NaN, from edges beyond f64, counts as flat.
        if volume.abs().partial_cmp(&(FLAT * square * square.sqrt())) != Some(std::cmp::Ordering::Greater) {
            return Err(TetMeshError::Flat { tet });
        }
        if volume < 0.0 {
            return Err(TetMeshError::Inverted { tet, volume });
        }
        Ok(())
    }
}

/// The edges of tetrahedra, each once, lower vertex first, in increasing order.
pub fn edges(tets: &[[u32; 4]]) -> Vec<[u32; 2]> {
    let mut edges: Vec<[u32; 2]> =
        tets.iter().flat_map(|tet| EDGES.map(|[a, b]| [tet[a].min(tet[b]), tet[a].max(tet[b])])).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

fn sorted(mut face: [u32; 3]) -> [u32; 3] {
    face.sort_unstable();
    face
}

/// Five tetrahedra of a cell by corner bits, for even and odd cells: one in the middle, one at each other corner.
pub(crate) const CELL: [[[u32; 4]; 5]; 2] = [
    [[3, 0, 5, 6], [0, 1, 3, 5], [2, 0, 3, 6], [0, 4, 5, 6], [7, 3, 5, 6]],
    [[1, 2, 4, 7], [0, 1, 2, 4], [1, 3, 2, 7], [5, 1, 4, 7], [2, 6, 4, 7]],
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_of_four_cells_cubed_has_the_counts_of_the_reference_block() {
        let mesh = TetMesh::cuboid(DVec3::ONE, [4; 3]);
        mesh.check().unwrap();
        assert_eq!((mesh.vertices.len(), mesh.tets.len(), mesh.edges().len()), (125, 320, 540));
        assert!((mesh.volume() - 1.0).abs() < 1e-12);
        assert!((mesh.masses(1000.0).iter().sum::<f64>() - 1000.0).abs() < 1e-9);
        // By the divergence theorem the surface encloses the same volume, with its normals out.
        let surface = mesh.surface();
        assert_eq!(surface.len(), 6 * 16 * 2);
        let x = |v: u32| mesh.vertices[v as usize];
        let enclosed: f64 = surface.iter().map(|&[a, b, c]| x(a).cross(x(b)).dot(x(c)) / 6.0).sum();
        assert!((enclosed - 1.0).abs() < 1e-12, "{enclosed}");
    }

    #[test]
    fn bad_meshes_are_refused_with_the_reason() {
        let good = TetMesh::cuboid(DVec3::ONE, [1; 3]);
        let broken = |change: fn(&mut TetMesh)| {
            let mut mesh = good.clone();
            change(&mut mesh);
            mesh.check().unwrap_err()
        };
        assert_eq!(broken(|m| m.tets.clear()), TetMeshError::Empty);
        assert_eq!(broken(|m| m.tets[1][2] = 99), TetMeshError::OutOfRange { tet: 1, vertex: 99, count: 8 });
        assert!(matches!(broken(|m| m.tets[1][2] = m.tets[1][0]), TetMeshError::Repeated { tet: 1, .. }));
        assert!(matches!(broken(|m| m.tets[2].swap(0, 1)), TetMeshError::Inverted { tet: 2, .. }));
        assert_eq!(broken(|m| m.vertices[7] = m.vertices[3]), TetMeshError::Flat { tet: 4 });
        assert_eq!(broken(|m| m.vertices.push(DVec3::ONE)), TetMeshError::Unreferenced { vertex: 8 });
        assert_eq!(broken(|m| m.vertices[0].x = f64::NAN), TetMeshError::NotFinite { vertex: 0 });
        assert!(matches!(broken(|m| m.tets.extend([m.tets[0]; 2])), TetMeshError::CrowdedFace { .. }));
        let group = Group { name: "lid".into(), vertices: vec![8], ..Group::default() };
        let mut mesh = good.clone();
        mesh.groups.push(group);
        assert!(matches!(mesh.check(), Err(TetMeshError::Group { index: 8, .. })));
    }
}
