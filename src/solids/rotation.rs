//! The rotation of a tetrahedron: R of F = R S, for every F there can be. Twin of `shaders/common/rotation.wgsl`.
//!
//! Upright tetrahedra (det F > 0) take Newton steps from the rotation they had: with B = RᵀF, S its symmetric part and b
//! the axis of its antisymmetric part,
//!
//!   (tr S − S) ω = 2 b        q ← q (ω/2, 1)
//!
//! which converges quadratically. A rotation that makes RᵀF symmetric with tr S − S positive definite is the polar one.
//!
//! Everything else (inverted, flat, or a start too far away) goes by the eigenvectors p of FᵀF, stretches σ = |F p|:
//!
//!   u_a = F p_a/σ_a        u_b = F p_b/σ_b        u_k = u_a × u_b        R = Σ u pᵀ
//!
//! Nothing is divided by the stretch k, so it may be zero; det R = 1 always, so a stretch of an inverted
//! tetrahedron comes out negative, and k says which (Schmedding 2012, sec. 6.2): the one along which some vertex c has the
//! least way through its opposite face,
//!
//!   ℓ = σ_k / |g_c · p_k|        g_c the gradient of the vertex's barycentric coordinate at rest.
//!
//! This is (6.5) in closed form. The vertex is remembered until the tetrahedron is upright, because eigenvectors change with
//! every step. Where less than two stretches have a direction, the rest comes from the rotation before.

use crate::math::{Mat3, Quat, Real, Vec3};

/// Codes of [`crate::scene::Inversion`] in the order of their names.
pub const TRAVEL: u32 = 0;
pub const FORGETFUL: u32 = 1;
pub const SMALLEST: u32 = 2;
pub const LARGEST: u32 = 3;

/// |det F| over |F|³ within which a tetrahedron counts as flat: neither upright nor inverted.
const ROTATION_FLAT: f64 = 1e-6;
/// Newton steps before the eigenvectors are asked.
const ROTATION_STEPS: u32 = 8;
/// Asymmetry of RᵀF, of a matrix of size 1, that is rounding, in the numbers' own.
const ROTATION_CLOSE: f64 = 8.0;
/// The same of what cannot be better.
const ROTATION_EXACT: f64 = 2.0;
/// The squared angle of a step that needs none after it, in the numbers' rounding.
const ROTATION_LAST: f64 = 0.0625;
/// |det(tr S − S)|, of a matrix of size 1, below which two stretches are opposite and leave the rotation open.
const ROTATION_OPEN: f64 = 1e-3;
/// Sweeps of Jacobi rotations; each squares what is off the diagonal.
const ROTATION_SWEEPS: u32 = 6;
/// |g · p| over |g| below which a vertex counts as moving along its opposite face.
const ROTATION_PARALLEL: f64 = 1e-7;

/// How much nearer a vertex must be than one before it.
const ROTATION_TIE: f64 = 1.001;

/// A stretch below this has no direction, times the largest stretch or 1 (degenerate elements, Schmedding 2012).
#[inline(always)]
fn least_stretch<R: Real>() -> R {
    // 1e-4 in f32 and 1e-9 in f64: four digits above what FᵀF leaves of a small stretch.
    R::of(if R::EPSILON.to_f64() > 1e-10 { 1e-4 } else { 1e-9 })
}

/// The rotation of F, and the vertex remembered: 0 for none, 1 to 4.
#[inline(always)]
pub fn extract<R: Real>(
    f: Mat3<R>,
    gradients: [Vec3<R>; 4],
    strategy: u32,
    before: Quat<R>,
    memory: u32,
) -> (Quat<R>, u32) {
    let size = f.dot(f).sqrt();
    // Nothing to see in a point, or in what is beyond the numbers' range.
    if !(size > least_stretch::<R>() && size < R::of(1e18)) {
        return (before, memory);
    }
    let a = f.scale(R::ONE / size);
    let determinant = a.determinant();
    if determinant > R::of(ROTATION_FLAT) {
        match newton(a, before) {
            Some(q) => (q, 0),
            None => (by_eigenvectors(a, size, gradients, SMALLEST, before, 0).0, 0),
        }
    } else if determinant < -R::of(ROTATION_FLAT) {
        by_eigenvectors(a, size, gradients, strategy, before, memory)
    } else {
        (by_eigenvectors(a, size, gradients, SMALLEST, before, 0).0, memory)
    }
}

/// How RᵀA fails to be symmetric, and the turn that mends it.
struct Asymmetry<R> {
    /// 2 b.
    twice: Vec3<R>,
    omega: Vec3<R>,
    /// Of tr S − S.
    determinant: R,
    /// Whether tr S − S is positive definite: the rotation is near the polar one.
    is_definite: bool,
}

#[inline(always)]
fn asymmetry<R: Real>(a: Mat3<R>, q: Quat<R>) -> Asymmetry<R> {
    let b = q.matrix().transposed_times(a);
    let trace = b.x.x + b.y.y + b.z.z;
    let half = R::of(0.5);
    let (xy, yz, zx) = ((b.x.y + b.y.x) * -half, (b.y.z + b.z.y) * -half, (b.z.x + b.x.z) * -half);
    let (xx, yy, zz) = (trace - b.x.x, trace - b.y.y, trace - b.z.z);
    let twice = Vec3::new(b.y.z - b.z.y, b.z.x - b.x.z, b.x.y - b.y.x);
    let c = Mat3::new(
        Vec3::new(yy * zz - yz * yz, yz * zx - xy * zz, xy * yz - zx * yy),
        Vec3::new(yz * zx - xy * zz, xx * zz - zx * zx, xy * zx - yz * xx),
        Vec3::new(xy * yz - zx * yy, xy * zx - yz * xx, xx * yy - xy * xy),
    );
    let determinant = xx * c.x.x + xy * c.x.y + zx * c.x.z;
    let is_definite = xx > R::ZERO && c.z.z > R::ZERO && determinant > R::ZERO;
    Asymmetry { twice, omega: c.apply(twice) / determinant, determinant, is_definite }
}

/// The polar rotation of an upright matrix by Newton's method, if it is near.
#[inline(always)]
fn newton<R: Real>(a: Mat3<R>, before: Quat<R>) -> Option<Quat<R>> {
    let mut q = before;
    for _ in 0..ROTATION_STEPS {
        let Asymmetry { twice, omega, determinant: _, is_definite } = asymmetry(a, q);
        if !is_definite {
            return None;
        }
        let square = twice.dot(twice);
        let within = |roundings: f64| {
            let size = R::of(roundings) * R::EPSILON;
            square < size * size
        };
        // What is exact but for rounding stays as it is, so that a body at rest does.
        if within(ROTATION_EXACT) {
            return Some(q);
        }
        // After a small step what is left is its square.
        if omega.dot(omega) < R::of(ROTATION_LAST) * R::EPSILON {
            return Some(turned(q, omega));
        }
        // A large step from a small asymmetry is one of nearly flat elements, and leads nowhere.
        if within(ROTATION_CLOSE) {
            return Some(q);
        }
        q = turned(q, omega);
    }
    None
}

/// q (ω/2, 1), of unit length again.
#[inline(always)]
fn turned<R: Real>(q: Quat<R>, omega: Vec3<R>) -> Quat<R> {
    let u = omega * R::of(0.5);
    let v = Vec3::new(q.x, q.y, q.z);
    let xyz = v + u * q.w + v.cross(u);
    let w = q.w - v.dot(u);
    let s = R::ONE / (xyz.dot(xyz) + w * w).sqrt();
    Quat { x: xyz.x * s, y: xyz.y * s, z: xyz.z * s, w: w * s }
}

/// The rotation of a matrix of size 1, which was `size`, by its principal stretches.
#[inline(always)]
fn by_eigenvectors<R: Real>(
    a: Mat3<R>,
    size: R,
    gradients: [Vec3<R>; 4],
    strategy: u32,
    before: Quat<R>,
    memory: u32,
) -> (Quat<R>, u32) {
    let (p, images) = principal(a);
    let stretches = images.map(|u| u.length());
    let least = least_stretch::<R>() * stretches[0].max(R::ONE / size);
    let (mut k, mut remembered) = (2, memory);
    // A stretch without a direction must be the one that is not divided by.
    if stretches[2] > least {
        match strategy {
            TRAVEL | FORGETFUL => {
                let asked = if strategy == TRAVEL { memory } else { 0 };
                (k, remembered) = least_travel(stretches, &p, gradients, asked);
            }
            LARGEST => k = 0,
            _ => {}
        }
    }
    // The longer of the other two first; Gram–Schmidt then costs the shorter nothing it had.
    let i = if k == 0 { 1 } else { 0 };
    let j = 3 - k - i;
    let has_direction = |axis: usize| stretches[axis] > least;
    if !has_direction(i) {
        return (before, remembered);
    }
    let ui = images[i] / stretches[i];
    let rotation = before.matrix();
    let mut side = images[j];
    if !has_direction(j) {
        side = rotation.apply(p[j]);
        let across = side - ui * ui.dot(side);
        if across.dot(across) < R::of(1e-2) {
            side = rotation.apply(p[k]).cross(ui);
        }
    }
    let across = side - ui * ui.dot(side);
    let uj = across / across.length();
    // Right-handed with pₖ = ± pᵢ × pⱼ, whatever the order of i and j.
    let uk = ui.cross(uj) * p[i].cross(p[j]).dot(p[k]);
    let mut u = [ui; 3];
    (u[i], u[j], u[k]) = (ui, uj, uk);
    let column = |pick: fn(Vec3<R>) -> R| u[0] * pick(p[0]) + u[1] * pick(p[1]) + u[2] * pick(p[2]);
    let q = quaternion(Mat3::new(column(|p| p.x), column(|p| p.y), column(|p| p.z)));
    // One step more takes away what the many roundings have left.
    let wrong = asymmetry(a, q);
    let polished = if wrong.determinant.abs() > R::of(ROTATION_OPEN) { turned(q, wrong.omega) } else { q };
    (polished, remembered)
}

/// The principal directions by falling stretch, and A times them.
///
/// AᵀA has lost what is smaller than the square root of rounding: of two small stretches it knows the plane and not
/// the directions. One more rotation makes their images, which come from A itself, orthogonal (Hestenes).
#[inline(always)]
fn principal<R: Real>(a: Mat3<R>) -> ([Vec3<R>; 3], [Vec3<R>; 3]) {
    let p = eigenvectors(a);
    let first = a.apply(p[0]);
    let square = first.dot(first);
    let across = |v: Vec3<R>| {
        let image = a.apply(v);
        if square > R::ZERO { image - first * (first.dot(image) / square) } else { image }
    };
    let (y, z) = (across(p[1]), across(p[2]));
    let turn = jacobi(y.dot(y), z.dot(z), y.dot(z));
    let (cosine, sine) = (turn.cosine, turn.sine);
    let (p1, p2) = (p[1] * cosine - p[2] * sine, p[1] * sine + p[2] * cosine);
    let (y, z) = (y * cosine - z * sine, y * sine + z * cosine);
    if y.dot(y) < z.dot(z) { ([p[0], p2, p1], [first, z, y]) } else { ([p[0], p1, p2], [first, y, z]) }
}

/// The stretch along which a vertex has the least way through its opposite face, and that vertex, 1 to 4. Only the vertex
/// asked for, unless that is 0.
#[inline(always)]
pub fn least_travel<R: Real>(
    stretches: [R; 3],
    p: &[Vec3<R>; 3],
    gradients: [Vec3<R>; 4],
    asked: u32,
) -> (usize, u32) {
    let (mut best, mut slope) = (R::ONE, R::ZERO);
    let (mut k, mut vertex) = (2, asked);
    for (c, g) in gradients.into_iter().enumerate() {
        if asked != 0 && asked != c as u32 + 1 {
            continue;
        }
        let parallel = g.dot(g) * R::of(ROTATION_PARALLEL * ROTATION_PARALLEL);
        for j in 0..3 {
            let along = g.dot(p[j]).abs();
            // σ/along < best/slope without a division; the first has slope 0 and loses to any. Of equals, as there are many
            // in a lattice, the first wins whatever the rounding.
            let nearer = stretches[j] * slope * R::of(ROTATION_TIE) < best * along;
            if along * along > parallel && nearer {
                (best, slope, k, vertex) = (stretches[j], along, j, c as u32 + 1);
            }
        }
    }
    (k, vertex)
}

/// The eigenvectors of AᵀA, a right-handed frame up to the last sign, by falling eigenvalue.
#[inline(always)]
fn eigenvectors<R: Real>(a: Mat3<R>) -> [Vec3<R>; 3] {
    symmetric_eigenvectors(a.transposed_times(a))
}

/// The eigenvectors of a symmetric matrix, a right-handed frame up to the last sign, by falling eigenvalue.
#[inline(always)]
pub fn symmetric_eigenvectors<R: Real>(mut c: Mat3<R>) -> [Vec3<R>; 3] {
    let mut p = Mat3::IDENTITY;
    for _ in 0..ROTATION_SWEEPS {
        (c, p) = rotate_xy(c, p);
        // The same rotation of the next two axes: rename them and come back.
        let (cc, pp) = rotate_xy(cycled(c), Mat3::new(p.y, p.z, p.x));
        let (cc, pp) = rotate_xy(cycled(cc), Mat3::new(pp.y, pp.z, pp.x));
        (c, p) = (cycled(cc), Mat3::new(pp.y, pp.z, pp.x));
    }
    let (mut d, mut v) = ([c.x.x, c.y.y, c.z.z], [p.x, p.y, p.z]);
    for (i, j) in [(0, 1), (1, 2), (0, 1)] {
        if d[i] < d[j] {
            d.swap(i, j);
            v.swap(i, j);
        }
    }
    v
}

/// The matrix with its axes renamed: y, z, x become x, y, z.
#[inline(always)]
fn cycled<R: Real>(c: Mat3<R>) -> Mat3<R> {
    let turn = |v: Vec3<R>| Vec3::new(v.y, v.z, v.x);
    Mat3::new(turn(c.y), turn(c.z), turn(c.x))
}

/// A rotation by less than 45°.
struct Turn<R> {
    tangent: R,
    cosine: R,
    sine: R,
}

/// The rotation that takes a symmetric 2×2 matrix (xx, yy, xy) to its diagonal.
#[inline(always)]
fn jacobi<R: Real>(xx: R, yy: R, off: R) -> Turn<R> {
    let (one, two) = (R::ONE, R::of(2.0));
    if off == R::ZERO {
        return Turn { tangent: R::ZERO, cosine: one, sine: R::ZERO };
    }
    // The tangent t solves t² + 2 θ t = 1. A large θ only makes t small.
    let theta = (yy - xx) / (two * off);
    let tangent = R::select(theta < R::ZERO, -one, one) / (theta.abs() + (theta * theta + one).sqrt());
    let cosine = one / (tangent * tangent + one).sqrt();
    Turn { tangent, cosine, sine: tangent * cosine }
}

/// One Jacobi rotation, which makes C_xy zero.
#[inline(always)]
fn rotate_xy<R: Real>(c: Mat3<R>, p: Mat3<R>) -> (Mat3<R>, Mat3<R>) {
    let off = c.x.y;
    let Turn { tangent: t, cosine, sine } = jacobi(c.x.x, c.y.y, off);
    let xz = cosine * c.x.z - sine * c.y.z;
    let yz = sine * c.x.z + cosine * c.y.z;
    let c = Mat3::new(
        Vec3::new(c.x.x - t * off, R::ZERO, xz),
        Vec3::new(R::ZERO, c.y.y + t * off, yz),
        Vec3::new(xz, yz, c.z.z),
    );
    (c, Mat3::new(p.x * cosine - p.y * sine, p.x * sine + p.y * cosine, p.z))
}

/// The quaternion of a rotation matrix, from its largest component.
#[inline(always)]
pub fn quaternion<R: Real>(m: Mat3<R>) -> Quat<R> {
    let one = R::ONE;
    let (xx, yy, zz) = (m.x.x, m.y.y, m.z.z);
    let q = if xx + yy + zz > R::ZERO {
        [m.y.z - m.z.y, m.z.x - m.x.z, m.x.y - m.y.x, one + xx + yy + zz]
    } else if xx > yy && xx > zz {
        [one + xx - yy - zz, m.x.y + m.y.x, m.z.x + m.x.z, m.y.z - m.z.y]
    } else if yy > zz {
        [m.x.y + m.y.x, one + yy - xx - zz, m.y.z + m.z.y, m.z.x - m.x.z]
    } else {
        [m.z.x + m.x.z, m.y.z + m.z.y, one + zz - xx - yy, m.x.y - m.y.x]
    };
    let s = one / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]).sqrt();
    Quat { x: q[0] * s, y: q[1] * s, z: q[2] * s, w: q[3] * s }
}
