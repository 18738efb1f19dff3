//! Magnetic fields in closed form, and what they do to a moment.
//!
//! A source is a few records in a frame of its own: where it is and how it is turned, and its numbers. The kernels read them; probes and
//! energies use the same functions in f64. B and its derivatives along the axes, so that F = (∇B)ᵀ m and T = m × B.

pub mod bar;
pub mod coil;
pub mod wire;

use crate::math::{Quat, Real, Vec3, Vec4};

/// μ₀/4π [T m/A].
pub const MU: f64 = 1e-7;

/// Records of a source: place, w = kind; unit quaternion; three of its own. The last w is the factor of its strength.
pub const RECORDS: usize = 5;

/// B₀ [T], then dBx/dx, dBy/dy, dBz/dz, then dBy/dz, dBx/dz, dBx/dy [T/m].
pub const AFFINE: f64 = 0.0;
/// Moment [A m²], w = radius of the ball [m].
pub const BALL: f64 = 1.0;
/// Current [A], radius [m]; the axis is y.
pub const LOOP: f64 = 2.0;
/// Current around a length [A/m], radius, half length [m]; the axis is y.
pub const SHEET: f64 = 3.0;
/// Way to the end [m], w = current [A].
pub const WIRE: f64 = 4.0;
/// Remanence [T]; half edges [m].
pub const BAR: f64 = 5.0;

/// B and its derivatives along the axes of a source, at x in its frame.
#[inline(always)]
pub fn near<R: Real>(kind: R, [p, q, s]: [Vec4<R>; 3], x: Vec3<R>) -> [Vec3<R>; 4] {
    if kind == R::of(AFFINE) {
        let [along_x, along_y, along_z] =
            [Vec3::new(q.x, s.z, s.y), Vec3::new(s.z, q.y, s.x), Vec3::new(s.y, s.x, q.z)];
        return [p.xyz() + along_x * x.x + along_y * x.y + along_z * x.z, along_x, along_y, along_z];
    }
    if kind == R::of(BALL) {
        if x.dot(x) < p.w * p.w {
            let inside = p.xyz() * (R::of(2.0 * MU) / (p.w * p.w * p.w));
            return [inside, Vec3::ZERO, Vec3::ZERO, Vec3::ZERO];
        }
        return dipole(p.xyz(), x);
    }
    if kind == R::of(WIRE) {
        return wire::segment(p.xyz(), p.w, x);
    }
    if kind == R::of(BAR) {
        return bar::bar(q.xyz(), p.xyz(), x);
    }
    let rho = (x.x * x.x + x.z * x.z).sqrt();
    let axial =
        if kind == R::of(LOOP) { coil::ring(p.y, rho, x.y) } else { coil::sheet([p.y, p.z], rho, x.y) };
    around_axis(axial, x).map(|v| v * p.x)
}

/// From a field with the axis y to B and its derivatives.
#[inline(always)]
fn around_axis<R: Real>(field: coil::Axial<R>, x: Vec3<R>) -> [Vec3<R>; 4] {
    let coil::Axial { along, outward, slope, lean } = field;
    // ∂B_ρ/∂ρ − B_ρ/ρ, as the divergence vanishes.
    let widening = R::ZERO - slope - outward - outward;
    let square = x.x * x.x + x.z * x.z;
    let share = |c: R| R::select(square > R::ZERO, c / square, R::ZERO);
    let cross = share(x.x * x.z) * widening;
    [
        Vec3::new(outward * x.x, along, outward * x.z),
        Vec3::new(outward + share(x.x * x.x) * widening, lean * x.x, cross),
        Vec3::new(lean * x.x, slope, lean * x.z),
        Vec3::new(cross, lean * x.z, outward + share(x.z * x.z) * widening),
    ]
}

/// A moment at the origin.
#[inline(always)]
pub fn dipole<R: Real>(moment: Vec3<R>, x: Vec3<R>) -> [Vec3<R>; 4] {
    let r = x.length();
    if r == R::ZERO {
        return [Vec3::ZERO; 4];
    }
    let n = x / r;
    let strength = R::of(MU) / (r * r * r);
    let mn = moment.dot(n);
    let three = R::of(3.0);
    let steep = three * strength / r;
    let along = |e: Vec3<R>, nk: R, mk: R| (n * mk + moment * nk + (e - n * (R::of(5.0) * nk)) * mn) * steep;
    [
        (n * (three * mn) - moment) * strength,
        along(Vec3::new(R::ONE, R::ZERO, R::ZERO), n.x, moment.x),
        along(Vec3::new(R::ZERO, R::ONE, R::ZERO), n.y, moment.y),
        along(Vec3::new(R::ZERO, R::ZERO, R::ONE), n.z, moment.z),
    ]
}

/// B of a source at a point of the world [T], and the force on a moment there [N].
#[inline(always)]
pub fn act<R: Real>(source: [Vec4<R>; RECORDS], x: Vec3<R>, moment: Vec3<R>) -> [Vec3<R>; 2] {
    let axes = Quat::from_vec4(source[1]);
    let back = axes.conjugate();
    let [b, along_x, along_y, along_z] =
        near(source[0].w, [source[2], source[3], source[4]], back.rotate(x - source[0].xyz()));
    let m = back.rotate(moment);
    let force = Vec3::new(along_x.dot(m), along_y.dot(m), along_z.dot(m));
    let factor = source[4].w;
    [axes.rotate(b) * factor, axes.rotate(force) * factor]
}
