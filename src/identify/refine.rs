//! A mesh twice as fine: each tetrahedron in eight, by the middles of its edges (Bey 1995).

use crate::meshing::tet_mesh::{EDGES, TetMesh, volume};
use glam::DVec3;

/// The finer mesh, whose first vertices are those of the coarse one, and the ends of the edge on whose middle each further one is.
pub fn refined(mesh: &TetMesh) -> (TetMesh, Vec<[u32; 2]>) {
    let all = mesh.edges();
    let first = mesh.vertices.len() as u32;
    let middle = |a: u32, b: u32| {
        let place = all.binary_search(&[a.min(b), a.max(b)]).expect("it is an edge of the mesh");
        first + place as u32
    };
    let mut vertices = mesh.vertices.clone();
    vertices.extend(all.iter().map(|[a, b]| 0.5 * (mesh.vertices[*a as usize] + mesh.vertices[*b as usize])));
    let mut tets = Vec::with_capacity(8 * mesh.tets.len());
    for tet in &mesh.tets {
        let [ab, ac, ad, bc, bd, cd] = EDGES.map(|[i, j]| middle(tet[i], tet[j]));
        let [a, b, c, d] = *tet;
        tets.extend([[a, ab, ac, ad], [ab, b, bc, bd], [ac, bc, c, cd], [ad, bd, cd, d]]);
        // The octahedron between is cut along the shortest of its diagonals.
        let length = |p: u32, q: u32| vertices[p as usize].distance_squared(vertices[q as usize]);
        let choices = [(ab, cd, [ac, bc, bd, ad]), (ac, bd, [ab, bc, cd, ad]), (ad, bc, [ab, ac, cd, bd])];
        let (p, q, ring) = choices
            .into_iter()
            .min_by(|x, y| length(x.0, x.1).total_cmp(&length(y.0, y.1)))
            .expect("there are three");
        for k in 0..4 {
            let tet = [p, q, ring[k], ring[(k + 1) % 4]];
            let corners = tet.map(|v| vertices[v as usize]);
            tets.push(if volume(corners) < 0.0 { [tet[0], tet[1], tet[3], tet[2]] } else { tet });
        }
    }
    (TetMesh { vertices, tets, groups: Vec::new() }, all)
}

/// A field of a coarse mesh on its refinement.
pub fn prolonged(field: &[DVec3], middles: &[[u32; 2]]) -> Vec<DVec3> {
    let mean = |[a, b]: &[u32; 2]| 0.5 * (field[*a as usize] + field[*b as usize]);
    field.iter().copied().chain(middles.iter().map(mean)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finer_mesh_fills_the_same_volume_with_upright_tetrahedra() {
        let mesh = TetMesh::cuboid(DVec3::new(1.0, 2.0, 3.0), [2, 3, 1]);
        let (fine, middles) = refined(&mesh);
        assert_eq!(fine.check(), Ok(()));
        assert_eq!(fine.tets.len(), 8 * mesh.tets.len());
        assert!((fine.volume() - 6.0).abs() < 1e-12);
        assert_eq!(fine.surface().len(), 4 * mesh.surface().len());
        assert_eq!(prolonged(&mesh.vertices, &middles), fine.vertices);
    }
}
