//! Springs along the edges of a tetrahedron, with penalties of its faces' areas and of its volume: the baseline that finite
//! elements are compared with. Twin of `shaders/common/springs.wgsl`.
//!
//!   U = Σ ½ D (l − L)² + Σ ½ k_A ((A − A⁰)/A⁰)² + ½ k_V ((V − V⁰)/V⁰)²        D = s V⁰/L²   k_A = a V⁰   k_V = b V⁰
//!
//! Tetrahedra add up: an edge has a spring from each one around it (Van Gelder 1998). Within one tetrahedron everything is a function
//! of F, with n the directions of its edges at rest, N the normals of its faces and H the cofactors of F:
//!
//!   Ψ = ½ s Σ (|F n| − 1)² + ½ a Σ (|H N| − 1)² + ½ b (J − 1)²
//!
//! Edges of all directions alike would make a solid of λ = μ = 2s/5, so that s = 5μ/2 and b = λ − μ give Hooke's law.
//! Real meshes prefer some directions, and their moduli are off by tens of per cent: that is why there are finite elements.
//!
//! The derivative of H in the direction B is D(F, B), bilinear and symmetric in both. Hence the areas' part of P is
//! a Σ (1 − 1/A) D(F, y Nᵀ) with y = H N and A = |y|.

use super::elasticity::{Rest, is_folded, outer, volume_bound};
use super::law::{Acts, Deformed, Held, TetLaw};
use super::laws;
use crate::math::{Mat3, Real, Vec3};
use crate::scene::SolidModel;

/// As a law of tetrahedra.
pub static LAW: TetLaw = TetLaw {
    model: SolidModel::Springs,
    acts: Acts::Force { code: laws::SPRINGS },
    moduli: |law| {
        let Moduli { spring, area, volume } = law.springs();
        [volume, spring, area]
    },
    held,
    held_in_wgsl: "springs_held",
};

/// What a tetrahedron of springs holds; a folded one goes by its rotation.
pub fn held<R: Real>(at: &Deformed<R>) -> Held<R> {
    let [volume, spring, area] = at.moduli;
    let moduli = Moduli { spring, area, volume };
    if !at.ignores_inversion && is_folded(at.f) {
        return at.hooke(at.rotation(), moduli.lame());
    }
    let springs = Springs::new(&at.rest, at.f, moduli, true);
    Held { energy: springs.energy(), stress: springs.stress() }
}

/// The law at F.
#[derive(Clone, Copy, Debug)]
pub struct Springs<R> {
    f: Mat3<R>,
    cofactors: Mat3<R>,
    /// Directions of the edges at rest.
    lines: [Vec3<R>; 6],
    /// Normals of the faces at rest.
    normals: [Vec3<R>; 4],
    moduli: Moduli<R>,
    /// Whether changes have the whole stress in them, or only what keeps them definite.
    whole: bool,
}

/// s, a and b [Pa].
#[derive(Clone, Copy, Debug)]
pub struct Moduli<R> {
    pub spring: R,
    pub area: R,
    pub volume: R,
}

impl<R: Real> Moduli<R> {
    /// Lamé's λ and μ of springs in all directions alike [Pa].
    #[inline(always)]
    pub fn lame(&self) -> [R; 2] {
        let mu = self.spring * R::of(1.0 / SPRINGS_OF_SHEAR);
        [self.volume + mu, mu]
    }
}

/// s over μ.
pub const SPRINGS_OF_SHEAR: f64 = 2.5;

/// The spring modulus of Lamé's μ [Pa].
pub fn spring_modulus(mu: f64) -> f64 {
    SPRINGS_OF_SHEAR * mu
}

/// The volume modulus that gives ν of Lamé's λ and μ [Pa]; springs alone have ν = ¼, and nothing makes it smaller.
pub fn volume_modulus([lambda, mu]: [f64; 2]) -> f64 {
    (lambda - mu).max(0.0)
}

/// y nᵀ.
#[inline(always)]
fn dyad<R: Real>(y: Vec3<R>, n: Vec3<R>) -> Mat3<R> {
    Mat3::new(y * n.x, y * n.y, y * n.z)
}

/// D(F, B): the derivative of the cofactors at F in the direction B.
#[inline(always)]
fn cofactors_change<R: Real>(f: Mat3<R>, b: Mat3<R>) -> Mat3<R> {
    Mat3::new(
        b.y.cross(f.z) + f.y.cross(b.z),
        b.z.cross(f.x) + f.z.cross(b.x),
        b.x.cross(f.y) + f.x.cross(b.y),
    )
}

#[inline(always)]
fn unit<R: Real>(v: Vec3<R>) -> Vec3<R> {
    v / v.length()
}

/// A unit vector along v, and 1 − 1/|v|; nothing if there is no direction.
#[inline(always)]
fn stretched<R: Real>(v: Vec3<R>) -> Option<(Vec3<R>, R)> {
    let length = v.length();
    (length > R::ZERO).then(|| (v / length, R::ONE - R::ONE / length))
}

impl<R: Real> Springs<R> {
    #[inline(always)]
    pub fn new(rest: &Rest<R>, f: Mat3<R>, moduli: Moduli<R>, whole: bool) -> Self {
        let [a, b, c] = rest.g;
        // The edges from corner 0, all by the same factor.
        let (x, y, z) = (b.cross(c), c.cross(a), a.cross(b));
        Self {
            f,
            cofactors: f.cofactors(),
            lines: [unit(x), unit(y), unit(z), unit(y - x), unit(z - x), unit(z - y)],
            // Without a penalty nobody asks for them.
            normals: if moduli.area > R::ZERO { rest.gradients().map(unit) } else { [Vec3::ZERO; 4] },
            moduli,
            whole,
        }
    }

    /// Energy per rest volume [J/m³].
    pub fn energy(&self) -> R {
        let square = |x: R| (x - R::ONE) * (x - R::ONE);
        let (mut lines, mut areas) = (R::ZERO, R::ZERO);
        for n in self.lines {
            lines += square(self.f.apply(n).length());
        }
        for n in self.normals {
            areas += square(self.cofactors.apply(n).length());
        }
        let Moduli { spring, area, volume } = self.moduli;
        R::of(0.5) * (spring * lines + area * areas + volume * square(self.f.determinant()))
    }

    /// P [Pa].
    #[inline(always)]
    pub fn stress(&self) -> Mat3<R> {
        let Moduli { spring, area, volume } = self.moduli;
        let mut p = self.cofactors.scale(volume * (self.f.determinant() - R::ONE));
        for n in self.lines {
            let u = self.f.apply(n);
            if let Some((_, tension)) = stretched(u) {
                p = p + dyad(u * (spring * tension), n);
            }
        }
        if area > R::ZERO {
            p = p + cofactors_change(self.f, self.pressed()).scale(area);
        }
        p
    }

    /// Σ (1 − 1/A) y Nᵀ.
    #[inline(always)]
    fn pressed(&self) -> Mat3<R> {
        let mut sum = Mat3::ZERO;
        for n in self.normals {
            let y = self.cofactors.apply(n);
            if let Some((_, tension)) = stretched(y) {
                sum = sum + dyad(y * tension, n);
            }
        }
        sum
    }

    /// The stiffness across what is stretched: compressed, it pushes aside, which only the whole stiffness may.
    #[inline(always)]
    fn across(&self, tension: R) -> R {
        if self.whole { tension } else { tension.max(R::ZERO) }
    }

    /// No less than the stiffness |dP|/|dF| in any direction, but for what compressed springs take away [Pa].
    #[inline(always)]
    pub fn bound(&self) -> R {
        let Moduli { spring, area, volume } = self.moduli;
        let (f, h) = (self.f, self.cofactors);
        let mut sum = R::of(6.0) * spring + volume_bound(f, h, volume, volume * (f.determinant() - R::ONE));
        if area > R::ZERO {
            // y = H N changes by no more than 2/√3 |F|, and D(dF, ·) turns what presses by as much.
            let pressed = self.pressed();
            let slope = R::of(4.0 / 3.0) * f.dot(f);
            sum += area * (R::of(4.0) * slope + R::of(2.0) * pressed.dot(pressed).sqrt());
        }
        sum
    }

    /// dP of dF [Pa].
    #[inline(always)]
    pub fn change(&self, df: Mat3<R>) -> Mat3<R> {
        let Moduli { spring, area, volume } = self.moduli;
        let (f, h) = (self.f, self.cofactors);
        let dh = cofactors_change(f, df);
        let mut dp = h.scale(volume * h.dot(df));
        if self.whole {
            dp = dp + dh.scale(volume * (f.determinant() - R::ONE));
        }
        for n in self.lines {
            if let Some((u, tension)) = stretched(f.apply(n)) {
                let du = df.apply(n);
                let along = u * u.dot(du);
                dp = dp + dyad((along + (du - along) * self.across(tension)) * spring, n);
            }
        }
        if area > R::ZERO {
            let mut sum = Mat3::ZERO;
            for n in self.normals {
                if let Some((u, tension)) = stretched(h.apply(n)) {
                    let dy = dh.apply(n);
                    let along = u * u.dot(dy);
                    sum = sum + dyad(along + (dy - along) * self.across(tension), n);
                }
            }
            dp = dp + cofactors_change(f, sum).scale(area);
            if self.whole {
                dp = dp + cofactors_change(df, self.pressed()).scale(area);
            }
        }
        dp
    }

    /// A corner's own block of the stiffness per volume, for its gradient g [Pa/m²].
    #[inline(always)]
    pub fn block(&self, g: Vec3<R>) -> [Vec3<R>; 2] {
        let Moduli { spring, area, volume } = self.moduli;
        let (diagonal, off) = outer(self.cofactors.apply(g));
        let mut sum = [diagonal * volume, off * volume];
        let mut add = |v: Vec3<R>, weight: R, own: R| {
            let (diagonal, off) = outer(v);
            sum[0] += diagonal * weight + Vec3::new(own, own, own);
            sum[1] += off * weight;
        };
        for n in self.lines {
            if let Some((u, tension)) = stretched(self.f.apply(n)) {
                let weight = spring * n.dot(g) * n.dot(g);
                let across = tension.max(R::ZERO);
                add(u, weight * (R::ONE - across), weight * across);
            }
        }
        if area > R::ZERO {
            for n in self.normals {
                if let Some((u, tension)) = stretched(self.cofactors.apply(n)) {
                    // A corner's way d changes y by d × w.
                    let w = self.f.apply(n.cross(g));
                    let across = area * tension.max(R::ZERO);
                    add(w.cross(u), area - across, R::ZERO);
                    add(w, -across, across * w.dot(w));
                }
            }
        }
        sum
    }
}
