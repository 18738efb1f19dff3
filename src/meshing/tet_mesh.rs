//! Tetrahedral meshes and what must be true of them.

use glam::DVec3;

/// A solid body as tetrahedra.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TetMesh {
    /// Vertices at rest [m].
    pub vertices: Vec<DVec3>,
    /// Corners x₀ … x₃ of each tetrahedron, with (x₁−x₀)·((x₂−x₀)×(x₃−x₀)) > 0.
    pub tets: Vec<[u32; 4]>,
    /// Named parts, in the order in which they were met.
    pub groups: Vec<Group>,
}

/// A named part of a mesh: a physical group of Gmsh, a region or a boundary marker of TetGen.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Group {
    /// Unique within the mesh.
    pub name: String,
    /// Vertices that are named themselves or by a point, line or triangle, in increasing order.
    pub vertices: Vec<u32>,
    /// Tetrahedra, in increasing order.
    pub tets: Vec<u32>,
}

/// Why a mesh cannot be simulated. Vertices and tetrahedra are counted from 0.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TetMeshError {
    #[error("no tetrahedra")]
    Empty,
    #[error("vertex {vertex} is not finite")]
    NotFinite { vertex: usize },
    #[error("tetrahedron {tet} names vertex {vertex}, but there are {count} vertices (counted from 0)")]
    IndexOutOfRange { tet: usize, vertex: u32, count: usize },
    #[error("tetrahedron {tet} names vertex {vertex} twice")]
    RepeatedVertex { tet: usize, vertex: u32 },
    #[error("tetrahedron {tet} is inverted: its volume is {volume:.3e} m³")]
    Inverted { tet: usize, volume: f64 },
    #[error("tetrahedron {tet} has no volume ({volume:.3e} m³)")]
    NoVolume { tet: usize, volume: f64 },
    #[error("vertex {vertex} belongs to no tetrahedron")]
    Unreferenced { vertex: usize },
    #[error("{count} tetrahedra share the face of vertices {}, {} and {}", face[0], face[1], face[2])]
    NonConforming { face: [u32; 3], tet: usize, count: usize },
    #[error("group `{group}` names {what} {index}, but there are {count}")]
    Group { group: String, what: &'static str, index: u32, count: usize },
}

/// The corners of the faces of a tetrahedron, each seen from outside counter-clockwise, face k opposite corner k.
pub const FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];
/// The corners of the edges of a tetrahedron; edge k lies opposite edge 5 − k.
pub const EDGES: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];

/// Six times the signed volume of a tetrahedron [m³].
pub fn determinant([a, b, c, d]: [DVec3; 4]) -> f64 {
    (b - a).dot((c - a).cross(d - a))
}

impl TetMesh {
    /// A determinant smaller than this, relative to the cube of the longest edge, is no volume: the gradients of such a
    /// tetrahedron would drown in the f32 rounding of its own coordinates.
    const NO_VOLUME: f64 = 1e-7;

    /// The corners of a tetrahedron [m].
    pub fn corners(&self, tet: usize) -> [DVec3; 4] {
        self.tets[tet].map(|v| self.vertices[v as usize])
    }

    /// Signed volume of a tetrahedron [m³].
    pub fn tet_volume(&self, tet: usize) -> f64 {
        determinant(self.corners(tet)) / 6.0
    }

    /// Sum of the volumes of the tetrahedra [m³].
    pub fn volume(&self) -> f64 {
        (0..self.tets.len()).map(|t| self.tet_volume(t)).sum()
    }

    /// The lowest and the highest corner of the bounding box [m].
    pub fn bounds(&self) -> (DVec3, DVec3) {
        let extend = |(low, high): (DVec3, DVec3), x: &DVec3| (low.min(*x), high.max(*x));
        self.vertices.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), extend)
    }

    /// The group of that name.
    pub fn group(&self, name: &str) -> Option<&Group> {
        self.groups.iter().find(|g| g.name == name)
    }

    /// The vertices that a group names, also through its tetrahedra, in increasing order.
    pub fn group_vertices(&self, group: &Group) -> Vec<u32> {
        let of_tets = group.tets.iter().flat_map(|&t| self.tets[t as usize]);
        let mut vertices: Vec<u32> = group.vertices.iter().copied().chain(of_tets).collect();
        vertices.sort_unstable();
        vertices.dedup();
        vertices
    }

    /// Checks what a solver needs: tetrahedra of positive volume, conforming faces, no vertex without a tetrahedron, and
    /// indices in range.
    pub fn check(&self) -> Result<(), TetMeshError> {
        if self.tets.is_empty() {
            return Err(TetMeshError::Empty);
        }
        if let Some(vertex) = self.vertices.iter().position(|x| !x.is_finite()) {
            return Err(TetMeshError::NotFinite { vertex });
        }
        let count = self.vertices.len();
        let mut used = vec![false; count];
        for (tet, corners) in self.tets.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= count) {
                return Err(TetMeshError::IndexOutOfRange { tet, vertex, count });
            }
            if let Some([a, _]) = EDGES.iter().find(|[a, b]| corners[*a] == corners[*b]) {
                return Err(TetMeshError::RepeatedVertex { tet, vertex: corners[*a] });
            }
            self.check_volume(tet)?;
            corners.iter().for_each(|&v| used[v as usize] = true);
        }
        if let Some(vertex) = used.iter().position(|u| !u) {
            return Err(TetMeshError::Unreferenced { vertex });
        }
        for uses in self.face_uses().chunk_by(|a, b| a.key == b.key) {
            if uses.len() > 2 {
                let FaceUse { key, tet, .. } = uses[2];
                return Err(TetMeshError::NonConforming { face: key, tet: tet as usize, count: uses.len() });
            }
        }
        self.check_groups()
    }

    pub(super) fn check_volume(&self, tet: usize) -> Result<(), TetMeshError> {
        let corners = self.corners(tet);
        let determinant = determinant(corners);
        let volume = determinant / 6.0;
        let longest = EDGES.iter().map(|&[a, b]| corners[a].distance_squared(corners[b])).fold(0.0, f64::max);
        let least = Self::NO_VOLUME * longest * longest.sqrt();
        // Written so that an overflow to NaN or infinity is refused too.
        if !(determinant.abs() > least && least.is_finite()) {
            return Err(TetMeshError::NoVolume { tet, volume });
        }
        if determinant < 0.0 {
            return Err(TetMeshError::Inverted { tet, volume });
        }
        Ok(())
    }

    fn check_groups(&self) -> Result<(), TetMeshError> {
        for group in &self.groups {
            let parts = [
                ("vertex", &group.vertices, self.vertices.len()),
                ("tetrahedron", &group.tets, self.tets.len()),
            ];
            for (what, indices, count) in parts {
                if let Some(&index) = indices.iter().find(|&&i| i as usize >= count) {
                    return Err(TetMeshError::Group { group: group.name.clone(), what, index, count });
                }
            }
        }
        Ok(())
    }

    /// The faces that belong to one tetrahedron only, counter-clockwise seen from outside, in the order of their
    /// tetrahedra.
    pub fn boundary(&self) -> Vec<[u32; 3]> {
        let uses = self.face_uses();
        let mut single: Vec<FaceUse> =
            uses.chunk_by(|a, b| a.key == b.key).filter(|g| g.len() == 1).map(|g| g[0]).collect();
        single.sort_unstable_by_key(|u| (u.tet, u.face));
        single
            .iter()
            .map(|u| FACES[u.face as usize].map(|corner| self.tets[u.tet as usize][corner]))
            .collect()
    }

    /// Every face of every tetrahedron, those of the same three vertices side by side.
    pub(super) fn face_uses(&self) -> Vec<FaceUse> {
        use rayon::prelude::*;
        let of_tet = |(tet, corners): (usize, &[u32; 4])| {
            let corners = *corners;
            (0..4).map(move |face| {
                let mut key = FACES[face].map(|corner| corners[corner]);
                key.sort_unstable();
                FaceUse { key, tet: tet as u32, face: face as u32 }
            })
        };
        let mut uses: Vec<FaceUse> = self.tets.par_iter().enumerate().flat_map_iter(of_tet).collect();
        uses.par_sort_unstable();
        uses
    }

    /// Drops the vertices that no tetrahedron uses, from groups too, and numbers the others anew in their old order.
    pub fn drop_unused_vertices(&mut self) {
        let mut used = vec![false; self.vertices.len()];
        self.tets.iter().flatten().for_each(|&v| used[v as usize] = true);
        let mut next = 0;
        let new_of_old: Vec<Option<u32>> = used
            .iter()
            .map(|&used| {
                next += u32::from(used);
                used.then(|| next - 1)
            })
            .collect();
        let mut keep = used.iter();
        self.vertices.retain(|_| *keep.next().unwrap_or(&false));
        let renumber = |v: &mut u32| *v = new_of_old[*v as usize].unwrap_or(*v);
        self.tets.iter_mut().flatten().for_each(renumber);
        for group in &mut self.groups {
            group.vertices = group.vertices.iter().filter_map(|&v| new_of_old[v as usize]).collect();
        }
    }

    /// Adds vertices and tetrahedra to the group of that name, which is made if need be.
    pub fn add_to_group(
        &mut self,
        name: &str,
        vertices: impl IntoIterator<Item = u32>,
        tets: impl IntoIterator<Item = u32>,
    ) {
        let index = self.groups.iter().position(|g| g.name == name).unwrap_or_else(|| {
            self.groups.push(Group { name: name.to_owned(), ..Group::default() });
            self.groups.len() - 1
        });
        let group = &mut self.groups[index];
        group.vertices.extend(vertices);
        group.tets.extend(tets);
        for list in [&mut group.vertices, &mut group.tets] {
            list.sort_unstable();
            list.dedup();
        }
    }
}

/// One tetrahedron's use of a face.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FaceUse {
    /// Vertices in increasing order, so that both users sort together.
    pub key: [u32; 3],
    pub tet: u32,
    /// Which of [`FACES`].
    pub face: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit() -> TetMesh {
        TetMesh {
            vertices: vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z],
            tets: vec![[0, 1, 2, 3]],
            groups: Vec::new(),
        }
    }

    #[test]
    fn the_boundary_of_a_tetrahedron_faces_outwards_and_encloses_its_volume() {
        let mesh = unit();
        mesh.check().unwrap();
        assert_eq!(mesh.boundary().len(), 4);
        let around = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|v| mesh.vertices[v as usize]);
            a.dot(b.cross(c)) / 6.0
        };
        let enclosed: f64 = mesh.boundary().iter().map(around).sum();
        assert!((enclosed - mesh.volume()).abs() < 1e-15 && (enclosed - 1.0 / 6.0).abs() < 1e-15);
    }

    #[test]
    fn what_cannot_be_simulated_is_named() {
        let mut mesh = unit();
        mesh.tets[0] = [0, 2, 1, 3];
        assert!(matches!(mesh.check(), Err(TetMeshError::Inverted { tet: 0, .. })));
        let mut mesh = unit();
        mesh.vertices[3] = DVec3::new(0.3, 0.3, 0.0);
        assert!(matches!(mesh.check(), Err(TetMeshError::NoVolume { tet: 0, .. })));
        let mut mesh = unit();
        mesh.vertices.push(DVec3::ONE);
        assert_eq!(mesh.check(), Err(TetMeshError::Unreferenced { vertex: 4 }));
        mesh.drop_unused_vertices();
        assert_eq!(mesh, unit());
        let mut mesh = unit();
        mesh.tets[0][2] = 9;
        assert_eq!(mesh.check(), Err(TetMeshError::IndexOutOfRange { tet: 0, vertex: 9, count: 4 }));
        mesh.tets[0] = [0, 1, 1, 3];
        assert_eq!(mesh.check(), Err(TetMeshError::RepeatedVertex { tet: 0, vertex: 1 }));
        let mut mesh = unit();
        mesh.tets = vec![[0, 1, 2, 3]; 3];
        assert!(matches!(mesh.check(), Err(TetMeshError::NonConforming { count: 3, .. })));
        let mut mesh = unit();
        mesh.add_to_group("tip", [7], []);
        assert!(matches!(mesh.check(), Err(TetMeshError::Group { index: 7, .. })));
    }

    #[test]
    fn no_test_has_an_absolute_length() {
        for scale in [1e-6, 1.0, 1e5] {
            let mut mesh = unit();
            mesh.vertices.iter_mut().for_each(|x| *x *= scale);
            mesh.check().unwrap();
        }
    }
}
