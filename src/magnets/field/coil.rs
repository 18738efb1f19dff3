//! Fields with an axis: a circular loop, and a solenoid, which is also a cylinder magnetised along its axis.
//!
//!   α² = (a − ρ)² + ζ²    β² = (a + ρ)² + ζ²    m = a² + ρ² + ζ²    k² = 4aρ/β²    k' = α/β
//!   P₃ = ∮ dφ/D³ = 4E/(β³k'²)                      S₅ = ∮ sin²φ dφ/D⁵ = 16 T/(3β⁵k'²)
//!   P₅ = (m P₃ + 2a²ρ² S₅)/(α²β²)                  S₃ = ∮ sin²φ dφ/D³ = 32 K S/β³
//!
//! D is the distance from the loop's points, D² = m − 2aρ cos φ. Integrals of cos φ follow by parts: ∮ cos φ/D³ = 3aρ S₅. With
//! T = ((2 − k²)E − 2k'²K)/k⁴ and S from the arithmetic-geometric mean itself, nothing cancels near the axis and far away, where the
//! usual forms lose their digits (Abramowitz and Stegun 1964, 17.6; Bulirsch 1965 for the integral of the third kind; Derby and
//! Olbert 2010 for the solenoid).

use super::MU;
use crate::math::Real;
use std::f64::consts::FRAC_PI_2;

/// The field at a distance ρ from the axis and ζ along it.
#[derive(Clone, Copy)]
pub struct Axial<R> {
    /// B along the axis [T].
    pub along: R,
    /// B away from the axis, over ρ [T/m].
    pub outward: R,
    /// The change of `along` along the axis [T/m].
    pub slope: R,
    /// The change of `along` away from the axis, over ρ, which is that of `outward` along it [T/m²].
    pub lean: R,
}

/// Steps of the arithmetic-geometric mean: in f64 from k' = 10⁻⁵ on.
const MEANS: usize = 6;
/// The least k'² and γ: the field at a wire is that next to it.
const LEAST: f64 = 1e-12;

/// K, E, T and S.
struct Elliptic<R> {
    k: R,
    e: R,
    t: R,
    s: R,
}

#[inline(always)]
fn elliptic<R: Real>(kc: R, k2: R) -> Elliptic<R> {
    let (one, half, quarter) = (R::ONE, R::of(0.5), R::of(0.25));
    let (mut a, mut b) = (half * (one + kc), kc.sqrt());
    let mut term = half / (one + kc);
    let (mut weight, mut s) = (one, term * term);
    for _ in 0..MEANS {
        let next = half * (a + b);
        b = (a * b).sqrt();
        a = next;
        term = quarter * k2 * term * term / a;
        weight = weight + weight;
        s += weight * term * term;
    }
    let k = R::of(FRAC_PI_2) / a;
    let e = k * (one - half * k2 - k2 * k2 * s);
    Elliptic { k, e, t: k * (half - (one + kc * kc) * s), s }
}

/// A loop of radius a [m] with 1 A.
#[inline(always)]
pub fn ring<R: Real>(a: R, rho: R, zeta: R) -> Axial<R> {
    let square = zeta * zeta;
    let (near, far) = ((a - rho) * (a - rho) + square, (a + rho) * (a + rho) + square);
    let kc2 = (near / far).max(R::of(LEAST));
    let m = a * a + rho * rho + square;
    let product = a * rho;
    let integrals = elliptic(kc2.sqrt(), R::of(4.0) * product / far);
    let beta = far.sqrt();
    let cube = R::ONE / (far * beta * kc2);
    let p3 = R::of(4.0) * integrals.e * cube;
    let s5 = R::of(16.0 / 3.0) * integrals.t * cube / far;
    let p5 = (m * p3 + R::of(2.0) * product * product * s5) / (far * far * kc2);
    // ∮ cos φ/D⁵ over aρ.
    let q5 = (R::of(2.0) * p5 + s5) / m;
    let (three, strength) = (R::of(3.0), R::of(MU) * a);
    Axial {
        along: strength * (a * p3 - three * a * rho * rho * s5),
        outward: strength * three * a * zeta * s5,
        slope: R::ZERO - strength * three * zeta * a * (p5 - rho * rho * q5),
        lean: strength * three * a * (s5 - square * q5),
    }
}

/// ∮ (a − ρ cos φ)/(a² + ρ² − 2aρ cos φ) ζ/D dφ, and ∮ sin²φ/D³ dφ.
#[inline(always)]
fn edge<R: Real>(a: R, rho: R, zeta: R) -> [R; 2] {
    let square = zeta * zeta;
    let (near, far) = ((a - rho) * (a - rho) + square, (a + rho) * (a + rho) + square);
    let kc2 = (near / far).max(R::of(LEAST));
    let kc = kc2.sqrt();
    let beta = far.sqrt();
    let integrals = elliptic(kc, R::of(4.0) * a * rho / far);
    let sine = R::of(32.0) * integrals.k * integrals.s / (far * beta);
    let gamma = (a - rho) / (a + rho);
    // Bulirsch's cel(k', γ², 1, γ).
    let mut p = gamma.abs().max(R::of(LEAST));
    let mut s = gamma / p;
    let mut c = R::ONE + s / p;
    s = R::of(2.0) * (s + kc / p);
    p += kc / p;
    let (mut em, mut product) = (R::ONE + kc, kc);
    for _ in 0..MEANS {
        let k = R::of(2.0) * product.sqrt();
        product = k * em;
        let (f, g) = (c, product / p);
        c += s / p;
        s = R::of(2.0) * (s + f * g);
        p += g;
        em += k;
    }
    let third = R::of(FRAC_PI_2) * (s + c * em) / (em * (em + p));
    [R::of(4.0) * zeta / (beta * (a + rho)) * third, sine]
}

/// Points and weights of Gauss's quadrature on [−1, 1].
const POINTS: [(f64, f64); 6] = [
    (-0.932_469_514_203_152, 0.171_324_492_379_170_4),
    (-0.661_209_386_466_264_5, 0.360_761_573_048_138_6),
    (-0.238_619_186_083_196_9, 0.467_913_934_572_691),
    (0.238_619_186_083_196_9, 0.467_913_934_572_691),
    (0.661_209_386_466_264_5, 0.360_761_573_048_138_6),
    (0.932_469_514_203_152, 0.171_324_492_379_170_4),
];
/// How many times its size away a solenoid counts as loops at these points, squared. There the closed form begins to cancel.
const FAR: f64 = 16.0;

/// A sheet of current around a cylinder of radius a and half length h [m], 1 A/m.
#[inline(always)]
pub fn sheet<R: Real>([a, h]: [R; 2], rho: R, zeta: R) -> Axial<R> {
    if rho * rho + zeta * zeta > R::of(FAR) * (a * a + h * h) {
        let zero = Axial { along: R::ZERO, outward: R::ZERO, slope: R::ZERO, lean: R::ZERO };
        return POINTS.iter().fold(zero, |sum, &(at, weight)| {
            let (ring, weight) = (ring(a, rho, zeta - h * R::of(at)), h * R::of(weight));
            Axial {
                along: sum.along + weight * ring.along,
                outward: sum.outward + weight * ring.outward,
                slope: sum.slope + weight * ring.slope,
                lean: sum.lean + weight * ring.lean,
            }
        });
    }
    let [upper, lower] = [zeta + h, zeta - h];
    let [[up, up_sine], [down, down_sine]] = [edge(a, rho, upper), edge(a, rho, lower)];
    let (top, bottom) = (ring(a, rho, upper), ring(a, rho, lower));
    let strength = R::of(MU) * a;
    Axial {
        along: strength * (up - down),
        outward: strength * a * (down_sine - up_sine),
        slope: top.along - bottom.along,
        lean: top.outward - bottom.outward,
    }
}
