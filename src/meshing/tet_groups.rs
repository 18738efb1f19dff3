//! What making and reading meshes needs of them besides: bounds, groups, and faces by the million.

use glam::DVec3;
use rayon::prelude::*;

use crate::meshing::tet_mesh::{FACES, Group, TetMesh};

impl TetMesh {
    /// The lowest and the highest corner of the bounding box [m].
    pub fn bounds(&self) -> (DVec3, DVec3) {
        let extend = |(low, high): (DVec3, DVec3), x: &DVec3| (low.min(*x), high.max(*x));
        self.vertices.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), extend)
    }

    /// Adds vertices and tetrahedra, with their vertices, to the group of that name, which is made if need be.
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
        for tet in tets {
            group.tets.push(tet);
            group.vertices.extend(self.tets[tet as usize]);
        }
        for list in [&mut group.vertices, &mut group.tets] {
            list.sort_unstable();
            list.dedup();
        }
    }

    /// The vertices of a group that are not corners of its tetrahedra, in increasing order.
    pub(super) fn loose_vertices(&self, group: &Group) -> Vec<u32> {
        let mut corners: Vec<u32> = group.tets.iter().flat_map(|&t| self.tets[t as usize]).collect();
        corners.sort_unstable();
        group.vertices.iter().copied().filter(|v| corners.binary_search(v).is_err()).collect()
    }

    /// Drops the vertices that no tetrahedron uses, from groups too, and numbers the others anew in their old order.
    pub fn drop_unused_vertices(&mut self) {
        let mut used = vec![false; self.vertices.len()];
        self.tets.iter().flatten().for_each(|&v| used[v as usize] = true);
        let mut next = 0;
        let mut number = |used: &bool| {
            next += u32::from(*used);
            used.then(|| next - 1)
        };
        let new_of_old: Vec<Option<u32>> = used.iter().map(&mut number).collect();
        let mut keep = used.iter();
        self.vertices.retain(|_| *keep.next().unwrap_or(&false));
        let renumber = |v: &mut u32| *v = new_of_old[*v as usize].unwrap_or(*v);
        self.tets.iter_mut().flatten().for_each(renumber);
        for group in &mut self.groups {
            group.vertices = group.vertices.iter().filter_map(|&v| new_of_old[v as usize]).collect();
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

/// Every face of every tetrahedron, those of the same three vertices side by side.
pub(super) fn face_uses(tets: &[[u32; 4]]) -> Vec<FaceUse> {
    let of_tet = |(tet, corners): (usize, &[u32; 4])| {
        let corners = *corners;
        (0..4).map(move |face| {
            let mut key = FACES[face].map(|corner| corners[corner]);
            key.sort_unstable();
            FaceUse { key, tet: tet as u32, face: face as u32 }
        })
    };
    let mut uses: Vec<FaceUse> = tets.par_iter().enumerate().flat_map_iter(of_tet).collect();
    uses.par_sort_unstable();
    uses
}

/// The faces that belong to one tetrahedron only, normals out, in the order of their tetrahedra.
pub(super) fn boundary(tets: &[[u32; 4]]) -> Vec<[u32; 3]> {
    let uses = face_uses(tets);
    let alone = uses.chunk_by(|a, b| a.key == b.key).filter(|g| g.len() == 1);
    let mut alone: Vec<FaceUse> = alone.map(|g| g[0]).collect();
    alone.sort_unstable_by_key(|u| (u.tet, u.face));
    alone.iter().map(|u| FACES[u.face as usize].map(|corner| tets[u.tet as usize][corner])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_to_the_boundary_lead_to_the_same_triangles() {
        let mesh = TetMesh::cuboid(DVec3::ONE, [3, 2, 4]);
        assert_eq!(boundary(&mesh.tets), mesh.surface());
    }

    #[test]
    fn a_group_of_tetrahedra_has_their_vertices() {
        let mut mesh = TetMesh::cuboid(DVec3::ONE, [1; 3]);
        mesh.add_to_group("top", [7], [1]);
        let group = mesh.group("top").unwrap();
        assert_eq!((group.tets.len(), group.vertices.len()), (1, 5));
        mesh.check().unwrap();
    }

    #[test]
    fn unused_vertices_are_dropped_from_groups_too() {
        let mut mesh = TetMesh::cuboid(DVec3::ONE, [1; 3]);
        mesh.vertices.insert(0, DVec3::ONE);
        mesh.tets.iter_mut().flatten().for_each(|v| *v += 1);
        mesh.add_to_group("some", [0, 1], []);
        mesh.drop_unused_vertices();
        mesh.check().unwrap();
        assert_eq!(mesh.vertices.len(), 8);
        assert_eq!(mesh.groups[0].vertices, [0]);
    }
}
