//! The geometry and the law of contact between bodies in f64, against finite differences and the verifier's own geometry.

use glam::DVec3;
use sinew::contact::nearest::{dividing_plane, nearest};
use sinew::contact::touch::{Impulse, begin, project};
use sinew::contact::verify::{point_triangle, segment_segment};
use sinew::math::Vec3;

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

/// Corners relative to the last one.
fn local(x: [DVec3; 4]) -> [Vec3<f64>; 4] {
    x.map(|corner| Vec3::of((corner - x[3]).to_array()))
}

/// Four corners: anywhere, slivers, edges that are nearly parallel, and a point for an edge.
fn pairs(count: usize) -> impl Iterator<Item = [DVec3; 4]> {
    let mut random = Random(3);
    (0..count).map(move |k| {
        let mut x = [(); 4].map(|()| random.vector());
        match k % 5 {
            1 => x[3] = x[2] + 1e-3 * random.vector(),
            2 => x[3] = x[2] + (x[1] - x[0]) * (1.0 + random.next()) + 1e-6 * random.vector(),
            3 => x[1] = x[0],
            _ => {}
        }
        x
    })
}

fn distance(x: [DVec3; 4], are_edges: bool) -> f64 {
    nearest(local(x), are_edges).vector.length()
}

#[test]
fn nearest_points_are_as_near_as_the_verifier_says() {
    for (k, x) in pairs(5000).enumerate() {
        let [a, b, c, d] = x;
        let point = (distance(x, false), point_triangle(a, [b, c, d]));
        let edges = (distance(x, true), segment_segment([a, b], [c, d]));
        // Edges within the threshold of parallels are as near as that allows.
        for (found, exact) in [point, edges] {
            assert!((found - exact).abs() < 2e-3, "pair {k}: {found} is not {exact}");
            assert!(k % 5 == 2 || (found - exact).abs() < 1e-6, "pair {k}: {found} is not {exact}");
        }
    }
}

/// d|d|/dxₖ = aₖ n, which is what makes the impulses of a contact those of its gap.
#[test]
fn weights_are_the_derivative_of_the_distance() {
    const STEP: f64 = 1e-6;
    for (k, x) in pairs(400).enumerate().filter(|(k, _)| k % 5 == 0 || k % 5 == 4) {
        for are_edges in [false, true] {
            let found = nearest(local(x), are_edges);
            let n = found.vector / found.vector.length();
            for corner in 0..4 {
                for (axis, along) in [(DVec3::X, n.x), (DVec3::Y, n.y), (DVec3::Z, n.z)] {
                    let at = |step: f64| {
                        let mut y = x;
                        y[corner] += axis * step;
                        distance(y, are_edges)
                    };
                    let slope = (at(STEP) - at(-STEP)) / (2.0 * STEP);
                    let expected = found.weights[corner] * along;
                    assert!(
                        (slope - expected).abs() < 1e-4,
                        "pair {k}, corner {corner}: {slope}, {expected}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_dividing_plane_has_the_sides_apart_by_what_it_says() {
    let mut certified = 0;
    for (k, x) in pairs(4000).enumerate() {
        for are_edges in [false, true] {
            let plane = dividing_plane(local(x), are_edges);
            let heights = local(x).map(|corner| plane.normal.dot(corner));
            let (first, second) = heights.split_at(if are_edges { 2 } else { 1 });
            let low = first.iter().copied().fold(f64::INFINITY, f64::min);
            let high = second.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            assert!((low - high - plane.separation).abs() < 1e-12, "pair {k}");
            assert!(plane.separation <= distance(x, are_edges) + 1e-9, "pair {k}: more than the distance");
            // A corner of the triangle itself is no pair.
            let apart = are_edges || k % 5 != 3;
            certified += usize::from(apart && plane.separation > 0.99 * distance(x, are_edges));
        }
    }
    assert!(certified > 7190, "only {certified} planes of 7200 use the whole distance");
}

/// A spring that carries its load begins a substep with it and keeps it; one that is too deep for its load comes out slowly.
#[test]
fn a_contact_rests_where_its_spring_carries_the_load() {
    let (mass, kappa, g_dt2): (f64, f64, f64) = (0.3, 30.0, 2e-5);
    let (n, tilde) = (Vec3::new(0.0, 1.0, 0.0), 1.0 / (mass * kappa));
    let depth = g_dt2 / kappa;
    let none = Vec3::ZERO;
    let normal = begin(n, -depth, tilde, none, 0.5).normal;
    assert!((normal / (mass * g_dt2) - 1.0).abs() < 1e-12, "{normal}");
    let before = Impulse { normal, tangential: none };
    let held = begin(n, -depth, tilde, Vec3::new(normal, normal, 0.0), 0.5);
    assert!((held.tangential.x - 0.5 * normal).abs() < 1e-18 && held.tangential.y == 0.0, "{held:?}");
    let push = |before: Impulse<f64>, gap: f64, along: f64, way_out: f64| {
        project(before, (n, gap), Vec3::new(0.0, along, 0.0), [1.0 / mass, tilde], way_out, [0.0; 2])
    };
    let after = push(before, -depth, 0.0, 1.0);
    assert!((after.normal / normal - 1.0).abs() < 1e-12, "at rest it goes from {normal} to {}", after.normal);
    // From any impulse one iteration finds what gap and impulse agree on, also without a load.
    let deep = push(before, -1e-3, normal / mass, 1.0);
    let left = -1e-3 + deep.normal / mass;
    assert!((deep.normal * tilde + left).abs() < 1e-15 && left < 0.0, "{left}");
    let slow = push(before, -1e-3, normal / mass, 1e-5);
    assert!((slow.normal / mass - 1e-5).abs() < 1e-15, "it parts by {}", slow.normal / mass);
}

#[test]
fn friction_holds_up_to_the_static_cone_and_slides_with_the_kinetic_one() {
    let n = Vec3::new(0.0, 1.0, 0.0);
    let none = Impulse { normal: 0.0, tangential: Vec3::ZERO };
    let project = |gap: f64, along: f64| {
        project(none, (n, gap), Vec3::new(along, 0.0, 0.0), [2.0, 0.0], 1.0, [0.5, 0.4])
    };
    let sticks = project(-1e-3, 4e-4);
    assert!((sticks.tangential.x + 2e-4).abs() < 1e-15, "{sticks:?}");
    let slips = project(-1e-3, 6e-4);
    assert!((slips.tangential.x + 0.4 * slips.normal).abs() < 1e-15, "{slips:?}");
    assert_eq!(project(1e-3, 1e-3), none);
}
