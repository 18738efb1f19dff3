//! The verifier against plain loops over all pairs, and against answers known on paper.

use super::geometry::{linking, point_triangle, segment_segment, segment_through_triangle};
use super::*;

/// Numbers in [−1, 1).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next())
    }
}

fn shapes(triangles: Vec<[u32; 3]>, segments: Vec<[u32; 2]>, start: &[DVec3], radius: f64) -> Shapes {
    Shapes {
        triangles,
        segments,
        radii: vec![radius; start.len()],
        start: start.to_vec(),
        bodies: (0..start.len() as u32).map(|k| [0, k]).collect(),
        names: vec!["soup".into()],
        first_triangles: vec![0],
        ..Shapes::default()
    }
}

/// Triangles and segments thrown into a box.
fn soup(seed: u64, count: u32, size: f64) -> (Shapes, Vec<DVec3>) {
    let mut random = Random(seed);
    let mut x = Vec::new();
    let mut corners = |n: u32| -> Vec<u32> {
        let centre = random.vector();
        let first = x.len() as u32;
        x.extend((0..n).map(|_| centre + size * random.vector()));
        (first..first + n).collect()
    };
    let triangles = (0..count).map(|_| corners(3).try_into().unwrap()).collect();
    let segments = (0..count).map(|_| corners(2).try_into().unwrap()).collect();
    (shapes(triangles, segments, &x, 0.01), x)
}

#[test]
fn intersections_and_depths_are_those_of_all_pairs() {
    for seed in 0..20 {
        let (shapes, x) = soup(seed, 60, 0.6);
        let verifier = Verifier::new(shapes.clone());
        let found = verifier.look(&x);
        let at = |p: u32| x[p as usize];
        let (mut count, mut deepest) = (0, 0.0f64);
        for &edge in &verifier.edges {
            for &triangle in &shapes.triangles {
                let apart = edge.iter().all(|p| !triangle.contains(p));
                count += u64::from(apart && segment_through_triangle(edge.map(at), triangle.map(at)));
            }
            for &other in &verifier.edges {
                if edge.iter().all(|p| !other.contains(p)) {
                    let distance = segment_segment(edge.map(at), other.map(at));
                    deepest = deepest.max(1.0 - distance / f64::min(0.02, 0.9 * distance));
                }
            }
        }
        assert_eq!(found.intersections, count, "soup {seed}");
        assert!(count > 50 && found.places.len() == PLACES, "soup {seed}: only {count} intersections");
        // All are of one body and nearer at the start than their thickness, so that no depth is left.
        assert_eq!(found.max_depth, deepest);
    }
}

#[test]
fn crossings_do_not_depend_on_the_grid_and_come_in_pairs_there_and_back() {
    let (shapes, before) = soup(3, 120, 0.6);
    let mut random = Random(11);
    let after: Vec<DVec3> = before.iter().map(|&x| x + 0.3 * random.vector()).collect();
    let verifier = Verifier::new(shapes);
    let (count, places) = verifier.crossings(&before, &after);
    let (back, _) = verifier.crossings(&after, &before);
    assert_eq!(count, back);
    assert!(count > 50 && places.len() == PLACES, "{count} crossings");
    // One large box puts all into one cell, which is all pairs.
    let mut large = Verifier::new(Shapes { triangles: Vec::new(), ..verifier.shapes.clone() });
    large.points.clear();
    let all: u64 = (0..large.edges.len())
        .flat_map(|a| (a + 1..large.edges.len()).map(move |b| [a, b]))
        .map(|pair| pair.map(|k| large.edges[k]))
        .filter(|[p, q]| p.iter().all(|end| !q.contains(end)))
        .map(|[p, q]| {
            let four = [p[0], p[1], q[0], q[1]];
            let [from, to] = [&before, &after].map(|x| four.map(|p| x[p as usize]));
            u64::from(segment_segment_crossings(from, to))
        })
        .sum();
    assert_eq!(large.crossings(&before, &after).0, all);
    assert!(all > 10, "{all} crossings of segments");
}

/// A stick goes down through a stick and through a triangle: once each, whatever the direction.
#[test]
fn a_stick_that_goes_through_is_counted_once() {
    let fixed = [DVec3::new(-1.0, 0.0, 0.0), DVec3::new(1.0, 0.0, 0.0), DVec3::new(0.0, 0.0, 3.0)];
    let stick = |y: f64, z: f64| [DVec3::new(0.0, y, z - 0.3), DVec3::new(0.1, y, z + 0.3)];
    for (z, triangles, segments, expected) in [
        (0.0, vec![], vec![[0, 1], [3, 4]], 1),
        (0.5, vec![], vec![[0, 1], [3, 4]], 0),
        // Two ends through the triangle; none of its sides.
        (1.0, vec![[0, 1, 2]], vec![[3, 4]], 2),
    ] {
        let at = |y: f64| [fixed.as_slice(), &stick(y, z)].concat();
        let verifier = Verifier::new(shapes(triangles, segments, &at(0.2), 0.0));
        for [from, to] in [[0.2, -0.2], [-0.2, 0.2]] {
            assert_eq!(verifier.crossings(&at(from), &at(to)).0, expected, "at {z}");
        }
        assert_eq!(verifier.crossings(&at(0.2), &at(0.1)).0, 0);
        assert_eq!(verifier.look(&at(0.05)).intersections, 0);
    }
}

#[test]
fn the_depth_of_two_bodies_is_a_share_of_their_thickness() {
    let x = [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.03, -1.0], [0.0, 0.03, 1.0]].map(DVec3::from_array);
    let mut two = shapes(vec![], vec![[0, 1], [2, 3]], &x, 0.02);
    two.bodies = vec![[0, 0], [0, 1], [1, 0], [1, 1]];
    two.names.push("other".into());
    let found = Verifier::new(two.clone()).look(&x);
    assert!((found.max_depth - 0.25).abs() < 1e-12, "{found:?}");
    assert_eq!(found.deepest.unwrap().things, ["edge 0-1 of `soup`", "edge 0-1 of `other`"]);
    two.excluded = vec![[0, 1]];
    assert_eq!(Verifier::new(two).look(&x).max_depth, 0.0);
}

/// Against a fine net of points on both.
#[test]
fn distances_are_the_smallest_of_many_points() {
    let mut random = Random(5);
    const FINE: i32 = 60;
    let grid = || (0..=FINE).map(|k| f64::from(k) / f64::from(FINE));
    for _ in 0..40 {
        let [a, b, c, d] = [(); 4].map(|()| random.vector());
        let on_triangle = grid()
            .flat_map(|s| grid().filter(move |t| s + t <= 1.0).map(move |t| b + (c - b) * s + (d - b) * t));
        let least = on_triangle.map(|q| a.distance(q)).fold(f64::INFINITY, f64::min);
        let exact = point_triangle(a, [b, c, d]);
        assert!(exact <= least + 1e-12 && exact > least - 0.06, "{exact} {least}");
        let on_both = grid().flat_map(|s| grid().map(move |t| (a + (b - a) * s).distance(c + (d - c) * t)));
        let least = on_both.fold(f64::INFINITY, f64::min);
        let exact = segment_segment([a, b], [c, d]);
        assert!(exact <= least + 1e-12 && exact > least - 0.06, "{exact} {least}");
    }
}

#[test]
fn linked_rings_have_a_whole_linking_number() {
    let ring = |centre: DVec3, u: DVec3, v: DVec3, turns: f64| -> Vec<DVec3> {
        let angle = |k: i32| f64::from(k) * turns * std::f64::consts::TAU / 40.0;
        (0..40).map(|k| centre + u * angle(k).cos() + v * angle(k).sin()).collect()
    };
    let first = ring(DVec3::ZERO, DVec3::X, DVec3::Y, 1.0);
    for (centre, expected) in [(0.9, 1.0), (2.5, 0.0)] {
        let second = ring(DVec3::new(centre, 0.0, 0.1), DVec3::X, DVec3::Z, 1.0);
        let number = linking(&first, &second);
        assert!((number.abs() - expected).abs() < 1e-9, "{number}");
        assert!((linking(&second, &first) - number).abs() < 1e-9);
    }
}

#[test]
fn a_watcher_keeps_the_worst_of_a_run() {
    let x = |y: f64| {
        [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, y, -1.0], [0.0, y, 1.0]].map(DVec3::from_array).to_vec()
    };
    let mut watcher = Watcher::new(shapes(vec![], vec![[0, 1], [2, 3]], &x(0.3), 0.02));
    for y in [0.3, 0.1, 0.05, -0.05, -0.1] {
        watcher.look(&x(y));
    }
    assert_eq!((watcher.report.states, watcher.report.crossings, watcher.report.intersections), (5, 1, 0));
    assert_eq!(watcher.report.places[0].0, 3);
    assert_eq!(watcher.report.max_depth, 0.0);
}
