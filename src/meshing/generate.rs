//! Meshes that need no file.

use std::collections::HashMap;
use std::f64::consts::{FRAC_PI_2, TAU};

use glam::DVec3;

use super::triangle_mesh::{MeshError, TriangleMesh};
use crate::math::random::Random;

/// A rectangle in the xy-plane around the origin, particles row by row from the bottom left.
///
/// The diagonals alternate like a chequerboard, so the sheet has no preferred direction of shear or fold.
/// The caller checks the counts ([`crate::limits`]).
pub fn grid(size: [f64; 2], cells: [u32; 2]) -> TriangleMesh {
    let [nx, ny] = cells;
    let [wx, wy] = size;
    let row = nx + 1;
    let mut mesh = TriangleMesh::default();
    mesh.positions.reserve_exact((row as usize) * (ny as usize + 1));
    for j in 0..=ny {
        for i in 0..=nx {
            // Centred before scaling, so that the sheet is symmetric to the last bit.
            let (s, t) = (2.0 * f64::from(i) - f64::from(nx), 2.0 * f64::from(j) - f64::from(ny));
            mesh.positions.push(DVec3::new(0.5 * wx * s / f64::from(nx), 0.5 * wy * t / f64::from(ny), 0.0));
        }
    }
    mesh.triangles.reserve_exact(2 * nx as usize * ny as usize);
    for j in 0..ny {
        for i in 0..nx {
            let [a, b] = [j * row + i, j * row + i + 1];
            let [c, d] = [b + row, a + row];
            let pair = if (i + j) % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] };
            mesh.triangles.extend(pair);
        }
    }
    mesh
}

/// Two grids in the xy-plane, one on the other, that share the particles of their edges: a flat bag, closed, with its outside
/// outside. The particles of the upper sheet come first, then the inner ones of the lower.
pub fn cushion(size: [f64; 2], cells: [u32; 2]) -> TriangleMesh {
    let mut mesh = grid(size, cells);
    let [nx, ny] = cells;
    let row = nx + 1;
    let upper = mesh.positions.len() as u32;
    let below = |p: u32| {
        let (i, j) = (p % row, p / row);
        let is_edge = i == 0 || j == 0 || i == nx || j == ny;
        if is_edge { p } else { upper + (j - 1) * (nx - 1) + i - 1 }
    };
    let inner = (0..upper).filter(|&p| below(p) != p).map(|p| mesh.positions[p as usize]);
    let inner: Vec<DVec3> = inner.collect();
    let lower: Vec<[u32; 3]> = mesh.triangles.iter().map(|&[a, b, c]| [a, c, b].map(below)).collect();
    mesh.positions.extend(inner);
    mesh.triangles.extend(lower);
    mesh
}

/// A disc in the xy-plane around the origin: one particle in the middle, then ring k of 6 k particles, each ring
/// from the x-axis counter-clockwise.
///
/// Six triangles meet at every inner vertex as in a hexagonal lattice, and none is far from equilateral.
/// The caller checks the counts ([`crate::limits`]).
pub fn disc(radius: f64, rings: u32) -> TriangleMesh {
    let mut mesh = TriangleMesh { positions: vec![DVec3::ZERO], ..TriangleMesh::default() };
    for k in 1..=rings {
        let r = radius * f64::from(k) / f64::from(rings);
        for i in 0..6 * k {
            let (sin, cos) = (TAU * f64::from(i) / f64::from(6 * k)).sin_cos();
            mesh.positions.push(DVec3::new(r * cos, r * sin, 0.0));
        }
    }
    for k in 1..=rings {
        let outer = |i: u32| ring_start(k) + i % (6 * k);
        let inner = |i: u32| {
            if k == 1 { 0 } else { ring_start(k - 1) + i % (6 * (k - 1)) }
        };
        for sector in 0..6 {
            let (o, n) = (sector * k, sector * (k - 1));
            for i in 0..k {
                mesh.triangles.push([inner(n + i), outer(o + i), outer(o + i + 1)]);
                if i + 1 < k {
                    mesh.triangles.push([inner(n + i), outer(o + i + 1), inner(n + i + 1)]);
                }
            }
        }
    }
    mesh
}

/// Moves the inner vertices of a sheet in the xy-plane by up to `share` of their shortest edge, in directions that only the
/// mesh decides: irregular triangles, which favour no direction. The border stays.
pub fn scatter(mesh: &mut TriangleMesh, share: f64) -> Result<(), MeshError> {
    let mut reach = vec![f64::INFINITY; mesh.positions.len()];
    for edge in mesh.edges()? {
        let [a, b] = edge.ends.map(|end| mesh.positions[end as usize]);
        let length = if edge.triangles.1.is_some() { a.distance(b) } else { 0.0 };
        for end in edge.ends {
            reach[end as usize] = reach[end as usize].min(length);
        }
    }
    let mut random = Random(mesh.positions.len() as u64);
    for (x, reach) in mesh.positions.iter_mut().zip(reach) {
        let (sin, cos) = (TAU * random.number()).sin_cos();
        let away = share * reach * random.number().sqrt();
        *x += DVec3::new(away * cos, away * sin, 0.0);
    }
    Ok(())
}

/// The first particle of ring k ≥ 1 of a disc: 1 + 6 (1 + 2 + … + (k − 1)).
pub fn ring_start(k: u32) -> u32 {
    1 + 3 * k * (k - 1)
}

/// A sphere around the origin: an icosahedron, each triangle split in four `subdivisions` times.
pub fn icosphere(radius: f64, subdivisions: u32) -> TriangleMesh {
    let golden = (1.0 + 5f64.sqrt()) / 2.0;
    let mut positions: Vec<DVec3> = Vec::new();
    for (a, b) in [(-1.0, golden), (1.0, golden), (-1.0, -golden), (1.0, -golden)] {
        positions.push(DVec3::new(a, b, 0.0));
    }
    for i in 0..8 {
        // The other two rectangles are the first with its axes turned: (x, y, z) → (z, x, y) → (y, z, x).
        let [x, y, z] = positions[i].to_array();
        positions.push(DVec3::new(z, x, y));
    }
    let mut triangles: Vec<[u32; 3]> = vec![
        [0, 11, 5],
        [0, 5, 1],
        [0, 1, 7],
        [0, 7, 10],
        [0, 10, 11],
        [1, 5, 9],
        [5, 11, 4],
        [11, 10, 2],
        [10, 7, 6],
        [7, 1, 8],
        [3, 9, 4],
        [3, 4, 2],
        [3, 2, 6],
        [3, 6, 8],
        [3, 8, 9],
        [4, 9, 5],
        [2, 4, 11],
        [6, 2, 10],
        [8, 6, 7],
        [9, 8, 1],
    ];
    for _ in 0..subdivisions {
        let mut middles: HashMap<[u32; 2], u32> = HashMap::new();
        let mut middle = |a: u32, b: u32| {
            *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                positions.push(positions[a as usize] + positions[b as usize]);
                positions.len() as u32 - 1
            })
        };
        triangles = triangles
            .into_iter()
            .flat_map(|[a, b, c]| {
                let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
                [[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]
            })
            .collect();
        positions.iter_mut().for_each(|x| *x = x.normalize());
    }
    TriangleMesh {
        positions: positions.into_iter().map(|x| x.normalize() * radius).collect(),
        triangles,
        texture_coordinates: None,
    }
}

/// A capsule around the origin along y, `length` between the centres of its caps: `segments` of four and more around it.
pub fn capsule(radius: f64, length: f64, segments: u32) -> TriangleMesh {
    let (around, rings) = (segments.max(4), segments.max(4) / 4);
    let mut positions = vec![DVec3::new(0.0, -radius - 0.5 * length, 0.0)];
    // Rings from the lower pole to its equator, and from the upper equator to its pole.
    for row in (1..=rings).map(|row| (row, -0.5)).chain((0..rings).map(|row| (rings + row, 0.5))) {
        let latitude = FRAC_PI_2 * (f64::from(row.0) / f64::from(rings) - 1.0);
        for k in 0..around {
            let (sine, cosine) = (TAU * f64::from(k) / f64::from(around)).sin_cos();
            let out = radius * latitude.cos();
            positions.push(DVec3::new(out * cosine, radius * latitude.sin() + row.1 * length, -out * sine));
        }
    }
    let top = positions.len() as u32;
    positions.push(DVec3::new(0.0, radius + 0.5 * length, 0.0));
    let vertex = |row: u32, k: u32| 1 + row * around + k % around;
    let mut triangles = Vec::new();
    for k in 0..around {
        triangles.push([0, vertex(0, k + 1), vertex(0, k)]);
        for row in 0..2 * rings - 1 {
            let [a, b, c, d] =
                [vertex(row, k), vertex(row, k + 1), vertex(row + 1, k + 1), vertex(row + 1, k)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
        triangles.push([top, vertex(2 * rings - 1, k), vertex(2 * rings - 1, k + 1)]);
    }
    TriangleMesh { positions, triangles, texture_coordinates: None }
}

/// A torus around the y-axis: a tube of radius `minor` whose middle has radius `major`.
pub fn torus(major: f64, minor: f64, segments: [u32; 2]) -> TriangleMesh {
    let [around, across] = segments;
    let mut mesh = TriangleMesh::default();
    for i in 0..around {
        let (sin_u, cos_u) = (TAU * f64::from(i) / f64::from(around)).sin_cos();
        for j in 0..across {
            let (sin_v, cos_v) = (TAU * f64::from(j) / f64::from(across)).sin_cos();
            let r = major + minor * cos_v;
            mesh.positions.push(DVec3::new(r * cos_u, minor * sin_v, r * sin_u));
        }
    }
    let at = |i: u32, j: u32| (i % around) * across + j % across;
    for i in 0..around {
        for j in 0..across {
            let [a, b, c, d] = [at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)];
            mesh.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn a_grid_has_its_size_and_as_many_diagonals_each_way() {
        let mesh = grid([2.0, 1.0], [4, 6]);
        mesh.check().unwrap();
        assert_eq!((mesh.positions.len(), mesh.triangles.len()), (35, 48));
        assert_eq!(mesh.positions[0], DVec3::new(-1.0, -0.5, 0.0));
        assert_eq!(mesh.positions[34], DVec3::new(1.0, 0.5, 0.0));
        assert!((mesh.area() - 2.0).abs() < 1e-12);
        let slopes = mesh.edges().unwrap().into_iter().map(|e| {
            let d = mesh.positions[e.ends[1] as usize] - mesh.positions[e.ends[0] as usize];
            (d.x * d.y).signum() * f64::from(u8::from(d.x != 0.0 && d.y != 0.0))
        });
        assert_eq!(slopes.sum::<f64>(), 0.0);
    }

    #[test]
    fn all_triangles_of_a_sheet_face_forward() {
        for mesh in [grid([1.0, 1.0], [3, 3]), disc(1.0, 5)] {
            for t in 0..mesh.triangles.len() {
                let [a, b, c] = mesh.corners(t);
                assert!((b - a).cross(c - a).z > 0.0);
            }
        }
    }

    #[test]
    fn a_disc_is_well_shaped_and_has_one_border() {
        const WORST_ANGLE: f64 = 35.0;
        let mesh = disc(0.5, 12);
        mesh.check().unwrap();
        assert_eq!((mesh.positions.len(), mesh.triangles.len()), (1 + 3 * 12 * 13, 6 * 144));
        let border = mesh.edges().unwrap().iter().filter(|e| e.triangles.1.is_none()).count();
        assert_eq!(border, 6 * 12);
        for t in 0..mesh.triangles.len() {
            let [a, b, c] = mesh.corners(t);
            for [p, q, r] in [[a, b, c], [b, c, a], [c, a, b]] {
                let angle = (q - p).angle_between(r - p).to_degrees();
                assert!(angle > WORST_ANGLE, "triangle {t} has an angle of {angle}°");
            }
        }
    }

    #[test]
    fn sphere_and_torus_are_closed_and_have_nearly_their_volumes() {
        let sphere = icosphere(0.5, 4);
        sphere.check().unwrap();
        sphere.check_closed().unwrap();
        let ball = 4.0 / 3.0 * PI * 0.125;
        assert!((sphere.signed_volume() / ball - 1.0).abs() < 0.01);
        let ring = torus(1.0, 0.25, [64, 32]);
        ring.check().unwrap();
        ring.check_closed().unwrap();
        assert!((ring.signed_volume() / (2.0 * PI * PI * 0.0625) - 1.0).abs() < 0.01);
    }
}
