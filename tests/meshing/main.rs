//! Surfaces filled with tetrahedra: shapes, soups, files, skinning.

mod files;
mod pseudo_volume;
mod scenes;
mod shapes;
mod skin;
mod soups;

use glam::DVec3;
use sinew::scene::TriangleMesh;

/// A ball of 5,120 triangles.
fn ball(radius: f64) -> TriangleMesh {
    sinew::meshing::generate::icosphere(radius, 4)
}

/// Without `removed` of every 10 patches of `patch` consecutive triangles, chosen without visible order.
fn damaged(mut mesh: TriangleMesh, patch: usize, removed: u32) -> TriangleMesh {
    let kept = |k: usize| (k as u32).wrapping_mul(2_654_435_769) >> 16 & 0xffff >= removed * 6554;
    mesh.triangles = mesh
        .triangles
        .chunks(patch)
        .enumerate()
        .filter(|(k, _)| kept(*k))
        .flat_map(|(_, triangles)| triangles.iter().copied())
        .collect();
    mesh
}

/// Every n-th triangle faces the wrong way.
fn flipped(mut mesh: TriangleMesh, n: usize) -> TriangleMesh {
    mesh.triangles.iter_mut().step_by(n).for_each(|t| t.swap(0, 1));
    mesh
}

/// Triangles that share no vertices, slightly torn apart.
fn torn(mesh: &TriangleMesh, by: f64) -> TriangleMesh {
    let mut soup = TriangleMesh::default();
    for t in 0..mesh.triangles.len() {
        let first = soup.positions.len() as u32;
        let k = t as f64;
        let shift = by * DVec3::new((3.0 * k).sin(), (5.0 * k).sin(), (7.0 * k).sin());
        soup.positions.extend(mesh.corners(t).map(|x| x + shift));
        soup.triangles.push([first, first + 1, first + 2]);
    }
    soup
}
