//! The surface on which a field vanishes, as triangles: marching tetrahedra over a lattice.
//!
//! Each tetrahedron with corners on both sides is cut in a triangle or a quadrilateral. Cuts are shared along edges, so the
//! surface is closed and no three triangles meet at an edge, wherever the field is positive on the rim of the lattice.

use std::collections::HashMap;

use glam::DVec3;
use rayon::prelude::*;

use super::lattice::Lattice;
use crate::meshing::triangle_mesh::TriangleMesh;

/// Cuts keep this share of an edge from its ends, so that no triangle vanishes.
const MARGIN: f64 = 0.1;
/// Rounds of evening out the triangles.
const ROUNDS: usize = 8;

/// The surface where `field`, negative inside, is zero. The caller checks the counts.
pub fn isosurface(lattice: &Lattice, field: impl Fn(DVec3) -> f64 + Sync) -> TriangleMesh {
    let values: Vec<f64> = (0..lattice.vertex_count())
        .into_par_iter()
        .map(|n| field(lattice.vertex(lattice.index(n))))
        .collect();
    let mut mesh = TriangleMesh::default();
    let mut cuts: HashMap<[u64; 2], u32> = HashMap::new();
    for tet in lattice.each_cell().flat_map(|cell| lattice.tets_of(cell)) {
        let corners = tet.map(|v| lattice.number(v));
        let value = |n: u64| values[n as usize];
        let (inside, outside): (Vec<u64>, Vec<u64>) = corners.iter().partition(|&&n| value(n) < 0.0);
        let mut cut = |a: u64, b: u64| {
            *cuts.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                let [p, q] = [a, b].map(|n| lattice.vertex(lattice.index(n)));
                let t = (value(a) / (value(a) - value(b))).clamp(MARGIN, 1.0 - MARGIN);
                mesh.positions.push(p.lerp(q, t));
                mesh.positions.len() as u32 - 1
            })
        };
        let polygon: Vec<u32> = match (&inside[..], &outside[..]) {
            ([a], [b, c, d]) | ([b, c, d], [a]) => vec![cut(*a, *b), cut(*a, *c), cut(*a, *d)],
            ([a, b], [c, d]) => vec![cut(*a, *c), cut(*a, *d), cut(*b, *d), cut(*b, *c)],
            _ => continue,
        };
        let middle = |list: &[u64]| {
            list.iter().map(|&n| lattice.vertex(lattice.index(n))).sum::<DVec3>() / list.len() as f64
        };
        let outward = middle(&outside) - middle(&inside);
        for pair in polygon[1..].windows(2) {
            let [a, b, c] = [polygon[0], pair[0], pair[1]];
            let [x, y, z] = [a, b, c].map(|v| mesh.positions[v as usize]);
            let faces_out = (y - x).cross(z - x).dot(outward) > 0.0;
            mesh.triangles.push(if faces_out { [a, b, c] } else { [a, c, b] });
        }
    }
    even_out(&mut mesh, lattice.cell.min_element(), field);
    mesh
}

/// Moves vertices to the middle of their neighbours and back to the surface.
fn even_out(mesh: &mut TriangleMesh, cell: f64, field: impl Fn(DVec3) -> f64 + Sync) {
    let step = 1e-3 * cell;
    let gradient = |x: DVec3| {
        let slope = |axis: DVec3| (field(x + step * axis) - field(x - step * axis)) / (2.0 * step);
        DVec3::new(slope(DVec3::X), slope(DVec3::Y), slope(DVec3::Z))
    };
    for _ in 0..ROUNDS {
        let mut sums = vec![(DVec3::ZERO, 0.0); mesh.positions.len()];
        for &[a, b, c] in &mesh.triangles {
            for [from, to] in [[a, b], [b, c], [c, a]] {
                // Each edge is met from both sides, once in either direction.
                sums[from as usize].0 += mesh.positions[to as usize];
                sums[from as usize].1 += 1.0;
            }
        }
        mesh.positions = mesh
            .positions
            .par_iter()
            .zip(sums)
            .map(|(&x, (sum, count))| {
                let mut y = x.lerp(sum / count, 0.5);
                for _ in 0..2 {
                    let slope = gradient(y);
                    // No step is longer than a cell, even where the field is flat.
                    let way = slope * (field(y) / slope.length_squared().max(1e-12));
                    y -= way.clamp_length_max(cell);
                }
                y
            })
            .collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::UVec3;
    use std::f64::consts::PI;

    #[test]
    fn a_ball_is_closed_faces_outwards_and_has_its_volume() {
        let lattice =
            Lattice { origin: DVec3::splat(-0.6), cell: DVec3::splat(0.05), cells: UVec3::splat(24) };
        let mesh = isosurface(&lattice, |x| x.length() - 0.5);
        mesh.check().unwrap();
        mesh.check_closed().unwrap();
        assert!((mesh.signed_volume() / (4.0 / 3.0 * PI * 0.125) - 1.0).abs() < 0.01);
        assert!(mesh.positions.iter().all(|x| (x.length() - 0.5).abs() < 1e-6));
    }
}
