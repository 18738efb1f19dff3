//! The laws of a tetrahedron: from the deformation gradient F to the stress P, and how P changes with F. Twin of
//! `shaders/common/elasticity.wgsl`.
//!
//!   F = Σ (xᵢ − x₀) gᵢᵀ        fᵢ = −V P gᵢ        g₀ = −(g₁ + g₂ + g₃)
//!
//! Linear, in the frame R (co-rotational; R = 1 is infinitesimal strain), with R frozen in the change:
//!
//!   ε = sym(RᵀF) − 1        P = R (2 μ ε + λ tr ε)        Ψ = μ ε:ε + ½ λ tr² ε
//!
//! R turns with F, though, by ω = (tr S − S)⁻¹ t of t the axis of Rᵀ dF − dFᵀ R, S = 1 + ε. To the change with R frozen this adds
//! ([`Twist`]; twist modes of Smith, de Goes, Kim 2019)
//!
//!   R [N t]×        N = (μ (tr ε − ε) + λ tr ε) (tr S − S)⁻¹
//!
//! which is what makes a pulled string stiff across and a pushed column buckle.
//!
//! Stable neo-Hookean (Smith, de Goes, Kim 2018), with C the cofactors of F and I = F:F:
//!
//!   Ψ = ½ μ (I − 3) + ½ λ (J − α)² − ½ μ ln(I + 1)        P = μ (1 − 1/(I + 1)) F + λ (J − α) C
//!
//! whose μ and λ are 4/3 μ and λ + 5/6 μ of Lamé's, and α = 1 + 3μ/4λ makes F = 1 the rest.

use super::law::{Acts, Deformed, Growth, Held, TetLaw};
use super::laws;
use super::rotation::symmetric_eigenvectors;
use crate::math::{Lane, Mat3, Real, Vec3};
use crate::scene::SolidModel;

/// Hooke's law, for small rotations.
pub static LINEAR: TetLaw = TetLaw {
    model: SolidModel::Linear,
    acts: Acts::Force { code: laws::LINEAR },
    moduli: |law| lame_and(law.material.lame(), 1.0),
    held: |at| at.hooke(Mat3::IDENTITY, [at.moduli[0], at.moduli[1]]),
    held_in_wgsl: "linear_held",
};

/// Hooke's law in the frame of each tetrahedron.
pub static COROTATIONAL: TetLaw = TetLaw {
    model: SolidModel::Corotational,
    acts: Acts::Force { code: laws::COROTATIONAL },
    moduli: |law| lame_and(law.material.lame(), 1.0),
    held: |at| at.hooke(at.rotation(), [at.moduli[0], at.moduli[1]]),
    held_in_wgsl: "corotational_held",
};

/// The stable neo-Hookean law.
pub static NEO_HOOKEAN: TetLaw = TetLaw {
    model: SolidModel::NeoHookean,
    acts: Acts::Force { code: laws::NEO_HOOKEAN },
    moduli: |law| neo_hookean_moduli(law.material.lame()),
    held: neo_hookean_held,
    held_in_wgsl: "neo_hookean_held",
};

fn lame_and([lambda, mu]: [f64; 2], third: f64) -> [f64; 3] {
    [lambda, mu, third]
}

/// The rest shape of a tetrahedron.
#[derive(Clone, Copy, Debug)]
pub struct Rest<L> {
    /// Gradients of the barycentric coordinates of corners 1 to 3 [1/m].
    pub g: [Vec3<L>; 3],
    /// V [m³].
    pub volume: L,
}

impl<L: Lane> Rest<L> {
    /// F from what the corners 1 to 3 are away from corner 0.
    #[inline(always)]
    pub fn gradient(&self, e: [Vec3<L>; 3]) -> Mat3<L> {
        let [a, b, c] = self.g;
        Mat3::new(
            e[0] * a.x + e[1] * b.x + e[2] * c.x,
            e[0] * a.y + e[1] * b.y + e[2] * c.y,
            e[0] * a.z + e[1] * b.z + e[2] * c.z,
        )
    }

    /// V P g at the four corners, whose sum is zero.
    #[inline(always)]
    pub fn corners(&self, p: Mat3<L>) -> [Vec3<L>; 4] {
        // One by one: registers of several lanes must not go through closures.
        let a = p.apply(self.g[0]) * self.volume;
        let b = p.apply(self.g[1]) * self.volume;
        let c = p.apply(self.g[2]) * self.volume;
        [-(a + b + c), a, b, c]
    }

    /// The gradients of all four barycentric coordinates [1/m].
    #[inline(always)]
    pub fn gradients(&self) -> [Vec3<L>; 4] {
        let [a, b, c] = self.g;
        [-(a + b + c), a, b, c]
    }
}

/// |F| below which next to nothing is left of a tetrahedron.
const NOTHING: f64 = 1e-2;

/// F as laws of F alone see it: to a point that has no direction to go, its rest shape shows one.
///
///   |F| < ε:   F ← F + (ε − |F|) 1
///
/// Neither edges of no length nor a determinant of zero with all its derivatives would push the corners apart.
#[inline(always)]
pub fn unfolded<R: Real>(f: Mat3<R>) -> Mat3<R> {
    let missing = R::of(NOTHING) - f.dot(f).sqrt();
    if missing > R::ZERO { f + Mat3::IDENTITY.scale(missing) } else { f }
}

/// J over (I/3)^(3/2), at rest 1 and nowhere more, below which a tetrahedron counts as folded.
const FOLDED: f64 = 0.1;

/// J/|C|, C the cofactors, above which a tetrahedron of little volume for its edges is drawn out rather than flat: at rest 1/√3, of a needle
/// 0.7 of the stretch across and of a sheet all of it.
const DRAWN: f64 = 0.144;

/// (I/3)^(3/2): the most that edges of these lengths can span.
#[inline(always)]
pub fn upright_volume<R: Real>(f: Mat3<R>) -> R {
    let third = f.dot(f) * R::of(1.0 / 3.0);
    third * third.sqrt()
}

/// Whether a tetrahedron is inside out, nearly flat or next to nothing: what lengths and angles do not see or cannot mend.
/// Laws that go by them leave such a tetrahedron to the co-rotational law of the same moduli.
#[inline(always)]
pub fn is_folded<R: Real>(f: Mat3<R>) -> bool {
    // Written so that what is not a number is folded too.
    !(f.determinant() > R::of(FOLDED) * upright_volume(f) && f.dot(f) > R::of(NOTHING * NOTHING))
}

/// Whether a tetrahedron is upright and thick, however long: rubber at four times its length counts as folded by its edges and its
/// volume alone.
#[inline(always)]
pub fn is_drawn<R: Real>(f: Mat3<R>) -> bool {
    let cofactors = f.cofactors();
    let size = cofactors.dot(cofactors);
    f.determinant() > R::of(DRAWN) * size.sqrt() && size > R::of(NOTHING * NOTHING)
}

/// No direction of dF changes the cofactors by more than this times √(F:F): 2/√3, as at rest.
const COFACTORS_SLOPE: f64 = 1.154_700_6;

/// A bound of the stiffness of ½ b (J − c)², p = b (J − c) its pressure [Pa].
#[inline(always)]
pub(super) fn volume_bound<L: Lane>(f: Mat3<L>, cofactors: Mat3<L>, modulus: L, pressure: L) -> L {
    let slope = f.dot(f).sqrt() * L::constant(COFACTORS_SLOPE);
    modulus * cofactors.dot(cofactors) + pressure.larger(-pressure) * slope
}

/// The frame in which strain is measured and Lamé's λ and μ [Pa]; for the linear law.
#[derive(Clone, Copy, Debug)]
pub struct Frame<L> {
    pub rotation: Mat3<L>,
    pub lambda: L,
    pub mu: L,
}

impl<L: Lane> Frame<L> {
    /// P of F [Pa].
    #[inline(always)]
    pub fn stress(&self, f: Mat3<L>) -> Mat3<L> {
        self.of(self.rotation.transposed_times(f) - Mat3::IDENTITY)
    }

    /// Ψ of F [J/m³].
    #[inline(always)]
    pub fn energy(&self, f: Mat3<L>) -> L {
        let b = self.rotation.transposed_times(f) - Mat3::IDENTITY;
        let (sum, trace) = (b + b.transpose(), b.x.x + b.y.y + b.z.z);
        // ε is half the sum.
        L::constant(0.25) * self.mu * sum.dot(sum) + L::constant(0.5) * self.lambda * trace * trace
    }

    /// dP of dF [Pa], R frozen.
    #[inline(always)]
    pub fn change(&self, df: Mat3<L>) -> Mat3<L> {
        self.of(self.rotation.transposed_times(df))
    }

    /// Ψ(F + dF) − Ψ(F) [J/m³], the rotation there being `to`. A difference of both would have no more digits than the energies.
    #[inline(always)]
    pub fn energy_difference(&self, f: Mat3<L>, df: Mat3<L>, to: Mat3<L>) -> L {
        let b = self.rotation.transposed_times(f) - Mat3::IDENTITY;
        let d = to.transposed_times(df) + (to - self.rotation).transposed_times(f);
        let (sum, ds) = (b + b.transpose(), d + d.transpose());
        let (trace, dt) = (b.x.x + b.y.y + b.z.z, d.x.x + d.y.y + d.z.z);
        let half = L::constant(0.5);
        half * (half * self.mu * ds.dot(sum + sum + ds) + self.lambda * dt * (trace + trace + dt))
    }

    #[inline(always)]
    fn of(&self, b: Mat3<L>) -> Mat3<L> {
        let pressure = self.lambda * (b.x.x + b.y.y + b.z.z);
        self.rotation
            * ((b + b.transpose()).scale(self.mu) + Mat3::diagonal(Vec3::new(pressure, pressure, pressure)))
    }

    /// A corner's own block of the stiffness per volume, for its gradient g [Pa/m²]:
    /// (λ + μ) (R g)(R g)ᵀ + μ g².
    #[inline(always)]
    pub fn block(&self, g: Vec3<L>) -> [Vec3<L>; 2] {
        let (diagonal, off) = outer(self.rotation.apply(g));
        let own = self.mu * g.dot(g);
        let sum = self.lambda + self.mu;
        [diagonal * sum + Vec3::new(own, own, own), off * sum]
    }
}

/// What the rotation of a frame, turning with F, adds to its change: [`module`](self).
#[derive(Clone, Copy, Debug)]
pub struct Twist<R> {
    rotation: Mat3<R>,
    /// N [Pa].
    modulus: Mat3<R>,
}

/// tr S − S along an axis below which two stretches count as opposite. There the rotation is about to jump.
const LEAST_OPENING: f64 = 0.1;
/// The least of all three, 2 at rest, at which steps that are to keep energy turn the frame. Where a tetrahedron is pushed further together the
/// true stiffness takes more than inertia gives back: a body that is dragged about by midpoint steps then ran away.
const LEAST_WHOLE: f64 = 1.0;

impl<R: Real> Twist<R> {
    /// Of a frame at F; of a stiffness that must not be negative only what is positive, of the whole one nothing where it is far from rest. Never inlined: steps without it keep their values in
    /// registers.
    #[inline(never)]
    pub fn new(frame: &Frame<R>, f: Mat3<R>, is_whole: bool) -> Self {
        let b = frame.rotation.transposed_times(f) - Mat3::IDENTITY;
        let strain = (b + b.transpose()).scale(R::of(0.5));
        let trace = strain.x.x + strain.y.y + strain.z.z;
        let mut modulus = Mat3::ZERO;
        for v in symmetric_eigenvectors(strain) {
            // Of the two other axes.
            let across = trace - v.dot(strain.apply(v));
            let opening = R::of(2.0) + across;
            if is_whole && opening < R::of(LEAST_WHOLE) {
                return Self { rotation: frame.rotation, modulus: Mat3::ZERO };
            }
            let n = (frame.mu * across + frame.lambda * trace) / opening.max(R::of(LEAST_OPENING));
            if is_whole || n > R::ZERO {
                modulus = modulus + Mat3::new(v * v.x, v * v.y, v * v.z).scale(n);
            }
        }
        Self { rotation: frame.rotation, modulus }
    }

    /// What is added to dP of dF [Pa].
    #[inline(always)]
    pub fn change(&self, df: Mat3<R>) -> Mat3<R> {
        let b = self.rotation.transposed_times(df);
        let t = Vec3::new(b.y.z - b.z.y, b.z.x - b.x.z, b.x.y - b.y.x);
        let n = self.modulus.apply(t);
        let zero = R::ZERO;
        self.rotation
            * Mat3::new(Vec3::new(zero, n.z, -n.y), Vec3::new(-n.z, zero, n.x), Vec3::new(n.y, -n.x, zero))
    }
}

/// v vᵀ as (xx, yy, zz), (xy, yz, zx).
#[inline(always)]
pub(super) fn outer<L: Lane>(v: Vec3<L>) -> (Vec3<L>, Vec3<L>) {
    (v.scaled(v), v.scaled(Vec3::new(v.y, v.z, v.x)))
}

/// The stable neo-Hookean law at F.
#[derive(Clone, Copy, Debug)]
pub struct NeoHookean<L> {
    f: Mat3<L>,
    cofactors: Mat3<L>,
    /// μ (1 − 1/(I + 1)) [Pa].
    stiffness: L,
    /// λ (J − α) [Pa].
    pressure: L,
    /// 2 μ/(I + 1)² [Pa].
    curvature: L,
    lambda: L,
}

impl<L: Lane> NeoHookean<L> {
    /// By the law's own λ, μ and α; see [`moduli`].
    #[inline(always)]
    pub fn new(f: Mat3<L>, lambda: L, mu: L, alpha: L) -> Self {
        let cofactors = f.cofactors();
        let share = L::ONE / (f.dot(f) + L::ONE);
        Self {
            f,
            cofactors,
            stiffness: mu * (L::ONE - share),
            pressure: lambda * (f.x.dot(cofactors.x) - alpha),
            curvature: (mu + mu) * share * share,
            lambda,
        }
    }

    /// P [Pa].
    #[inline(always)]
    pub fn stress(&self) -> Mat3<L> {
        self.f.scale(self.stiffness) + self.cofactors.scale(self.pressure)
    }

    /// The same with no more pressure than the stiffness bears, so that no direction has a negative one (up to volume
    /// change): |λ (J − α)| σ ≤ μ (1 − 1/(I + 1)), σ the largest stretch.
    #[inline(always)]
    pub fn bearable(self) -> Self {
        let stretch = largest_stretch(self.f);
        // A point has neither stiffness nor stretch.
        let most = L::select(stretch.above(L::ZERO), self.stiffness / stretch, L::ZERO);
        let pressure = L::select(self.pressure.above(most), most, self.pressure);
        let pressure = L::select(pressure.below(-most), -most, pressure);
        Self { pressure, ..self }
    }

    /// No less than the stiffness |dP|/|dF| in any direction [Pa].
    #[inline(always)]
    pub fn bound(&self) -> L {
        let shape = self.stiffness + self.curvature * self.f.dot(self.f);
        shape + volume_bound(self.f, self.cofactors, self.lambda, self.pressure)
    }

    /// dP of dF [Pa].
    #[inline(always)]
    pub fn change(&self, df: Mat3<L>) -> Mat3<L> {
        let (f, c) = (self.f, self.cofactors);
        let d_cofactors = Mat3::new(
            df.y.cross(f.z) + f.y.cross(df.z),
            df.z.cross(f.x) + f.z.cross(df.x),
            df.x.cross(f.y) + f.x.cross(df.y),
        );
        df.scale(self.stiffness)
            + f.scale(self.curvature * f.dot(df))
            + c.scale(self.lambda * c.dot(df))
            + d_cofactors.scale(self.pressure)
    }

    /// A corner's own block of the stiffness per volume, for its gradient g [Pa/m²]. The cofactors' change along a
    /// corner's own way does not act back on it.
    #[inline(always)]
    pub fn block(&self, g: Vec3<L>) -> [Vec3<L>; 2] {
        let (fd, fo) = outer(self.f.apply(g));
        let (cd, co) = outer(self.cofactors.apply(g));
        let own = self.stiffness * g.dot(g);
        [
            fd * self.curvature + cd * self.lambda + Vec3::new(own, own, own),
            fo * self.curvature + co * self.lambda,
        ]
    }
}

/// ln(1 + u), which keeps the digits of a small u: twice artanh(u/(2 + u)).
#[inline(always)]
fn log_of_one_and<R: Real>(u: R) -> R {
    let z = u / (R::of(2.0) + u);
    if z.abs() > R::of(0.1) {
        return (R::ONE + u).ln();
    }
    let s = z * z;
    let series = R::ONE + s * (R::of(1.0 / 3.0) + s * (R::of(0.2) + s * R::of(1.0 / 7.0)));
    (z + z) * series
}

/// Ψ(F + dF) − Ψ(F) of the stable neo-Hookean law by its own λ, μ and α [J/m³], from how I and J change.
#[inline(always)]
pub fn neo_hookean_difference<R: Real>(f: Mat3<R>, df: Mat3<R>, [lambda, mu, alpha]: [R; 3]) -> R {
    let half = R::of(0.5);
    let square = df.dot(f + f + df);
    let volume = f.cofactors().dot(df) + df.cofactors().dot(f) + df.determinant();
    let shape = square - log_of_one_and(square / (f.dot(f) + R::ONE));
    let pressure = f.determinant() - alpha;
    half * mu * shape + half * lambda * volume * (pressure + pressure + volume)
}

/// u − ln(1 + u), which keeps the digits of a small u: with z = u/(2 + u), 2z²/(1 − z) less twice artanh z − z.
#[inline(always)]
fn rest_of_log<R: Real>(u: R) -> R {
    let z = u / (R::of(2.0) + u);
    if z.abs() > R::of(0.1) {
        return u - (R::ONE + u).ln();
    }
    let s = z * z;
    let terms = [1.0 / 11.0, 1.0 / 9.0, 1.0 / 7.0, 0.2, 1.0 / 3.0];
    let series = terms.iter().fold(R::ZERO, |sum, &term| sum * s + R::of(term));
    R::of(2.0) * s * (R::ONE / (R::ONE - z) - z * series)
}

/// What a tetrahedron of the stable neo-Hookean law holds. With α as it is, the parts of first order of its energy cancel and are
/// left out: μ (⅜ |F − 1|² − ¾ (J − 1 − tr(F − 1)) + ½ (u − ln(1 + u))) + ½ λ (J − 1)², u = (I − 3)/4.
pub fn neo_hookean_held<R: Real>(at: &Deformed<R>) -> Held<R> {
    let [lambda, mu, alpha] = at.moduli;
    let growth = Growth::of(at.f);
    let shape = R::of(0.375) * growth.squares - R::of(0.75) * growth.minors
        + R::of(0.5) * rest_of_log(R::of(0.25) * growth.size);
    Held {
        energy: mu * shape + R::of(0.5) * lambda * growth.volume * growth.volume,
        stress: NeoHookean::new(at.f, lambda, mu, alpha).stress(),
    }
}

/// No less than the largest stretch of F, and equal to it where all three are equal: eigenvalues of mean m and
/// deviation s end at m + √2 s.
#[inline(always)]
fn largest_stretch<L: Lane>(f: Mat3<L>) -> L {
    let c = f.transposed_times(f);
    let three = L::ONE + L::ONE + L::ONE;
    let mean = (c.x.x + c.y.y + c.z.z) / three;
    let variance = c.dot(c) / three - mean * mean;
    let spread = L::select(variance.above(L::ZERO), variance + variance, L::ZERO).sqrt();
    (mean + spread).sqrt()
}

/// λ, μ and α of the stable neo-Hookean law that agrees with Lamé's λ and μ for small strains.
pub fn neo_hookean_moduli([lambda, mu]: [f64; 2]) -> [f64; 3] {
    let (l, m) = (lambda + 5.0 / 6.0 * mu, 4.0 / 3.0 * mu);
    [l, m, 1.0 + 0.75 * m / l]
}
