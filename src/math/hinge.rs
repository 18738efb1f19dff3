//! Two triangles that share an edge: the angle between them and its gradients. Twin of `shaders/common/hinge.wgsl`.
//!
//!   θ = atan2((n₁ × n₂)·e/|e|, n₁·n₂)        e = x₄ − x₃        N₁ = (x₁−x₃) × (x₁−x₄)        N₂ = (x₂−x₄) × (x₂−x₃)
//!
//! x₁ and x₂ are opposite the edge; flat is θ = 0. With a = x₁−x₃ and c = x₂−x₃ the normals are e × a and c × e, so
//! that (N₁ × N₂)·e = −|e|² c·N₁: no unit normals are needed. With the feet s = a·e/|e|² and t = c·e/|e|² of x₁ and
//! x₂ along the edge (Bridson, Marino, Fedkiw 2003, sec. 4),
//!
//!   ∇₁θ = −|e| N₁/|N₁|²        ∇₂θ = −|e| N₂/|N₂|²
//!   ∇₃θ = (s−1) ∇₁θ + (t−1) ∇₂θ        ∇₄θ = −s ∇₁θ − t ∇₂θ

use super::{Real, Vec3};

/// Height over edge length below which a hinge is left alone: the rounding of a cross product turns the normal
/// of so thin a triangle by 1e-4 and more in f32.
const HINGE_THIN: f64 = 1e-3;

/// The angle of a hinge as a direction, and its gradients.
#[derive(Clone, Copy, Debug)]
pub struct Hinge<R> {
    /// |N₁||N₂| sin θ and |N₁||N₂| cos θ.
    pub sine: R,
    pub cosine: R,
    /// ∇θ at x₁ … x₄ [rad/m], zero when a triangle is too thin to have a normal.
    pub gradients: [Vec3<R>; 4],
}

impl<R: Real> Hinge<R> {
    #[inline(always)]
    pub fn new(
        e: Vec3<R>, // x₄ − x₃ [m]
        a: Vec3<R>, // x₁ − x₃ [m]
        c: Vec3<R>, // x₂ − x₃ [m]
    ) -> Self {
        let (n1, n2) = (e.cross(a), c.cross(e));
        let (ee, nn1, nn2) = (e.dot(e), n1.dot(n1), n2.dot(n2));
        let length = ee.sqrt();
        let thin = R::of(HINGE_THIN) * ee;
        let valid = nn1.min(nn2) > thin * thin;
        let g1 = n1 * R::select(valid, -length / nn1, R::ZERO);
        let g2 = n2 * R::select(valid, -length / nn2, R::ZERO);
        let s = R::select(valid, a.dot(e) / ee, R::ZERO);
        let t = R::select(valid, c.dot(e) / ee, R::ZERO);
        let g3 = g1 * (s - R::ONE) + g2 * (t - R::ONE);
        let g4 = -(g1 * s + g2 * t);
        Self { sine: -length * c.dot(n1), cosine: n1.dot(n2), gradients: [g1, g2, g3, g4] }
    }

    /// sin θ/2 and cos θ/2, without cancellation at any angle; flat where there is no angle.
    #[inline(always)]
    pub fn half_angle(&self) -> (R, R) {
        let size = (self.sine * self.sine + self.cosine * self.cosine).sqrt();
        let valid = size > R::ZERO;
        let over = R::select(valid, size, R::ONE);
        let large = ((size + self.cosine.abs()) / (over + over)).sqrt();
        let large = R::select(valid, large, R::ONE);
        let small = self.sine.abs() / (over * (large + large));
        let sharp = self.cosine < R::ZERO;
        let sine = R::select(sharp, large, small);
        (R::select(self.sine < R::ZERO, -sine, sine), R::select(sharp, small, large))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A hinge folded by an angle: the first triangle in the plane z = 0, the second turned about the y axis.
    fn folded(theta: f64) -> Hinge<f32> {
        let c = Vec3::of([0.8 * theta.cos(), 0.3, -0.8 * theta.sin()]);
        Hinge::new(Vec3::of([0.0, 1.5, 0.0]), Vec3::of([-2.0, 0.4, 0.0]), c)
    }

    #[test]
    fn the_half_angle_keeps_its_digits_when_flat_and_when_folded_over() {
        for theta in [-3.1, -1.6, -1e-3, 1e-6, 0.4, 1.5, 1.7, 3.0, 3.13] {
            let (sine, cosine) = folded(theta).half_angle();
            assert!((f64::from(sine) - (0.5 * theta).sin()).abs() < 2e-7 * (0.5 * theta).sin().abs() + 1e-12);
            assert!((f64::from(cosine) - (0.5 * theta).cos()).abs() < 4e-7, "{theta}");
        }
        let collapsed = Hinge::new(Vec3::<f32>::ZERO, Vec3::ZERO, Vec3::ZERO);
        assert_eq!(collapsed.half_angle(), (0.0, 1.0));
    }
}
