//! Where two things are nearest, and a plane between them: the geometry of contact, on pairs of four corners.
//!
//! A pair is a particle and a triangle (corner 0; corners 1, 2, 3) or two edges (corners 0, 1; corners 2, 3). Its corners are given
//! relative to the last of them, so that far from the origin no digits are lost. The nearest points are weighted means of the corners:
//!
//!   d = Σ aₖ xₖ        Σ aₖ = 0        aₖ ≥ 0 on the first side, ≤ 0 on the second
//!
//! Regions of the triangle as in Ericson 2005, ch. 5. Edges that are parallel to [`PARALLEL`] meet in the middle of the first one, as far as
//! the second reaches. A wrong choice there costs room, never safety: a plane is certified by the signed distances of all four corners,
//! and the nearest points only propose it.

use crate::math::{Real, Vec3};

/// 1 − cos² of the angle below which edges count as parallel.
pub const PARALLEL: f64 = 1e-6;

/// How far beyond its rim a particle still counts as above a triangle, as a share of its height.
pub const RIM: f64 = 0.01;

/// The nearest points of a pair.
#[derive(Clone, Copy, Debug)]
pub struct Nearest<R> {
    /// From the second side to the first [m].
    pub vector: Vec3<R>,
    pub weights: [R; 4],
    /// A bit for each corner at which an edge's nearest point is; for a triangle all bits if the particle is not above it.
    pub ends: u32,
}

/// The nearest point on a segment to a point p, as a share of the segment.
#[inline(always)]
fn along<R: Real>(p: Vec3<R>, a: Vec3<R>, b: Vec3<R>) -> R {
    let d = b - a;
    let square = d.dot(d);
    R::select(square > R::ZERO, ((p - a).dot(d) / square).clamp(R::ZERO, R::ONE), R::ZERO)
}

/// A particle and a triangle.
#[inline(always)]
pub fn point_triangle<R: Real>([p, a, b, c]: [Vec3<R>; 4]) -> Nearest<R> {
    let (ab, ac, ap, bp, cp) = (b - a, c - a, p - a, p - b, p - c);
    let (d1, d2, d3, d4, d5, d6) = (ab.dot(ap), ac.dot(ap), ab.dot(bp), ac.dot(bp), ab.dot(cp), ac.dot(cp));
    let (va, vb, vc) = (d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2);
    let sum = va + vb + vc;
    let within = va > R::ZERO && vb > R::ZERO && vc > R::ZERO && sum > R::ZERO;
    // Grids that lie on each other have their vertices exactly above each other: they must not miss each other by rounding.
    let least = -R::of(RIM) * sum;
    let is_above = va > least && vb > least && vc > least && sum > R::ZERO;
    // The weight of a corner that has no part is zero itself, no sum that rounds to it: who asks for the rim asks for that.
    let (mut of_a, mut s, mut t) = (R::ZERO, R::ZERO, R::ZERO);
    if within {
        s = vb / sum;
        t = vc / sum;
        of_a = s + t - R::ONE;
    } else {
        // The nearest of the three edges; the first of equal ones.
        let (on_ab, on_ac, on_bc) = (along(p, a, b), along(p, a, c), along(p, b, c));
        let (to_ab, to_ac) = (ap - ab * on_ab, ap - ac * on_ac);
        let to_bc = bp - (c - b) * on_bc;
        let (e_ab, e_ac, e_bc) = (to_ab.dot(to_ab), to_ac.dot(to_ac), to_bc.dot(to_bc));
        if e_ab <= e_ac && e_ab <= e_bc {
            s = on_ab;
            of_a = on_ab - R::ONE;
        } else if e_ac <= e_bc {
            t = on_ac;
            of_a = on_ac - R::ONE;
        } else {
            s = R::ONE - on_bc;
            t = on_bc;
        }
    }
    Nearest {
        vector: ap - ab * s - ac * t,
        weights: [R::ONE, of_a, -s, -t],
        ends: if is_above { 0 } else { 15 },
    }
}

/// Two edges, either of which may be a point.
#[inline(always)]
pub fn edges<R: Real>([a, b, c, d]: [Vec3<R>; 4]) -> Nearest<R> {
    let (u, v, w) = (b - a, d - c, a - c);
    let (uu, uv, vv, uw, vw) = (u.dot(u), u.dot(v), v.dot(v), u.dot(w), v.dot(w));
    let determinant = uu * vv - uv * uv;
    let crossing = ((uv * vw - vv * uw) / determinant).clamp(R::ZERO, R::ONE);
    let mut s = R::select(determinant > R::of(PARALLEL) * uu * vv, crossing, R::of(0.5));
    let t = R::select(vv > R::ZERO, ((uv * s + vw) / vv).clamp(R::ZERO, R::ONE), R::ZERO);
    s = R::select(uu > R::ZERO, ((uv * t - uw) / uu).clamp(R::ZERO, R::ONE), R::ZERO);
    let bit = |at_end: bool, corner: u32| u32::from(at_end) << corner;
    Nearest {
        vector: w + u * s - v * t,
        weights: [R::ONE - s, s, t - R::ONE, -t],
        ends: bit(s <= R::ZERO, 0) | bit(s >= R::ONE, 1) | bit(t <= R::ZERO, 2) | bit(t >= R::ONE, 3),
    }
}

/// The nearest points of either kind of pair.
#[inline(always)]
pub fn nearest<R: Real>(corners: [Vec3<R>; 4], are_edges: bool) -> Nearest<R> {
    if are_edges { edges(corners) } else { point_triangle(corners) }
}

/// A direction and how far it keeps the two sides apart: least n · x of the first side minus largest of the second.
#[derive(Clone, Copy, Debug)]
pub struct Plane<R> {
    /// Unit normal, from the second side to the first; 0 if no direction is known.
    pub normal: Vec3<R>,
    /// [m]; negative if it does not divide them.
    pub separation: R,
}

impl<R: Real> Plane<R> {
    /// The better of this plane and those across a direction.
    #[inline(always)]
    fn or(self, corners: &[Vec3<R>; 4], are_edges: bool, direction: Vec3<R>) -> Self {
        let length = direction.length();
        let is_direction = length > R::ZERO;
        if !is_direction {
            return self;
        }
        let n = direction / length;
        let [h0, h1, h2, h3] = corners.map(|x| n.dot(x));
        // Corner 1 is of the first side if that is an edge.
        let first = if are_edges { [h0.min(h1), h0.max(h1)] } else { [h0, h0] };
        let second =
            if are_edges { [h2.min(h3), h2.max(h3)] } else { [h1.min(h2).min(h3), h1.max(h2).max(h3)] };
        let (ahead, behind) = (first[0] - second[1], second[0] - first[1]);
        if ahead > self.separation && ahead >= behind {
            Self { normal: n, separation: ahead }
        } else if behind > self.separation {
            Self { normal: -n, separation: behind }
        } else {
            self
        }
    }
}

/// The plane that keeps a pair's sides furthest apart, of a few that are tried: across the nearest points and, where that does
/// not do, across both edges or the face, and across each end and the other side.
#[inline(always)]
pub fn dividing_plane<R: Real>(corners: [Vec3<R>; 4], are_edges: bool) -> Plane<R> {
    let found = nearest(corners, are_edges);
    let none = Plane { normal: Vec3::ZERO, separation: R::of(-1e30) };
    let mut plane = none.or(&corners, are_edges, found.vector);
    if plane.separation > R::of(0.5) * found.vector.length() {
        return plane;
    }
    let [a, b, c, d] = corners;
    if are_edges {
        plane = plane.or(&corners, true, (b - a).cross(d - c));
        plane = plane.or(&corners, true, a - c - (d - c) * along(a, c, d));
        plane = plane.or(&corners, true, b - c - (d - c) * along(b, c, d));
        plane = plane.or(&corners, true, a - c + (b - a) * along(c, a, b));
        plane = plane.or(&corners, true, a - d + (b - a) * along(d, a, b));
    } else {
        plane = plane.or(&corners, false, (c - b).cross(d - b));
        plane = plane.or(&corners, false, a - b - (c - b) * along(a, b, c));
        plane = plane.or(&corners, false, a - c - (d - c) * along(a, c, d));
        plane = plane.or(&corners, false, a - d - (b - d) * along(a, d, b));
    }
    plane
}

/// A plane along which the sides slide past each other: across the nearest points as far as that is across their motion too, or along
/// both edges or the face.
#[inline(always)]
pub fn sliding_planes<R: Real>(corners: [Vec3<R>; 4], are_edges: bool, ways: [Vec3<R>; 4]) -> [Plane<R>; 2] {
    let found = nearest(corners, are_edges);
    let mut motion = Vec3::ZERO;
    for (way, weight) in ways.into_iter().zip(found.weights) {
        motion += way * weight;
    }
    let square = motion.dot(motion);
    let along = R::select(square > R::ZERO, motion.dot(found.vector) / square, R::ZERO);
    let [a, b, c, d] = corners;
    let flat = if are_edges { (b - a).cross(d - c) } else { (c - b).cross(d - b) };
    let none = Plane { normal: Vec3::ZERO, separation: R::of(-1e30) };
    [found.vector - motion * along, flat].map(|direction| none.or(&corners, are_edges, direction))
}
