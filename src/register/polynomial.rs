//! A surface around a point as a cubic, and how two of them compare whatever way they are turned.
//!
//!   z = a₀₀ + Re(z₁ w) + ½ (I₃ |w|² + Re(z₂ w²)) + Re(β w) |w|² + Re(α w³),    w = u + i v
//!
//! with u, v along the tangent plane and z along the normal, all in units of the feature size. When the frame turns by φ around the
//! normal, z₁ and β turn by φ, z₂ by 2φ, α by 3φ; a₀₀ and I₃ stay. So the moduli are invariants, among them those of Spillmann et
//! al.'s "transformed polynomials": a₁₀² + a₀₁² = |z₁|², the determinant of the Hessian I₃² − |z₂|², and 2 |β|² − 18 |α|².
//!
//! Two polynomials differ by
//!
//!   F(φ) = Σₖ wₖ |Zₖ(y) − Zₖ(x) e^{i mₖ φ}|² + (I₃(x) − I₃(y))² + (a₀₀(x) − a₀₀(y))²
//!
//! at the best angle. As | |a| − |b| | ≤ |a − b|, the same sum of the moduli is never larger: the squared distance of two points in
//! six dimensions, by which the best partner of a polynomial is searched exactly.

use glam::{DMat3, DVec2, DVec3};
use std::f64::consts::TAU;
use std::sync::LazyLock;

/// Square roots of the weights in F.
const ROOTS: [f64; 4] = [1.0, 1.0, 2.0, 2.0];
/// Angles at which F is looked at before Newton's method: its terms turn three times at most, so the best is near one of them.
const SAMPLES: usize = 24;
const NEWTON_STEPS: usize = 3;

static CIRCLE: LazyLock<[DVec2; SAMPLES]> =
    LazyLock::new(|| std::array::from_fn(|k| DVec2::from_angle(TAU * k as f64 / SAMPLES as f64)));

/// A cubic in a frame of its own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Polynomial {
    /// The directions of u, v and of the normal.
    pub frame: DMat3,
    /// a₀₀
    pub height: f64,
    /// I₃ = a₂₀ + a₀₂
    pub curvature: f64,
    /// √wₖ Zₖ for z₁, z₂, β, α.
    turning: [DVec2; 4],
}

/// How two polynomials compare.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Comparison {
    /// φ of the least F [rad].
    pub angle: f64,
    /// F there.
    pub score: f64,
}

impl Polynomial {
    /// Of the coefficients of 1, u, v, u², uv, v², u³, u²v, uv², v³.
    pub fn new(frame: DMat3, [a00, a10, a01, a20, a11, a02, a30, a21, a12, a03]: [f64; 10]) -> Self {
        let numbers = [
            DVec2::new(a10, -a01),
            DVec2::new(a20 - a02, -a11),
            0.25 * DVec2::new(3.0 * a30 + a12, -3.0 * a03 - a21),
            0.25 * DVec2::new(a30 - a12, a03 - a21),
        ];
        let turning = std::array::from_fn(|k| ROOTS[k] * numbers[k]);
        Self { frame, height: a00, curvature: a20 + a02, turning }
    }

    /// What no turn changes; the squared distance of two such points is never more than the score of their comparison.
    pub fn invariants(&self) -> [f64; 6] {
        let [a, b, c, d] = self.turning.map(DVec2::length);
        [a, b, c, d, self.curvature, self.height]
    }

    /// The best angle between two polynomials, unless its score is above a limit.
    pub fn compare(&self, other: &Self, limit: f64) -> Option<Comparison> {
        // F = fixed − 2 Re(c₁ e^{iφ} + c₂ e^{2iφ} + c₃ e^{3iφ}); z₁ and β turn alike and add up.
        let products: [DVec2; 4] =
            std::array::from_fn(|k| conjugate(other.turning[k]).rotate(self.turning[k]));
        let c = [products[0] + products[2], products[1], products[3]];
        let real = [self.curvature - other.curvature, self.height - other.height].map(|d| d * d);
        let squares = |p: &Self| p.turning.iter().map(|z| z.length_squared()).sum::<f64>();
        let fixed = squares(self) + squares(other) + real[0] + real[1];
        if fixed - 2.0 * c.iter().map(|c| c.length()).sum::<f64>() > limit {
            return None;
        }
        let gain = |e: DVec2| {
            let e2 = e.rotate(e);
            real_product(c[0], e) + real_product(c[1], e2) + real_product(c[2], e2.rotate(e))
        };
        let gains = CIRCLE.each_ref().map(|&e| gain(e));
        let most = gains.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // A sample may lie half a step beside its peak, where the gain is lower by at most so much.
        let step = TAU / SAMPLES as f64;
        let slack = 0.125 * step * step * (c[0].length() + 4.0 * c[1].length() + 9.0 * c[2].length());
        let mut best: Option<Comparison> = None;
        for (k, &here) in gains.iter().enumerate() {
            let beside = [gains[(k + SAMPLES - 1) % SAMPLES], gains[(k + 1) % SAMPLES]];
            if here < most - slack || here < beside[0] || here <= beside[1] {
                continue;
            }
            let angle = peak(&c, step * k as f64);
            // As a sum of squares, which loses no digits where it is small.
            let score = real[0] + real[1] + self.turned_apart(other, angle);
            if best.is_none_or(|best| score < best.score) {
                best = Some(Comparison { angle, score });
            }
        }
        // Where nothing turns, all angles are alike.
        best.or_else(|| {
            Some(Comparison { angle: 0.0, score: real[0] + real[1] + self.turned_apart(other, 0.0) })
        })
    }

    fn turned_apart(&self, other: &Self, angle: f64) -> f64 {
        let e = DVec2::from_angle(angle);
        let e2 = e.rotate(e);
        let turns = [e, e2, e, e2.rotate(e)];
        (0..4).map(|k| (other.turning[k] - self.turning[k].rotate(turns[k])).length_squared()).sum()
    }

    /// Height and slopes at a place.
    pub fn at(&self, w: DVec2) -> (f64, DVec2) {
        let [z1, z2, beta, alpha]: [DVec2; 4] = std::array::from_fn(|k| self.turning[k] / ROOTS[k]);
        let (squared, w2) = (w.length_squared(), w.rotate(w));
        let (beta_w, alpha_w2) = (real_product(beta, w), alpha.rotate(w2));
        let height = self.height
            + real_product(z1, w)
            + 0.5 * (self.curvature * squared + real_product(z2, w2))
            + beta_w * squared
            + real_product(alpha_w2, w);
        let slopes = z1 + z2.rotate(w) + beta * squared + 3.0 * alpha_w2;
        (height, conjugate(slopes) + (self.curvature + 2.0 * beta_w) * w)
    }

    /// The unit normal of the surface at a place.
    pub fn normal(&self, w: DVec2) -> DVec3 {
        let slopes = self.at(w).1;
        (self.frame * DVec3::new(-slopes.x, -slopes.y, 1.0)).normalize()
    }

    /// The largest of the numbers that turn, with their weights.
    pub fn largest(&self) -> f64 {
        self.turning.iter().map(|z| z.length()).fold(self.curvature.abs().max(self.height.abs()), f64::max)
    }
}

/// The peak of Re(c₁ e^{iφ} + c₂ e^{2iφ} + c₃ e^{3iφ}) next to an angle, by Newton's method.
fn peak(c: &[DVec2; 3], mut angle: f64) -> f64 {
    for _ in 0..NEWTON_STEPS {
        let e = DVec2::from_angle(angle);
        let e2 = e.rotate(e);
        let [t1, t2, t3] = [c[0].rotate(e), c[1].rotate(e2), c[2].rotate(e2.rotate(e))];
        let bend = t1.x + 4.0 * t2.x + 9.0 * t3.x;
        let slope = t1.y + 2.0 * t2.y + 3.0 * t3.y;
        // The peak is at most half a sample away; where it is flat, Newton's method would leap over it.
        let most = 0.5 * TAU / SAMPLES as f64;
        angle -= if bend > 0.0 { (slope / bend).clamp(-most, most) } else { most * slope.signum() };
    }
    angle
}

fn conjugate(z: DVec2) -> DVec2 {
    DVec2::new(z.x, -z.y)
}

/// Re(a b)
fn real_product(a: DVec2, b: DVec2) -> f64 {
    a.x * b.x - a.y * b.y
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Random;

    fn coefficients(random: &mut Random) -> [f64; 10] {
        std::array::from_fn(|_| 2.0 * random.number() - 1.0)
    }

    /// The coefficients in a frame that is turned by φ: u = c u' − s v', v = s u' + c v'.
    fn turned([a00, a10, a01, a20, a11, a02, a30, a21, a12, a03]: [f64; 10], phi: f64) -> [f64; 10] {
        let (s, c) = phi.sin_cos();
        [
            a00,
            a10 * c + a01 * s,
            a01 * c - a10 * s,
            a20 * c * c + a11 * c * s + a02 * s * s,
            2.0 * (a02 - a20) * c * s + a11 * (c * c - s * s),
            a20 * s * s - a11 * c * s + a02 * c * c,
            a30 * c.powi(3) + a21 * c * c * s + a12 * c * s * s + a03 * s.powi(3),
            -3.0 * a30 * c * c * s
                + a21 * (c.powi(3) - 2.0 * c * s * s)
                + a12 * (2.0 * c * c * s - s.powi(3))
                + 3.0 * a03 * c * s * s,
            3.0 * a30 * c * s * s
                + a21 * (s.powi(3) - 2.0 * c * c * s)
                + a12 * (c.powi(3) - 2.0 * c * s * s)
                + 3.0 * a03 * c * c * s,
            -a30 * s.powi(3) + a21 * c * s * s - a12 * c * c * s + a03 * c.powi(3),
        ]
    }

    fn four(a: [f64; 10]) -> [f64; 4] {
        let [_, a10, a01, a20, a11, a02, a30, a21, a12, a03] = a;
        [
            a10 * a10 + a01 * a01,
            4.0 * a20 * a02 - a11 * a11,
            a20 + a02,
            3.0 * a30 * a12 + 3.0 * a03 * a21 - a21 * a21 - a12 * a12,
        ]
    }

    #[test]
    fn turning_the_frame_changes_no_invariant() {
        let mut random = Random(7);
        for _ in 0..500 {
            let a = coefficients(&mut random);
            let b = turned(a, 7.0 * random.number());
            let [p, q] = [a, b].map(|a| Polynomial::new(DMat3::IDENTITY, a));
            for (x, y) in
                p.invariants().into_iter().zip(q.invariants()).chain(four(a).into_iter().zip(four(b)))
            {
                assert!((x - y).abs() < 1e-12, "{x} {y}");
            }
            // The published invariant of the cubic terms mixes the two moduli, that of the Hessian two others.
            let [_, z2, beta, alpha, mean, _] = p.invariants();
            let [_, determinant, _, cubic] = four(a);
            assert!((cubic - 0.5 * beta * beta + 4.5 * alpha * alpha).abs() < 1e-12);
            assert!((determinant - mean * mean + z2 * z2).abs() < 1e-12);
        }
    }

    #[test]
    fn the_angle_of_a_turned_polynomial_is_found() {
        let mut random = Random(11);
        for case in 0..500 {
            let mut a = coefficients(&mut random);
            if case % 3 == 0 {
                // An umbilic without slope: only the cubic terms tell the angle.
                (a[1], a[2], a[4], a[5]) = (0.0, 0.0, 0.0, a[3]);
            }
            let phi = TAU * random.number();
            let [x, y] = [a, turned(a, phi)].map(|a| Polynomial::new(DMat3::IDENTITY, a));
            let found = x.compare(&y, f64::INFINITY).unwrap();
            let off = (found.angle - phi + 0.5 * TAU).rem_euclid(TAU) - 0.5 * TAU;
            assert!(off.abs() < 1e-10 && found.score < 1e-20, "{case}: off by {off}, score {}", found.score);
        }
    }

    #[test]
    fn the_distance_of_the_invariants_never_exceeds_the_score() {
        let mut random = Random(13);
        for _ in 0..1_000_000 {
            let mut polynomial = || Polynomial::new(DMat3::IDENTITY, coefficients(&mut random));
            let (x, y) = (polynomial(), polynomial());
            let bound: f64 = x.invariants().iter().zip(y.invariants()).map(|(a, b)| (a - b) * (a - b)).sum();
            let found = x.compare(&y, f64::INFINITY).unwrap();
            assert!(bound <= found.score * (1.0 + 1e-12), "{bound} {}", found.score);
            // Nor does any other angle score better than the one that was found.
            let other = 0.5 * TAU * random.number();
            let real = (x.curvature - y.curvature).powi(2) + (x.height - y.height).powi(2);
            assert!(found.score <= real + x.turned_apart(&y, other) + 1e-12);
        }
    }

    #[test]
    fn height_and_slopes_are_those_of_the_coefficients() {
        let mut random = Random(17);
        let a = coefficients(&mut random);
        let p = Polynomial::new(DMat3::IDENTITY, a);
        let value = |u: f64, v: f64| {
            let terms = [1.0, u, v, u * u, u * v, v * v, u * u * u, u * u * v, u * v * v, v * v * v];
            terms.iter().zip(a).map(|(t, a)| t * a).sum::<f64>()
        };
        let (u, v, step) = (0.3, -0.7, 1e-5);
        let (height, slopes) = p.at(DVec2::new(u, v));
        assert!((height - value(u, v)).abs() < 1e-14);
        assert!((slopes.x - (value(u + step, v) - value(u - step, v)) / (2.0 * step)).abs() < 1e-9);
        assert!((slopes.y - (value(u, v + step) - value(u, v - step)) / (2.0 * step)).abs() < 1e-9);
    }
}
