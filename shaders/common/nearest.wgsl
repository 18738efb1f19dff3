// Where two things are nearest, and a plane between them. A pair is a particle and a triangle (corner 0; corners 1, 2, 3) or two
// edges (corners 0, 1; corners 2, 3), relative to the last corner.

const NEAREST_PARALLEL: f32 = 1e-6;   // 1 − cos² of the angle below which edges count as parallel

const NEAREST_RIM: f32 = 0.01;        // share of a triangle's height beyond its rim where a particle is still above it

struct Nearest {
    offset: vec3<f32>,     // from the second side to the first [m]
    ends: u32,             // a bit for each corner that is nearest; all bits beside a triangle
    weights: vec4<f32>,    // the offset is the sum of the corners times these
}

// A direction and how far it keeps the two sides apart.
struct NearestPlane {
    normal: vec3<f32>,
    separation: f32,       // [m]; negative if it does not divide them
}

fn nearest_along(p: vec3<f32>, a: vec3<f32>, b: vec3<f32>) -> f32 {
    let d = b - a;
    let square = dot(d, d);
    if square > 0.0 { return clamp(dot(p - a, d) / square, 0.0, 1.0); }
    return 0.0;
}

fn nearest_point_triangle(p: vec3<f32>, a: vec3<f32>, b: vec3<f32>, c: vec3<f32>) -> Nearest {
    let ab = b - a;
    let ac = c - a;
    let ap = p - a;
    let bp = p - b;
    let cp = p - c;
    let d1 = dot(ab, ap);
    let d2 = dot(ac, ap);
    let d3 = dot(ab, bp);
    let d4 = dot(ac, bp);
    let d5 = dot(ab, cp);
    let d6 = dot(ac, cp);
    let va = d3 * d6 - d5 * d4;
    let vb = d5 * d2 - d1 * d6;
    let vc = d1 * d4 - d3 * d2;
    let sum = va + vb + vc;
    let within = va > 0.0 && vb > 0.0 && vc > 0.0 && sum > 0.0;
    let least = -NEAREST_RIM * sum;
    let is_above = va > least && vb > least && vc > least && sum > 0.0;
    // The weight of a corner that has no part is zero itself, no sum that rounds to it: who asks for the rim asks for that.
    var of_a = 0.0;
    var s = 0.0;
    var t = 0.0;
    if within {
        s = vb / sum;
        t = vc / sum;
        of_a = s + t - 1.0;
    } else {
        // The nearest of the three edges; the first of equal ones.
        let on_ab = nearest_along(p, a, b);
        let on_ac = nearest_along(p, a, c);
        let on_bc = nearest_along(p, b, c);
        let to_ab = ap - ab * on_ab;
        let to_ac = ap - ac * on_ac;
        let to_bc = bp - (c - b) * on_bc;
        let e_ab = dot(to_ab, to_ab);
        let e_ac = dot(to_ac, to_ac);
        let e_bc = dot(to_bc, to_bc);
        if e_ab <= e_ac && e_ab <= e_bc {
            s = on_ab;
            of_a = on_ab - 1.0;
        } else if e_ac <= e_bc {
            t = on_ac;
            of_a = on_ac - 1.0;
        } else {
            s = 1.0 - on_bc;
            t = on_bc;
        }
    }
    return Nearest(ap - ab * s - ac * t, select(15u, 0u, is_above), vec4<f32>(1.0, of_a, -s, -t));
}

fn nearest_edges(a: vec3<f32>, b: vec3<f32>, c: vec3<f32>, d: vec3<f32>) -> Nearest {
    let u = b - a;
    let v = d - c;
    let w = a - c;
    let uu = dot(u, u);
    let uv = dot(u, v);
    let vv = dot(v, v);
    let uw = dot(u, w);
    let vw = dot(v, w);
    let determinant = uu * vv - uv * uv;
    var s = 0.5;
    if determinant > NEAREST_PARALLEL * uu * vv { s = clamp((uv * vw - vv * uw) / determinant, 0.0, 1.0); }
    var t = 0.0;
    if vv > 0.0 { t = clamp((uv * s + vw) / vv, 0.0, 1.0); }
    if uu > 0.0 { s = clamp((uv * t - uw) / uu, 0.0, 1.0); } else { s = 0.0; }
    let ends = select(0u, 1u, s <= 0.0) | select(0u, 2u, s >= 1.0) | select(0u, 4u, t <= 0.0) | select(0u, 8u, t >= 1.0);
    return Nearest(w + u * s - v * t, ends, vec4<f32>(1.0 - s, s, t - 1.0, -t));
}

fn nearest_of(corners: array<vec3<f32>, 4>, are_edges: bool) -> Nearest {
    if are_edges { return nearest_edges(corners[0], corners[1], corners[2], corners[3]); }
    return nearest_point_triangle(corners[0], corners[1], corners[2], corners[3]);
}

// The better of a plane and those across a direction.
fn nearest_or(plane: NearestPlane, corners: array<vec3<f32>, 4>, are_edges: bool, direction: vec3<f32>) -> NearestPlane {
    let size = length(direction);
    if !(size > 0.0) { return plane; }
    let n = direction / size;
    let h0 = dot(n, corners[0]);
    let h1 = dot(n, corners[1]);
    let h2 = dot(n, corners[2]);
    let h3 = dot(n, corners[3]);
    let first = select(vec2<f32>(h0, h0), vec2<f32>(min(h0, h1), max(h0, h1)), are_edges);
    let second = select(
        vec2<f32>(min(min(h1, h2), h3), max(max(h1, h2), h3)), vec2<f32>(min(h2, h3), max(h2, h3)), are_edges);
    let ahead = first.x - second.y;
    let behind = second.x - first.y;
    if ahead > plane.separation && ahead >= behind { return NearestPlane(n, ahead); }
    if behind > plane.separation { return NearestPlane(-n, behind); }
    return plane;
}

// The plane that keeps a pair's sides furthest apart, of a few that are tried.
fn nearest_dividing(corners: array<vec3<f32>, 4>, are_edges: bool) -> NearestPlane {
    let found = nearest_of(corners, are_edges);
    var plane = nearest_or(NearestPlane(vec3<f32>(0.0), -1e30), corners, are_edges, found.offset);
    if plane.separation > 0.5 * length(found.offset) { return plane; }
    let a = corners[0];
    let b = corners[1];
    let c = corners[2];
    let d = corners[3];
    if are_edges {
        plane = nearest_or(plane, corners, true, cross(b - a, d - c));
        plane = nearest_or(plane, corners, true, a - c - (d - c) * nearest_along(a, c, d));
        plane = nearest_or(plane, corners, true, b - c - (d - c) * nearest_along(b, c, d));
        plane = nearest_or(plane, corners, true, a - c + (b - a) * nearest_along(c, a, b));
        plane = nearest_or(plane, corners, true, a - d + (b - a) * nearest_along(d, a, b));
    } else {
        plane = nearest_or(plane, corners, false, cross(c - b, d - b));
        plane = nearest_or(plane, corners, false, a - b - (c - b) * nearest_along(a, b, c));
        plane = nearest_or(plane, corners, false, a - c - (d - c) * nearest_along(a, c, d));
        plane = nearest_or(plane, corners, false, a - d - (b - d) * nearest_along(a, d, b));
    }
    return plane;
}

// Planes along which the sides slide past each other: across the nearest points as far as that is across their motion, or along both edges or the face.
fn nearest_sliding(corners: array<vec3<f32>, 4>, are_edges: bool, ways: array<vec3<f32>, 4>) -> array<NearestPlane, 2> {
    let found = nearest_of(corners, are_edges);
    let w = found.weights;
    let motion = ways[0] * w.x + ways[1] * w.y + ways[2] * w.z + ways[3] * w.w;
    let square = dot(motion, motion);
    var along = 0.0;
    if square > 0.0 { along = dot(motion, found.offset) / square; }
    var flat = cross(corners[1] - corners[0], corners[3] - corners[2]);
    if !are_edges { flat = cross(corners[2] - corners[1], corners[3] - corners[1]); }
    let none = NearestPlane(vec3<f32>(0.0), -1e30);
    return array<NearestPlane, 2>(
        nearest_or(none, corners, are_edges, found.offset - motion * along), nearest_or(none, corners, are_edges, flat));
}
