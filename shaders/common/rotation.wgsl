// The rotation of a tetrahedron: R of F = R S, for every F there can be. See `src/solids/rotation.rs`.

const ROTATION_TRAVEL: u32 = 0u;
const ROTATION_FORGETFUL: u32 = 1u;
const ROTATION_SMALLEST: u32 = 2u;
const ROTATION_LARGEST: u32 = 3u;

const ROTATION_LEAST: f32 = 1e-4;       // a stretch below it has no direction, times the largest or 1
const ROTATION_FLAT: f32 = 1e-6;        // |det F| over |F|³ of what is neither upright nor inverted
const ROTATION_STEPS: u32 = 8u;         // Newton steps before the eigenvectors are asked
const ROTATION_CLOSE: f32 = 9.1e-13;    // squared asymmetry of RᵀF, of a matrix of size 1, that is rounding
const ROTATION_EXACT: f32 = 5.6843e-14; // the same of what cannot be better
const ROTATION_LAST: f32 = 7.4506e-9;   // the squared angle of a step that needs none after it
const ROTATION_OPEN: f32 = 1e-3;        // |det(tr S − S)| below which two stretches are opposite
const ROTATION_SWEEPS: u32 = 6u;        // sweeps of Jacobi rotations
const ROTATION_TIE: f32 = 1.001;         // how much nearer a vertex must be than one before it
const ROTATION_PARALLEL: f32 = 1e-7;    // |g · p| over |g| of a vertex that moves along its opposite face

struct Rotation {
    q: vec4<f32>,
    memory: u32,    // the vertex remembered, 1 to 4; 0 for none
}

fn rotation_matrix(q: vec4<f32>) -> mat3x3<f32> {
    return mat3x3<f32>(
        vec3<f32>(1.0 - 2.0 * (q.y * q.y + q.z * q.z), 2.0 * (q.x * q.y + q.w * q.z), 2.0 * (q.x * q.z - q.w * q.y)),
        vec3<f32>(2.0 * (q.x * q.y - q.w * q.z), 1.0 - 2.0 * (q.x * q.x + q.z * q.z), 2.0 * (q.y * q.z + q.w * q.x)),
        vec3<f32>(2.0 * (q.x * q.z + q.w * q.y), 2.0 * (q.y * q.z - q.w * q.x), 1.0 - 2.0 * (q.x * q.x + q.y * q.y)),
    );
}

fn rotation_extract(
    f: mat3x3<f32>,
    g0: vec3<f32>, g1: vec3<f32>, g2: vec3<f32>, g3: vec3<f32>,
    strategy: u32,
    before: vec4<f32>,
    memory: u32,
) -> Rotation {
    let size = sqrt(dot(f[0], f[0]) + dot(f[1], f[1]) + dot(f[2], f[2]));
    if !(size > ROTATION_LEAST && size < 1e18) { return Rotation(before, memory); }
    let a = f * (1.0 / size);
    let d = dot(a[0], cross(a[1], a[2]));
    if d > ROTATION_FLAT {
        let near = rotation_newton(a, before);
        // A unit quaternion, or nothing.
        if near.w * near.w + dot(near.xyz, near.xyz) > 0.5 { return Rotation(near, 0u); }
        return Rotation(rotation_by_eigenvectors(a, size, g0, g1, g2, g3, ROTATION_SMALLEST, before, 0u).q, 0u);
    }
    if d < -ROTATION_FLAT {
        return rotation_by_eigenvectors(a, size, g0, g1, g2, g3, strategy, before, memory);
    }
    return Rotation(rotation_by_eigenvectors(a, size, g0, g1, g2, g3, ROTATION_SMALLEST, before, 0u).q, memory);
}

// How RᵀA fails to be symmetric, and the turn that mends it.
struct RotationAsymmetry {
    twice: vec3<f32>,
    omega: vec3<f32>,
    determinant: f32,  // of tr S − S
    definite: bool,    // whether the rotation is near the polar one
}

fn rotation_asymmetry(a: mat3x3<f32>, q: vec4<f32>) -> RotationAsymmetry {
    let b = transpose(rotation_matrix(q)) * a;
    let trace = b[0].x + b[1].y + b[2].z;
    let diagonal = vec3<f32>(trace) - vec3<f32>(b[0].x, b[1].y, b[2].z);
    // xy, yz, zx of tr S − S
    let off = -0.5 * vec3<f32>(b[0].y + b[1].x, b[1].z + b[2].y, b[2].x + b[0].z);
    let twice = vec3<f32>(b[1].z - b[2].y, b[2].x - b[0].z, b[0].y - b[1].x);
    let c = diagonal.yzx * diagonal.zxy - off.yzx * off.yzx;
    let e = off.yzx * off.zxy - off * diagonal.zxy;
    let determinant = diagonal.x * c.x + off.x * e.x + off.z * e.z;
    let omega = (c * twice + e * twice.yzx + e.zxy * twice.zxy) / determinant;
    return RotationAsymmetry(twice, omega, determinant, diagonal.x > 0.0 && c.z > 0.0 && determinant > 0.0);
}

// The polar rotation of an upright matrix by Newton's method, or zero if it is not near.
fn rotation_newton(a: mat3x3<f32>, before: vec4<f32>) -> vec4<f32> {
    var q = before;
    for (var step = 0u; step < ROTATION_STEPS; step++) {
        let wrong = rotation_asymmetry(a, q);
        if !wrong.definite { return vec4<f32>(); }
        let square = dot(wrong.twice, wrong.twice);
        if square < ROTATION_EXACT { return q; }
        if dot(wrong.omega, wrong.omega) < ROTATION_LAST { return rotation_turned(q, wrong.omega); }
        if square < ROTATION_CLOSE { return q; }
        q = rotation_turned(q, wrong.omega);
    }
    return vec4<f32>();
}

// q (ω/2, 1), of unit length again.
fn rotation_turned(q: vec4<f32>, omega: vec3<f32>) -> vec4<f32> {
    let u = 0.5 * omega;
    return normalize(vec4<f32>(q.xyz + q.w * u + cross(q.xyz, u), q.w - dot(q.xyz, u)));
}

// The rotation of a matrix of size 1, which was `size`, by its principal stretches.
fn rotation_by_eigenvectors(
    a: mat3x3<f32>,
    size: f32,
    g0: vec3<f32>, g1: vec3<f32>, g2: vec3<f32>, g3: vec3<f32>,
    strategy: u32,
    before: vec4<f32>,
    memory: u32,
) -> Rotation {
    var p = rotation_eigenvectors(a);
    var images = a * p;
    // AᵀA knows the plane of two small stretches and not the directions: make their images orthogonal once more.
    let square = dot(images[0], images[0]);
    if square > 0.0 {
        images[1] -= (dot(images[0], images[1]) / square) * images[0];
        images[2] -= (dot(images[0], images[2]) / square) * images[0];
    }
    let small = rotation_jacobi(dot(images[1], images[1]), dot(images[2], images[2]), dot(images[1], images[2]));
    let p1 = small.y * p[1] - small.z * p[2];
    let p2 = small.z * p[1] + small.y * p[2];
    let y = small.y * images[1] - small.z * images[2];
    let z = small.z * images[1] + small.y * images[2];
    if dot(y, y) < dot(z, z) {
        p = mat3x3<f32>(p[0], p2, p1);
        images = mat3x3<f32>(images[0], z, y);
    } else {
        p = mat3x3<f32>(p[0], p1, p2);
        images = mat3x3<f32>(images[0], y, z);
    }
    let stretches = vec3<f32>(length(images[0]), length(images[1]), length(images[2]));
    let least = ROTATION_LEAST * max(stretches.x, 1.0 / size);
    var k = 2u;
    var remembered = memory;
    if stretches.z > least {
        if strategy == ROTATION_TRAVEL || strategy == ROTATION_FORGETFUL {
            let asked = select(0u, memory, strategy == ROTATION_TRAVEL);
            let found = rotation_least_travel(stretches, p, g0, g1, g2, g3, asked);
            k = found.x;
            remembered = found.y;
        } else if strategy == ROTATION_LARGEST {
            k = 0u;
        }
    }
    let i = select(0u, 1u, k == 0u);
    let j = 3u - k - i;
    if !(stretches[i] > least) { return Rotation(before, remembered); }
    let ui = images[i] / stretches[i];
    let turn = rotation_matrix(before);
    var side = images[j];
    if !(stretches[j] > least) {
        side = turn * p[j];
        let across = side - dot(ui, side) * ui;
        if dot(across, across) < 1e-2 { side = cross(turn * p[k], ui); }
    }
    let across = side - dot(ui, side) * ui;
    let uj = across / length(across);
    let uk = dot(cross(p[i], p[j]), p[k]) * cross(ui, uj);
    var u = mat3x3<f32>();
    u[i] = ui;
    u[j] = uj;
    u[k] = uk;
    var q = rotation_quaternion(u * transpose(p));
    let wrong = rotation_asymmetry(a, q);
    if abs(wrong.determinant) > ROTATION_OPEN { q = rotation_turned(q, wrong.omega); }
    return Rotation(q, remembered);
}

// The stretch along which a vertex has the least way through its opposite face, and that vertex, 1 to 4.
fn rotation_least_travel(
    stretches: vec3<f32>,
    directions: mat3x3<f32>,
    g0: vec3<f32>, g1: vec3<f32>, g2: vec3<f32>, g3: vec3<f32>,
    asked: u32,
) -> vec2<u32> {
    var p = directions;
    var gradients = array<vec3<f32>, 4>(g0, g1, g2, g3);
    var best = 1.0;
    var slope = 0.0;
    var found = vec2<u32>(2u, asked);
    for (var c = 0u; c < 4u; c++) {
        if asked != 0u && asked != c + 1u { continue; }
        let g = gradients[c];
        let parallel = dot(g, g) * (ROTATION_PARALLEL * ROTATION_PARALLEL);
        for (var j = 0u; j < 3u; j++) {
            let along = abs(dot(g, p[j]));
            if along * along > parallel && stretches[j] * slope * ROTATION_TIE < best * along {
                best = stretches[j];
                slope = along;
                found = vec2<u32>(j, c + 1u);
            }
        }
    }
    return found;
}

// Tangent, cosine and sine of the rotation below 45° that takes a symmetric 2×2 matrix to its diagonal.
fn rotation_jacobi(xx: f32, yy: f32, off: f32) -> vec3<f32> {
    if off == 0.0 { return vec3<f32>(0.0, 1.0, 0.0); }
    let theta = (yy - xx) / (2.0 * off);
    let t = select(1.0, -1.0, theta < 0.0) / (abs(theta) + sqrt(theta * theta + 1.0));
    let cosine = 1.0 / sqrt(t * t + 1.0);
    return vec3<f32>(t, cosine, t * cosine);
}

// The eigenvectors of AᵀA by falling eigenvalue, as columns.
fn rotation_eigenvectors(a: mat3x3<f32>) -> mat3x3<f32> {
    return rotation_symmetric_eigenvectors(transpose(a) * a);
}

// The eigenvectors of a symmetric matrix by falling eigenvalue, as columns.
fn rotation_symmetric_eigenvectors(matrix: mat3x3<f32>) -> mat3x3<f32> {
    var c = matrix;
    var p = mat3x3<f32>(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
    // Three times the first two axes, renamed in between: after a sweep the names are as before.
    for (var step = 0u; step < 3u * ROTATION_SWEEPS; step++) {
        let off = c[0].y;
        if off != 0.0 {
            let turn = rotation_jacobi(c[0].x, c[1].y, off);
            let t = turn.x;
            let cosine = turn.y;
            let sine = turn.z;
            let xz = cosine * c[0].z - sine * c[1].z;
            let yz = sine * c[0].z + cosine * c[1].z;
            c = mat3x3<f32>(
                vec3<f32>(c[0].x - t * off, 0.0, xz),
                vec3<f32>(0.0, c[1].y + t * off, yz),
                vec3<f32>(xz, yz, c[2].z),
            );
            p = mat3x3<f32>(cosine * p[0] - sine * p[1], sine * p[0] + cosine * p[1], p[2]);
        }
        c = mat3x3<f32>(c[1].yzx, c[2].yzx, c[0].yzx);
        p = mat3x3<f32>(p[1], p[2], p[0]);
    }
    var d = vec3<f32>(c[0].x, c[1].y, c[2].z);
    if d.x < d.y { d = d.yxz; p = mat3x3<f32>(p[1], p[0], p[2]); }
    if d.y < d.z { d = d.xzy; p = mat3x3<f32>(p[0], p[2], p[1]); }
    if d.x < d.y { p = mat3x3<f32>(p[1], p[0], p[2]); }
    return p;
}

// The quaternion of a rotation matrix, from its largest component.
fn rotation_quaternion(m: mat3x3<f32>) -> vec4<f32> {
    let xx = m[0].x;
    let yy = m[1].y;
    let zz = m[2].z;
    let difference = vec3<f32>(m[1].z - m[2].y, m[2].x - m[0].z, m[0].y - m[1].x);
    let sum = vec3<f32>(m[1].z + m[2].y, m[2].x + m[0].z, m[0].y + m[1].x);
    if xx + yy + zz > 0.0 { return normalize(vec4<f32>(difference, 1.0 + xx + yy + zz)); }
    if xx > yy && xx > zz { return normalize(vec4<f32>(1.0 + xx - yy - zz, sum.z, sum.y, difference.x)); }
    if yy > zz { return normalize(vec4<f32>(sum.z, 1.0 + yy - xx - zz, sum.x, difference.y)); }
    return normalize(vec4<f32>(sum.y, sum.x, 1.0 + zz - xx - yy, difference.z));
}
