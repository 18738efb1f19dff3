//! The stress of a tetrahedron and its whole change with F, in f64: equilibria by Newton's method, and how they depend on the moduli.
//!
//! The stress is linear in Lamé's λ and μ for all three laws, so that its derivatives by them are the stresses of λ = 1 and of μ = 1.

use crate::math::{Mat3, Quat, Vec3};
use crate::scene::{SolidMaterial, SolidModel};
use crate::solids::elasticity::{Frame, NeoHookean, neo_hookean_moduli};
use crate::solids::rotation::{self, symmetric_eigenvectors};

/// A law whose moduli can be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Law {
    Linear,
    Corotational,
    NeoHookean,
}

impl Law {
    /// Nothing for laws whose moduli depend on the mesh or on time steps.
    pub fn of(model: SolidModel) -> Option<Self> {
        match model {
            SolidModel::Linear => Some(Self::Linear),
            SolidModel::Corotational => Some(Self::Corotational),
            SolidModel::NeoHookean => Some(Self::NeoHookean),
            _ => None,
        }
    }
}

/// Lamé's λ and μ [Pa] of E and ν.
pub fn lame(e: f64, nu: f64) -> [f64; 2] {
    SolidMaterial { youngs_modulus: e, poisson_ratio: nu, ..SolidMaterial::default() }.lame()
}

/// How λ and μ change with the compliance s = 1/E and with ν.
pub fn lame_slopes(e: f64, nu: f64) -> [[f64; 2]; 2] {
    let [lambda, mu] = lame(e, nu);
    let open = (1.0 + nu) * (1.0 - 2.0 * nu);
    [
        [-e * lambda, -e * mu],
        [e * (1.0 + 2.0 * nu * nu) / (open * open), -e / (2.0 * (1.0 + nu) * (1.0 + nu))],
    ]
}

/// A tetrahedron's deformation as a law sees it.
pub struct Strained {
    law: Law,
    f: Mat3<f64>,
    rotation: Mat3<f64>,
}

/// tr S − S along an axis below which the rotation is about to jump and has no derivative.
const OPEN: f64 = 1e-6;

impl Strained {
    /// `gradients` are those of the barycentric coordinates.
    pub fn new(law: Law, f: Mat3<f64>, gradients: [Vec3<f64>; 4]) -> Self {
        let rotation = match law {
            Law::Corotational => {
                let still = Quat { x: 0.0, y: 0.0, z: 0.0, w: 1.0 };
                rotation::extract(f, gradients, rotation::SMALLEST, still, 0).0.matrix()
            }
            Law::Linear | Law::NeoHookean => Mat3::IDENTITY,
        };
        Self { law, f, rotation }
    }

    fn frame(&self, [lambda, mu]: [f64; 2]) -> Frame<f64> {
        Frame { rotation: self.rotation, lambda, mu }
    }

    fn neo_hookean(&self, lame: [f64; 2]) -> NeoHookean<f64> {
        let [lambda, mu, alpha] = neo_hookean_moduli(lame);
        NeoHookean::new(self.f, lambda, mu, alpha)
    }

    /// P [Pa].
    pub fn stress(&self, lame: [f64; 2]) -> Mat3<f64> {
        match self.law {
            Law::Linear | Law::Corotational => self.frame(lame).stress(self.f),
            Law::NeoHookean => self.neo_hookean(lame).stress(),
        }
    }

    /// Ψ [J/m³], up to a constant.
    pub fn energy(&self, lame: [f64; 2]) -> f64 {
        match self.law {
            Law::Linear | Law::Corotational => self.frame(lame).energy(self.f),
            Law::NeoHookean => {
                let [lambda, mu, alpha] = neo_hookean_moduli(lame);
                let (size, volume) = (self.f.dot(self.f), self.f.determinant() - alpha);
                0.5 * mu * (size - 3.0 - (0.25 * (size + 1.0)).ln()) + 0.5 * lambda * volume * volume
            }
        }
    }

    /// dP for each of some dF [Pa].
    pub fn changes<const N: usize>(&self, lame: [f64; 2], dfs: [Mat3<f64>; N]) -> [Mat3<f64>; N] {
        match self.law {
            Law::Linear => dfs.map(|df| self.frame(lame).change(df)),
            Law::NeoHookean => {
                let law = self.neo_hookean(lame);
                dfs.map(|df| law.change(df))
            }
            Law::Corotational => {
                let (frame, twist) = (self.frame(lame), self.twist(lame));
                dfs.map(|df| {
                    let b = self.rotation.transposed_times(df);
                    let t = Vec3::new(b.y.z - b.z.y, b.z.x - b.x.z, b.x.y - b.y.x);
                    frame.change(df) + self.rotation * Mat3::cross(twist.apply(t))
                })
            }
        }
    }

    /// N = (μ (tr ε − ε) + λ tr ε) (tr S − S)⁻¹ [Pa], as it is: negative where a body is pressed together.
    fn twist(&self, [lambda, mu]: [f64; 2]) -> Mat3<f64> {
        let b = self.rotation.transposed_times(self.f) - Mat3::IDENTITY;
        let strain = (b + b.transpose()).scale(0.5);
        let trace = strain.x.x + strain.y.y + strain.z.z;
        let mut modulus = Mat3::ZERO;
        for v in symmetric_eigenvectors(strain) {
            let across = trace - v.dot(strain.apply(v));
            let opening = 2.0 + across;
            if opening.abs() > OPEN {
                let n = (mu * across + lambda * trace) / opening;
                modulus = modulus + Mat3::new(v * v.x, v * v.y, v * v.z).scale(n);
            }
        }
        modulus
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Random;

    fn random_matrix(random: &mut Random) -> Mat3<f64> {
        let mut v = || Vec3::of(random.vector().to_array()) - Vec3::new(0.5, 0.5, 0.5);
        Mat3::new(v(), v(), v())
    }

    #[test]
    fn changes_are_derivatives_of_stresses_and_stresses_of_energies() {
        let mut random = Random(5);
        let gradients = [Vec3::ZERO; 4];
        let lame = lame(1.3, 0.35);
        for law in [Law::Linear, Law::Corotational, Law::NeoHookean] {
            for _ in 0..50 {
                // Compressed by a third along y, sheared and turned.
                let turn =
                    Strained::new(Law::Corotational, Mat3::IDENTITY + random_matrix(&mut random), gradients)
                        .rotation;
                let press = Mat3::diagonal(Vec3::new(1.05, 0.7, 1.02));
                let f = turn * (press + random_matrix(&mut random).scale(0.3));
                let df = random_matrix(&mut random);
                let h = 1e-5;
                let at = |x: f64| Strained::new(law, f + df.scale(x), gradients);
                let [change] = at(0.0).changes(lame, [df]);
                let difference = (at(h).stress(lame) - at(-h).stress(lame)).scale(0.5 / h);
                let error = (change - difference).dot(change - difference).sqrt();
                assert!(error < 1e-8, "{law:?} {error}");
                let power = (at(h).energy(lame) - at(-h).energy(lame)) * 0.5 / h;
                assert!((power - at(0.0).stress(lame).dot(df)).abs() < 1e-8, "{law:?}");
            }
        }
    }

    #[test]
    fn slopes_of_moduli_are_their_derivatives() {
        let (e, nu, h) = (2e4, 0.3, 1e-6);
        let [by_s, by_nu] = lame_slopes(e, nu);
        for k in 0..2 {
            let s = 1.0 / e;
            let numeric =
                (lame(1.0 / (s * (1.0 + h)), nu)[k] - lame(1.0 / (s * (1.0 - h)), nu)[k]) / (2.0 * h * s);
            assert!((by_s[k] / numeric - 1.0).abs() < 1e-8);
            let numeric = (lame(e, nu + h)[k] - lame(e, nu - h)[k]) / (2.0 * h);
            assert!((by_nu[k] / numeric - 1.0).abs() < 1e-8);
        }
    }
}
