use super::*;
use crate::meshing::triangle_tree::distance_squared;
use std::f64::consts::{PI, TAU};

type Mesh = (Vec<DVec3>, Vec<[u32; 3]>);

/// A surface closed in u and in v, as `n` × `m` quadrilaterals; poles may collapse to a point.
fn surface(n: u32, m: u32, at: impl Fn(f64, f64) -> DVec3) -> Mesh {
    let mut positions = Vec::new();
    for (i, j) in (0..n).flat_map(|i| (0..m).map(move |j| (i, j))) {
        positions.push(at(f64::from(i) / f64::from(n), f64::from(j) / f64::from(m)));
    }
    let node = |i: u32, j: u32| (i % n) * m + j % m;
    let triangles = (0..n).flat_map(|i| (0..m).map(move |j| (i, j))).flat_map(|(i, j)| {
        let [a, b, c, d] = [node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)];
        [[a, b, c], [a, c, d]]
    });
    (positions, triangles.collect())
}

fn torus(major: f64, minor: f64, n: u32, m: u32) -> Mesh {
    surface(n, m, |u, v| {
        let (a, b) = (TAU * u, TAU * v);
        let r = major + minor * b.cos();
        DVec3::new(r * a.cos(), r * a.sin(), minor * b.sin())
    })
}

/// An octahedron, each triangle split in four `levels` times and pushed onto the sphere; triangles share no vertices.
fn sphere(centre: DVec3, radius: f64, levels: u32) -> Mesh {
    let mut triangles = Vec::new();
    for (sx, sy, sz) in [-1.0, 1.0]
        .into_iter()
        .flat_map(|x| [-1.0, 1.0].into_iter().flat_map(move |y| [-1.0, 1.0].map(|z| (x, y, z))))
    {
        let (a, b, c) = (DVec3::X * sx, DVec3::Y * sy, DVec3::Z * sz);
        triangles.push(if sx * sy * sz > 0.0 { [a, b, c] } else { [a, c, b] });
    }
    for _ in 0..levels {
        triangles = triangles
            .into_iter()
            .flat_map(|[a, b, c]| {
                let [ab, bc, ca] = [(a + b), (b + c), (c + a)].map(DVec3::normalize);
                [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
            })
            .collect();
    }
    soup(triangles.into_flattened().into_iter().map(|x| centre + radius * x).collect())
}

fn soup(positions: Vec<DVec3>) -> Mesh {
    let triangles = (0..positions.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]);
    let triangles = triangles.collect();
    (positions, triangles)
}

fn cuboid(low: DVec3, high: DVec3) -> Mesh {
    let corner = |i: u32| {
        let pick = |bit: u32, low, high| if i >> bit & 1 == 1 { high } else { low };
        DVec3::new(pick(0, low.x, high.x), pick(1, low.y, high.y), pick(2, low.z, high.z))
    };
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    ((0..8).map(corner).collect(), triangles)
}

fn joined(mut a: Mesh, b: Mesh) -> Mesh {
    let offset = a.0.len() as u32;
    a.0.extend(b.0);
    a.1.extend(b.1.iter().map(|t| t.map(|v| v + offset)));
    a
}

fn cuboid_distance(x: DVec3, low: DVec3, high: DVec3) -> f64 {
    let q = (low - x).max(x - high);
    q.max(DVec3::ZERO).length() + q.max_element().min(0.0)
}

fn nodes(field: &DistanceField) -> impl Iterator<Item = (DVec3, f64)> {
    let [nx, ny, nz] = field.size.map(|n| n as usize);
    (0..nx * ny * nz)
        .map(move |n| (field.node([n % nx, n / nx % ny, n / nx / ny]), f64::from(field.values[n])))
}

/// The generalised winding number as a sum of solid angles (van Oosterom, Strackee 1983): an oracle for the sign that
/// shares nothing with the counting of crossings.
fn winding_number((positions, triangles): &Mesh, x: DVec3) -> f64 {
    let solid_angle = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| positions[v as usize] - x);
        let (la, lb, lc) = (a.length(), b.length(), c.length());
        let volume = a.dot(b.cross(c));
        let edges = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
        2.0 * volume.atan2(edges)
    };
    triangles.iter().map(solid_angle).sum::<f64>() / (4.0 * PI)
}

/// f32 storage and nothing else stands between a node and the exact distance.
const STORAGE: f64 = 1e-6;

#[test]
fn nodes_of_a_box_are_exact() {
    // Corners on multiples of the spacing: rows and layers run through faces, edges and vertices.
    for (low, high, resolution) in [
        (DVec3::ZERO, DVec3::new(1.0, 0.5, 0.25), 15),
        (DVec3::new(-0.3, -0.4, -0.2), DVec3::new(0.7, 0.1, 0.35), 37),
    ] {
        let (positions, triangles) = cuboid(low, high);
        let field = DistanceField::bake(&positions, &triangles, resolution).unwrap();
        assert_eq!(field.size[0], resolution);
        assert!(field.origin.cmple(low - 2.9 * field.spacing).all());
        assert!(field.end().cmpge(high + 2.9 * field.spacing).all());
        for (x, value) in nodes(&field) {
            let expected = cuboid_distance(x, low, high);
            assert!((value - expected).abs() < STORAGE, "{x}: {value}, not {expected}");
        }
    }
}

#[test]
fn a_sphere_is_as_round_as_its_mesh_and_so_is_the_sample_between_nodes() {
    let (centre, radius) = (DVec3::new(5.0, -3.0, 2.0), 0.02);
    let (positions, triangles) = sphere(centre, radius, 4);
    let field = DistanceField::bake(&positions, &triangles, 48).unwrap();
    // Edges of an octahedron split four times are about R π/32; the chord is R (1 − cos(π/64 · 2/√3)) inside.
    let sagitta = radius * 0.004;
    for (x, value) in nodes(&field) {
        let expected = x.distance(centre) - radius;
        assert!(value >= expected - 1e-7 && value < expected + sagitta, "{value} {expected}");
    }
    let h = field.spacing;
    for i in 0..4000 {
        let spin = f64::from(i);
        let direction = DVec3::new(spin.sin(), (1.7 * spin).cos(), (0.3 * spin).sin()).normalize();
        let r = radius * (0.5 + 0.6 * (f64::from(i) / 4000.0));
        let x = centre + r * direction;
        assert!((field.sample(x) - (r - radius)).abs() < sagitta + h * h / radius, "{r}");
        assert!((field.gradient(x) - direction).length() < 0.15, "{}", field.gradient(x));
    }
}

#[test]
fn the_sign_on_a_torus_is_never_wrong() {
    let (major, minor) = (1.0, 0.35);
    let (positions, triangles) = torus(major, minor, 60, 40);
    let field = DistanceField::bake(&positions, &triangles, 70).unwrap();
    let exact = |x: DVec3| DVec3::new(x.truncate().length() - major, x.z, 0.0).length() - minor;
    let sagitta = (major + minor) * (1.0 - (PI / 60.0).cos()) + minor * (1.0 - (PI / 40.0).cos());
    for (x, value) in nodes(&field) {
        assert!((value - exact(x)).abs() < sagitta + STORAGE, "{x}: {value}");
    }
    // A lattice that shares no plane with the grid.
    for n in 0..61 * 61 * 41 {
        let x = DVec3::new(f64::from(n % 61), f64::from(n / 61 % 61), f64::from(n / 3721))
            * DVec3::new(0.0513, 0.0509, 0.0211)
            - DVec3::new(1.55, 1.54, 0.43);
        if exact(x).abs() > field.spacing {
            assert_eq!(field.sample(x) > 0.0, exact(x) > 0.0, "{x}");
        }
    }
}

/// A rough, non-convex, unevenly meshed star.
fn star() -> Mesh {
    let (sphere_points, triangles) = sphere(DVec3::ZERO, 1.0, 2);
    let spike = |x: DVec3| 0.3 + (5.0 * x.x + 1.0).sin().powi(2) * (4.0 * x.y).cos().abs();
    let positions = sphere_points.into_iter().map(|x| x * spike(x));
    (positions.collect(), triangles)
}

#[test]
fn the_polygons_of_a_layer_close_bit_for_bit() {
    let (positions, triangles) = star();
    let surface = Surface::new(&positions, &triangles).unwrap();
    let mut cut_count = 0;
    for layer in 0..200 {
        let z = f64::from(layer) * 0.00731 - 0.7;
        let cuts = surface.triangles.iter().filter_map(|&t| surface.cut(t, z));
        let bits = |x: DVec3| x.to_array().map(f64::to_bits);
        let (mut starts, mut ends): (Vec<_>, Vec<_>) = cuts.map(|[a, b]| (bits(a), bits(b))).unzip();
        starts.sort_unstable();
        ends.sort_unstable();
        cut_count += starts.len();
        assert_eq!(starts, ends, "layer {z}");
    }
    assert!(cut_count > 1000);
}

/// Either way round: against every triangle and the winding number.
#[test]
fn nodes_agree_with_all_triangles_and_the_winding_number() {
    let mut mesh = star();
    for turned in [false, true] {
        if turned {
            mesh.1.iter_mut().for_each(|t| t.swap(0, 1));
        }
        let field = DistanceField::bake(&mesh.0, &mesh.1, 24).unwrap();
        let corners: Vec<[DVec3; 3]> = mesh.1.iter().map(|t| t.map(|v| mesh.0[v as usize])).collect();
        let mut inside = 0;
        for (x, value) in nodes(&field) {
            let nearest = corners.iter().map(|t| distance_squared(x, t)).fold(f64::INFINITY, f64::min);
            let winding = winding_number(&mesh, x);
            let expected = if winding.abs() > 0.5 { -nearest.sqrt() } else { nearest.sqrt() };
            assert!((value - expected).abs() < STORAGE, "{x}: {value}, not {expected}");
            inside += u32::from(value < 0.0);
        }
        assert!(inside > 200);
    }
}

#[test]
fn overlapping_shells_are_inside_where_either_is_and_cavities_are_outside() {
    let overlapping =
        joined(sphere(DVec3::ZERO, 1.0, 3), cuboid(DVec3::new(0.5, -0.4, -0.4), DVec3::new(2.0, 0.4, 0.4)));
    let mut hollow = cuboid(DVec3::splat(-0.5), DVec3::splat(0.5));
    hollow.1.iter_mut().for_each(|t| t.swap(0, 1));
    for mesh in [overlapping, joined(sphere(DVec3::ZERO, 1.0, 3), hollow)] {
        let field = DistanceField::bake(&mesh.0, &mesh.1, 40).unwrap();
        for (x, value) in nodes(&field) {
            if value.abs() > STORAGE {
                assert_eq!(value < 0.0, winding_number(&mesh, x).abs() > 0.5, "{x}: {value}");
            }
        }
    }
}

#[test]
fn beyond_the_grid_the_field_grows_with_the_way_to_it() {
    let (positions, triangles) = cuboid(DVec3::ZERO, DVec3::ONE);
    let field = DistanceField::bake(&positions, &triangles, 16).unwrap();
    let x = DVec3::new(0.5, 0.5, 40.0);
    assert!((field.sample(x) - 39.0).abs() < 1e-5);
    assert!((field.gradient(x) - DVec3::Z).length() < 1e-5);
    assert!(field.sample(DVec3::NAN).is_nan());
    assert!(field.sample(DVec3::INFINITY) == f64::INFINITY);
}

#[test]
fn the_gradient_is_the_slope_of_the_sample() {
    let (positions, triangles) = torus(1.0, 0.4, 24, 16);
    let field = DistanceField::bake(&positions, &triangles, 32).unwrap();
    // From 1: the point of i = 0 lies between two cells, where the slope jumps.
    for i in 1..500 {
        let s = f64::from(i);
        let x = 2.5 * DVec3::new(s.sin(), (1.3 * s).cos(), 0.5 * (0.7 * s).sin());
        let step = 1e-6 * field.spacing;
        let slope =
            DVec3::AXES.map(|e| (field.sample(x + step * e) - field.sample(x - step * e)) / (2.0 * step));
        assert!((field.gradient(x) - DVec3::from(slope)).length() < 1e-5, "{x}");
    }
}

#[test]
fn size_and_place_of_a_mesh_do_not_change_its_field() {
    let (positions, triangles) = torus(1.0, 0.4, 24, 16);
    let field = DistanceField::bake(&positions, &triangles, 32).unwrap();
    let scale = 1.0 / 1024.0; // a power of two: the same digits
    let small: Vec<DVec3> = positions.iter().map(|&x| x * scale).collect();
    let small = DistanceField::bake(&small, &triangles, 32).unwrap();
    assert_eq!(small.size, field.size);
    assert!(field.values.iter().zip(&small.values).all(|(a, b)| a * scale as f32 == *b));
    assert_eq!(DistanceField::bake(&positions, &triangles, 32).unwrap(), field);
}

#[test]
fn meshes_without_an_inside_are_refused_with_a_cure() {
    let (positions, triangles) = cuboid(DVec3::ZERO, DVec3::ONE);
    let bake = |positions: &[DVec3], triangles: &[[u32; 3]], resolution| {
        let error = DistanceField::bake(positions, triangles, resolution).unwrap_err();
        println!("{error}");
        error
    };
    use DistanceFieldError::*;
    assert_eq!(bake(&positions, &triangles, 257), Resolution(257));
    assert_eq!(bake(&positions, &triangles, 7), Resolution(7));
    assert_eq!(bake(&positions, &[], 32), Empty);
    assert_eq!(bake(&positions, &[[0, 0, 1]], 32), Empty);
    assert!(matches!(bake(&positions, &triangles[1..], 32), Open { count: 1, .. }));
    assert!(matches!(bake(&positions, &[[0, 1, 8]], 32), OutOfRange { vertex: 8, .. }));
    let mut flipped = triangles.clone();
    flipped[0].swap(0, 1);
    assert!(matches!(bake(&positions, &flipped, 32), Inconsistent { .. }));
    assert_eq!(bake(&positions, &[[0, 1, 2], [0, 2, 1]], 32), Flat);
    let mut bad = positions.clone();
    bad[3].y = f64::NAN;
    assert_eq!(bake(&bad, &triangles, 32), NotFinite(3));
    for scale in [f64::MAX, 1e-20] {
        let scaled: Vec<DVec3> = positions.iter().map(|&x| x * scale).collect();
        assert_eq!(bake(&scaled, &triangles, 32), Size(scale));
    }
}

#[test]
fn a_cancelled_bake_stops() {
    let (positions, triangles) = cuboid(DVec3::ZERO, DVec3::ONE);
    let cancel = AtomicBool::new(true);
    let result = DistanceField::bake_unless_cancelled(&positions, &triangles, 64, &cancel);
    assert_eq!(result, Err(DistanceFieldError::Cancelled));
}

#[test]
#[ignore = "prints timings; meaningful only on a quiet machine"]
fn baking_times() {
    let meshes = [torus(1.0, 0.35, 64, 40), sphere(DVec3::ZERO, 1.0, 5)];
    for (positions, triangles) in meshes {
        for resolution in [64, 128] {
            let clock = std::time::Instant::now();
            let field = DistanceField::bake(&positions, &triangles, resolution).unwrap();
            let seconds = clock.elapsed().as_secs_f64();
            println!("{} triangles, {:?}: {seconds:.3} s", triangles.len(), field.size);
        }
    }
}
