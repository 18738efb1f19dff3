//! The membrane law: a triangle's Green strain, the stress of an orthotropic St. Venant–Kirchhoff sheet, and their
//! changes. Twin of `shaders/common/green.wgsl`.
//!
//!   F = [x₂−x₁, x₃−x₁] D⁻¹ (3×2)        E = ½ (FᵀF − 1)        Ψ = ½ (a₁₁ E₁₁² + 2 a₁₂ E₁₁ E₂₂ + a₂₂ E₂₂²) + 2 G E₁₂²
//!   S₁₁ = a₁₁ E₁₁ + a₁₂ E₂₂        S₂₂ = a₂₂ E₂₂ + a₁₂ E₁₁        S₁₂ = 2 G E₁₂        P = F S        fᵢ = −A P ∇Nᵢ
//!
//! Thomaszewski 2010, (2.19)–(2.36). D holds the edges at rest in material axes, weft first; ∇N₂ and ∇N₃ are the
//! rows of D⁻¹ and ∇N₁ = −∇N₂ − ∇N₃. Moduli are per width of sheet [N/m]. Everything comes from edges, so that the
//! distance from the origin does not cost digits.
//!
//! The change of P with F is dP = dF S + F (C:dE), dE = sym(Fᵀ dF). The first term is indefinite in a compressed
//! triangle, where S has negative eigenvalues; systems of equations use S₊, without them, and stay positive definite.

use crate::math::{Mat3, Real, Vec3, Vec4};

/// F: the deformed weft and warp unit vectors.
pub type Gradient<R> = [Vec3<R>; 2];
/// A symmetric 2×2 matrix: 11, 22, 12.
pub type Symmetric<R> = [R; 3];

/// F of a triangle, or its rate or change from those of the edges.
#[inline(always)]
pub fn gradient<R: Real>(rest: Vec4<R>, [e2, e3]: [Vec3<R>; 2]) -> Gradient<R> {
    [e2 * rest.x + e3 * rest.z, e2 * rest.y + e3 * rest.w]
}

/// A, the area at rest [m²].
#[inline(always)]
pub fn area<R: Real>(rest: Vec4<R>) -> R {
    R::of(0.5) / (rest.x * rest.w - rest.y * rest.z)
}

/// E.
#[inline(always)]
pub fn strain<R: Real>([f1, f2]: Gradient<R>) -> Symmetric<R> {
    let half = R::of(0.5);
    [half * (f1.dot(f1) - R::ONE), half * (f2.dot(f2) - R::ONE), half * f1.dot(f2)]
}

/// dE = sym(Fᵀ dF), which is also the strain rate if dF is the rate of F.
#[inline(always)]
pub fn strain_change<R: Real>([f1, f2]: Gradient<R>, [d1, d2]: Gradient<R>) -> Symmetric<R> {
    [f1.dot(d1), f2.dot(d2), R::of(0.5) * (f1.dot(d2) + f2.dot(d1))]
}

/// C:E for the moduli (a₁₁, a₂₂, a₁₂, G).
#[inline(always)]
pub fn stress<R: Real>(moduli: Vec4<R>, [e11, e22, e12]: Symmetric<R>) -> Symmetric<R> {
    [moduli.x * e11 + moduli.z * e22, moduli.y * e22 + moduli.z * e11, (moduli.w + moduli.w) * e12]
}

/// S : E.
#[inline(always)]
pub fn contract<R: Real>([s11, s22, s12]: Symmetric<R>, [e11, e22, e12]: Symmetric<R>) -> R {
    s11 * e11 + s22 * e22 + (s12 + s12) * e12
}

/// F S.
#[inline(always)]
pub fn product<R: Real>([f1, f2]: Gradient<R>, [s11, s22, s12]: Symmetric<R>) -> Gradient<R> {
    [f1 * s11 + f2 * s12, f1 * s12 + f2 * s22]
}

/// S₊: the stress without its negative eigenvalues.
#[inline(always)]
pub fn tension<R: Real>(s: Symmetric<R>) -> Symmetric<R> {
    let [s11, s22, s12] = s;
    let half = R::of(0.5);
    let (mean, difference) = (half * (s11 + s22), half * (s11 - s22));
    let radius = (difference * difference + s12 * s12).sqrt();
    let (high, low) = (mean + radius, mean - radius);
    if low >= R::ZERO {
        return s;
    }
    // The projector on the larger eigenvector is (S − low 1)/(high − low).
    let scale = R::select(high > R::ZERO, high / (radius + radius), R::ZERO);
    [scale * (s11 - low), scale * (s22 - low), scale * s12]
}

/// A P ∇Nᵢ at the three corners; the forces of a stress P are the negative of it.
#[inline(always)]
pub fn corners<R: Real>(rest: Vec4<R>, [p1, p2]: Gradient<R>) -> [Vec3<R>; 3] {
    let area = area(rest);
    let second = (p1 * rest.x + p2 * rest.y) * area;
    let third = (p1 * rest.z + p2 * rest.w) * area;
    [-(second + third), second, third]
}

/// ∇N of the three corners [1/m].
#[inline(always)]
pub fn shape_gradients<R: Real>(rest: Vec4<R>) -> [[R; 2]; 3] {
    [[-(rest.x + rest.z), -(rest.y + rest.w)], [rest.x, rest.y], [rest.z, rest.w]]
}

/// The 3×3 block of two corners of A (dF S + F (C:dE)), by the gradients a of the row's and b of the column's shape function.
#[inline(always)]
pub fn pair<R: Real>(
    rest: Vec4<R>,
    [f1, f2]: Gradient<R>,
    moduli: Vec4<R>,
    [s11, s22, s12]: Symmetric<R>,
    [a1, a2]: [R; 2],
    [b1, b2]: [R; 2],
) -> Mat3<R> {
    let area = area(rest);
    let own = area * (a1 * b1 * s11 + (a1 * b2 + a2 * b1) * s12 + a2 * b2 * s22);
    // What f₁·d and f₂·d of the column's displacement d do along f₁ and f₂.
    let k11 = area * (moduli.x * a1 * b1 + moduli.w * a2 * b2);
    let k12 = area * (moduli.z * a1 * b2 + moduli.w * a2 * b1);
    let k21 = area * (moduli.w * a1 * b2 + moduli.z * a2 * b1);
    let k22 = area * (moduli.w * a1 * b1 + moduli.y * a2 * b2);
    let (first, second) = (f1 * k11 + f2 * k21, f1 * k12 + f2 * k22);
    let column = |x: R, y: R| first * x + second * y;
    Mat3::new(column(f1.x, f2.x), column(f1.y, f2.y), column(f1.z, f2.z))
        + Mat3::diagonal(Vec3::new(own, own, own))
}

/// The 3×3 diagonal block of a corner of A (dF S + F (C:dE)): xx, yy, zz; xy, yz, zx.
#[inline(always)]
pub fn block<R: Real>(
    rest: Vec4<R>,
    [f1, f2]: Gradient<R>,
    moduli: Vec4<R>,
    [s11, s22, s12]: Symmetric<R>,
    [a1, a2]: [R; 2],
) -> [Vec3<R>; 2] {
    let area = area(rest);
    let straight = area * (a1 * a1 * s11 + (a1 * a2 + a1 * a2) * s12 + a2 * a2 * s22);
    // f1f1ᵀ, f2f2ᵀ and the symmetric f1f2ᵀ + f2f1ᵀ with their factors.
    let k11 = area * (moduli.x * a1 * a1 + moduli.w * a2 * a2);
    let k22 = area * (moduli.y * a2 * a2 + moduli.w * a1 * a1);
    let k12 = area * (moduli.z + moduli.w) * a1 * a2;
    let entry = |x: fn(Vec3<R>) -> R, y: fn(Vec3<R>) -> R| {
        k11 * x(f1) * y(f1) + k22 * x(f2) * y(f2) + k12 * (x(f1) * y(f2) + x(f2) * y(f1))
    };
    let (x, y, z) = (|v: Vec3<R>| v.x, |v: Vec3<R>| v.y, |v: Vec3<R>| v.z);
    [
        Vec3::new(straight + entry(x, x), straight + entry(y, y), straight + entry(z, z)),
        Vec3::new(entry(x, y), entry(y, z), entry(z, x)),
    ]
}
