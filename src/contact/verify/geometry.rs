//! Distances, intersections and crossings of triangles and segments in f64.

use super::exact::side;
use glam::DVec3;

/// Where a moving pair crosses: the share of the motion.
const BISECTIONS: u32 = 60;

fn point_segment(p: DVec3, [a, b]: [DVec3; 2]) -> f64 {
    let d = b - a;
    let along =
        if d.length_squared() > 0.0 { ((p - a).dot(d) / d.length_squared()).clamp(0.0, 1.0) } else { 0.0 };
    p.distance(a + d * along)
}

/// The barycentric coordinates of b and c at a point's projection; nothing for a triangle without area.
fn projected(p: DVec3, [a, b, c]: [DVec3; 3]) -> Option<[f64; 2]> {
    let (u, v, w) = (b - a, c - a, p - a);
    let n = u.cross(v);
    let square = n.length_squared();
    (square > 0.0).then(|| [w.cross(v).dot(n) / square, u.cross(w).dot(n) / square])
}

/// Where along two lines their points are nearest; nothing if they are parallel.
fn nearest_on_lines([a, b]: [DVec3; 2], [c, d]: [DVec3; 2]) -> Option<[f64; 2]> {
    let (u, v, w) = (b - a, d - c, c - a);
    let n = u.cross(v);
    let square = n.length_squared();
    (square > 0.0).then(|| [w.cross(v).dot(n) / square, w.cross(u).dot(n) / square])
}

fn inside(x: f64) -> bool {
    (0.0..=1.0).contains(&x)
}

/// From a point to a triangle [m].
pub fn point_triangle(p: DVec3, [a, b, c]: [DVec3; 3]) -> f64 {
    if let Some([s, t]) = projected(p, [a, b, c])
        && s >= 0.0
        && t >= 0.0
        && s + t <= 1.0
    {
        return p.distance(a + (b - a) * s + (c - a) * t);
    }
    [[a, b], [b, c], [c, a]].into_iter().map(|edge| point_segment(p, edge)).fold(f64::INFINITY, f64::min)
}

/// From a segment to another [m].
pub fn segment_segment(p: [DVec3; 2], q: [DVec3; 2]) -> f64 {
    if let Some([s, t]) = nearest_on_lines(p, q)
        && inside(s)
        && inside(t)
    {
        return (p[0] + (p[1] - p[0]) * s).distance(q[0] + (q[1] - q[0]) * t);
    }
    let ends = [(p[0], q), (p[1], q), (q[0], p), (q[1], p)];
    ends.into_iter().map(|(end, other)| point_segment(end, other)).fold(f64::INFINITY, f64::min)
}

/// Whether a segment goes through a triangle. A point exactly in the plane counts as above it, so that a vertex that touches
/// is no intersection from one side.
pub fn segment_through_triangle([p, q]: [DVec3; 2], [a, b, c]: [DVec3; 3]) -> bool {
    let above = |p: DVec3| side(a, b, c, p) >= 0;
    if above(p) == above(q) {
        return false;
    }
    let turns = [side(p, q, a, b), side(p, q, b, c), side(p, q, c, a)];
    turns.iter().all(|&s| s >= 0) || turns.iter().all(|&s| s <= 0)
}

/// How often four points that move straight come into one plane with a point on the triangle: p, then its corners.
pub fn point_triangle_crossings(before: [DVec3; 4], after: [DVec3; 4]) -> u32 {
    crossings(before, after, |[p, a, b, c]| {
        projected(p, [a, b, c]).is_some_and(|[s, t]| s >= 0.0 && t >= 0.0 && s + t <= 1.0)
    })
}

/// As [`point_triangle_crossings`] for two segments that go through each other.
pub fn segment_segment_crossings(before: [DVec3; 4], after: [DVec3; 4]) -> u32 {
    crossings(before, after, |[a, b, c, d]| {
        nearest_on_lines([a, b], [c, d]).is_some_and(|[s, t]| inside(s) && inside(t))
    })
}

/// Counts the moments at which the volume of four points changes its sign and `touches` says that they meet.
fn crossings(before: [DVec3; 4], after: [DVec3; 4], touches: impl Fn([DVec3; 4]) -> bool) -> u32 {
    let at = |t: f64| [0, 1, 2, 3].map(|k| before[k] + (after[k] - before[k]) * t);
    let sign = |t: f64| {
        let [a, b, c, d] = at(t);
        side(a, b, c, d)
    };
    let mut ends = vec![0.0];
    ends.extend(extremes(before, after));
    ends.push(1.0);
    let mut count = 0;
    for pair in ends.windows(2) {
        let ([mut low, mut high], first) = ([pair[0], pair[1]], sign(pair[0]));
        if first == 0 || sign(high) != -first {
            continue;
        }
        for _ in 0..BISECTIONS {
            let middle = 0.5 * (low + high);
            if sign(middle) == first { low = middle } else { high = middle }
        }
        count += u32::from(touches(at(high)));
    }
    count
}

/// Where the volume, a cubic in time, is neither growing nor falling, in order.
fn extremes(before: [DVec3; 4], after: [DVec3; 4]) -> Vec<f64> {
    let way = [0, 1, 2, 3].map(|k| after[k] - before[k]);
    let edge = |points: &[DVec3; 4]| [0, 1, 2].map(|k| points[k] - points[3]);
    let ([p, q, r], [u, v, w]) = (edge(&before), edge(&way));
    let det = |a: DVec3, b: DVec3, c: DVec3| a.dot(b.cross(c));
    let linear = det(u, q, r) + det(p, v, r) + det(p, q, w);
    let square = det(u, v, r) + det(u, q, w) + det(p, v, w);
    let cubic = det(u, v, w);
    // 3 cubic t² + 2 square t + linear = 0, in the form that does not cancel.
    let discriminant = square * square - 3.0 * cubic * linear;
    if discriminant.is_nan() || discriminant < 0.0 {
        return Vec::new();
    }
    let half = -(square + square.signum() * discriminant.sqrt());
    let mut times: Vec<f64> =
        [half / (3.0 * cubic), linear / half].into_iter().filter(|t| *t > 0.0 && *t < 1.0).collect();
    times.sort_by(f64::total_cmp);
    times
}

/// How often two closed curves wind around each other: the sum of the signed solid angles of their segments over 4π
/// (Klenin, Langowski 2000). Near a whole number unless they touch.
pub fn linking(first: &[DVec3], second: &[DVec3]) -> f64 {
    let segments = |curve: &[DVec3]| -> Vec<[DVec3; 2]> {
        (0..curve.len()).map(|k| [curve[k], curve[(k + 1) % curve.len()]]).collect()
    };
    let second = segments(second);
    let pairs = segments(first).into_iter().flat_map(|p| second.iter().map(move |q| (p, *q)));
    pairs.map(|([a, b], [c, d])| solid_angle(a, b, c, d)).sum::<f64>() / (4.0 * std::f64::consts::PI)
}

fn solid_angle(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> f64 {
    let [ac, ad, bd, bc] = [c - a, d - a, d - b, c - b];
    let normals = [ac.cross(ad), ad.cross(bd), bd.cross(bc), bc.cross(ac)].map(|n| n.normalize_or_zero());
    let sum: f64 = (0..4).map(|k| normals[k].dot(normals[(k + 1) % 4]).clamp(-1.0, 1.0).asin()).sum();
    sum * (d - c).cross(b - a).dot(ac).signum()
}
