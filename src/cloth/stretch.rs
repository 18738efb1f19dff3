//! The stretch of a triangle and the smallest change that brings it to a target. Twin of `shaders/common/stretch.wgsl`.
//!
//!   F = R U        U = (C + s 1)/√(tr C + 2 s)        C = FᵀF        s = √det C        ε = U − 1
//!
//! Thomaszewski 2010, sec. 3.3.1; the closed form of a 2×2 root. F is 3×2, so U is never negative and nothing inverts.
//!
//! A change of strain d with D = [d₁ d₃; d₃ d₂] is a displacement linear over the triangle, R (D + w J) X with
//! J = [0 −1; 1 0], and w is the turn that goes with it. Three free corners keep both momenta: with lever arms L about the
//! centre of mass at rest and I = Σ m L Lᵀ,
//!
//!   w = −(Q₁₁ I₁₁ + (Q₁₂ + Q₂₁) I₁₂ + Q₂₂ I₂₂)/(U₁₁ I₁₁ + 2 U₁₂ I₁₂ + U₂₂ I₂₂)        Δxᵢ = R (D + w J) Lᵢ
//!   Q = [−U₁₂ d₁ + U₁₁ d₃, −U₁₂ d₃ + U₁₁ d₂; −U₂₂ d₁ + U₁₂ d₃, −U₂₂ d₃ + U₁₂ d₂]
//!
//! which solves the 6×6 system (3.11). With one corner held, the other two take the least kinetic energy, arms l from the
//! held one: w = −Σ m (J l)·(D l)/Σ m l². With two held, the third takes the least squares of the three strains.

use super::green::{Gradient, Symmetric};
use crate::math::{Real, Vec3, Vec4};

/// det U over tr C below which a triangle has collapsed to a line and has no plane to be corrected in.
const STRETCH_FLAT: f64 = 1e-6;

/// U and R of F, or nothing if the triangle has no plane.
#[inline(always)]
pub fn polar<R: Real>([f1, f2]: Gradient<R>) -> Option<(Symmetric<R>, Gradient<R>)> {
    let (c11, c22, c12) = (f1.dot(f1), f2.dot(f2), f1.dot(f2));
    let s = (c11 * c22 - c12 * c12).max(R::ZERO).sqrt();
    let has_plane = s > R::of(STRETCH_FLAT) * (c11 + c22);
    if !has_plane {
        return None;
    }
    let scale = R::ONE / (c11 + c22 + s + s).sqrt();
    let [u11, u22, u12] = [(c11 + s) * scale, (c22 + s) * scale, c12 * scale];
    let r1 = (f1 * u22 - f2 * u12) / s;
    let r2 = (f2 * u11 - f1 * u12) / s;
    Some(([u11, u22, u12], [r1, r2]))
}

/// The displacements of the corners, in the triangle's own axes [m], that change its strain by d.
///
/// `weights` are inverse masses, 0 for held corners; `rest` is D⁻¹ by rows.
#[inline(always)]
pub fn correction<R: Real>(
    rest: Vec4<R>,
    [u11, u22, u12]: Symmetric<R>,
    [d1, d2, d3]: Symmetric<R>,
    weights: [R; 3],
) -> [[R; 2]; 3] {
    let det = rest.x * rest.w - rest.y * rest.z;
    let x = [[R::ZERO; 2], [rest.w / det, -rest.z / det], [-rest.y / det, rest.x / det]];
    let free = weights.map(|w| w > R::ZERO);
    let count = free.iter().filter(|&&free| free).count();
    let masses = weights.map(|w| R::select(w > R::ZERO, R::ONE / w, R::ZERO));
    let zero = [[R::ZERO; 2]; 3];
    // Displacements from arms about a point, with the turn w.
    let field = |arms: [[R; 2]; 3], w: R| arms.map(|[a, b]| [d1 * a + (d3 - w) * b, (d3 + w) * a + d2 * b]);
    if count == 3 {
        let total = masses[0] + masses[1] + masses[2];
        let mean = [0, 1].map(|c| (masses[0] * x[0][c] + masses[1] * x[1][c] + masses[2] * x[2][c]) / total);
        let arms = x.map(|[a, b]| [a - mean[0], b - mean[1]]);
        let (mut i11, mut i12, mut i22) = (R::ZERO, R::ZERO, R::ZERO);
        for (m, [a, b]) in masses.into_iter().zip(arms) {
            i11 += m * a * a;
            i12 += m * a * b;
            i22 += m * b * b;
        }
        let q11 = u11 * d3 - u12 * d1;
        let q12 = u11 * d2 - u12 * d3;
        let q21 = u12 * d3 - u22 * d1;
        let q22 = u12 * d2 - u22 * d3;
        let turn = q11 * i11 + (q12 + q21) * i12 + q22 * i22;
        let inertia = u11 * i11 + (u12 + u12) * i12 + u22 * i22;
        return field(arms, -turn / inertia);
    }
    if count == 2 {
        let held = free.iter().position(|&free| !free).unwrap_or(0);
        let arms = x.map(|[a, b]| [a - x[held][0], b - x[held][1]]);
        let (mut turn, mut inertia) = (R::ZERO, R::ZERO);
        for (m, [a, b]) in masses.into_iter().zip(arms) {
            turn += m * (a * (d3 * a + d2 * b) - b * (d1 * a + d3 * b));
            inertia += m * (a * a + b * b);
        }
        return field(arms, -turn / inertia);
    }
    if count == 1 {
        let (half, quarter) = (R::of(0.5), R::of(0.25));
        let k = free.iter().position(|&free| free).unwrap_or(0);
        let gradients = [[-(rest.x + rest.z), -(rest.y + rest.w)], [rest.x, rest.y], [rest.z, rest.w]];
        let [n1, n2] = gradients[k];
        let (a, b, c) = (n1 * n1 + quarter * n2 * n2, n2 * n2 + quarter * n1 * n1, quarter * n1 * n2);
        let (p, q) = (n1 * d1 + half * n2 * d3, n2 * d2 + half * n1 * d3);
        let mut found = zero;
        found[k] = [(b * p - c * q) / (a * b - c * c), (a * q - c * p) / (a * b - c * c)];
        return found;
    }
    zero
}

/// Sweeps over the modes of one triangle.
const STRETCH_SWEEPS: usize = 3;
/// A mode that a triangle's free corners hardly change, relative to the others, is not corrected.
const STRETCH_LOOSE: f64 = 1e-6;

/// ∂(U₁₁, U₂₂, U₁₂)/∂x of a corner whose shape function has the gradient n, in the triangle's own axes [1/m].
///
/// From RᵀdF = dU + ω J U: ω tr U is the difference of its two off-diagonal entries.
#[inline(always)]
pub fn mode_gradients<R: Real>([u11, u22, u12]: Symmetric<R>, [n1, n2]: [R; 2]) -> [[R; 2]; 3] {
    let trace = u11 + u22;
    let [p, q, s] = [u11 / trace, u22 / trace, u12 / trace];
    [[n1 - s * n2, s * n1], [s * n2, n2 - s * n1], [p * n2, q * n1]]
}

/// Σₖ λₖ ∂Uₖ/∂x.
#[inline(always)]
pub fn along<R: Real>(gradients: [[R; 2]; 3], [a, b, c]: [R; 3]) -> [R; 2] {
    [0, 1].map(|x| gradients[0][x] * a + gradients[1][x] * b + gradients[2][x] * c)
}

/// The impulses of a triangle's modes [kg m²] that keep its strains within `[low, high]`, from those before, over-relaxed
/// by ω but never to the other side, and the largest strain that they change.
///
/// Gauss–Seidel over the modes: λₖ ← max(λₖ + (εₖ − high)/Wₖₖ, 0) + min(λₖ + (εₖ − low)/Wₖₖ, 0), W = Σ w ∂U/∂x ∂Uᵀ/∂x.
#[inline(always)]
pub fn impulses<R: Real>(
    gradients: &[[[R; 2]; 3]; 3],
    weights: [R; 3],
    u: Symmetric<R>,
    [low, high]: [Vec3<R>; 2],
    before: [R; 3],
    omega: R,
) -> ([R; 3], R) {
    let mut w = [[R::ZERO; 3]; 3];
    for (weight, g) in weights.into_iter().zip(gradients) {
        for k in 0..3 {
            for l in 0..3 {
                w[k][l] += weight * (g[k][0] * g[l][0] + g[k][1] * g[l][1]);
            }
        }
    }
    let strain = [u[0] - R::ONE, u[1] - R::ONE, u[2]];
    let (low, high) = ([low.x, low.y, low.z], [high.x, high.y, high.z]);
    let loose = R::of(STRETCH_LOOSE) * (w[0][0] + w[1][1] + w[2][2]);
    let mut now = before;
    for _ in 0..STRETCH_SWEEPS {
        for k in 0..3 {
            let stiffness = w[k][k];
            let holds = stiffness > loose;
            if !holds {
                now[k] = R::ZERO;
                continue;
            }
            let done = [0, 1, 2].map(|l| w[k][l] * (now[l] - before[l]));
            let e = strain[k] - (done[0] + done[1] + done[2]);
            let upper = now[k] + (e - high[k]) / stiffness;
            let lower = now[k] + (e - low[k]) / stiffness;
            now[k] = upper.max(R::ZERO) + lower.min(R::ZERO);
        }
    }
    let after = [0, 1, 2].map(|k| {
        let far = before[k] + omega * (now[k] - before[k]);
        let other = R::select(now[k] < R::ZERO, far.min(R::ZERO), R::ZERO);
        R::select(now[k] > R::ZERO, far.max(R::ZERO), other)
    });
    let change = |k: usize| {
        let done = [0, 1, 2].map(|l| w[k][l] * (after[l] - before[l]));
        (done[0] + done[1] + done[2]).abs()
    };
    (after, change(0).max(change(1)).max(change(2)))
}

/// U⁻¹ Σₖ λₖ ∂Uₖ/∂F, which is symmetric.
#[inline(always)]
pub fn stress<R: Real>([u11, u22, u12]: Symmetric<R>, [a, b, c]: [R; 3]) -> Symmetric<R> {
    let trace = u11 + u22;
    let [p, q, s] = [u11 / trace, u22 / trace, u12 / trace];
    let turn = s * (a - b);
    let (g12, g21) = (p * c - turn, q * c + turn);
    let det = u11 * u22 - u12 * u12;
    [(u22 * a - u12 * g21) / det, (u11 * b - u12 * g12) / det, (u22 * g12 - u12 * b) / det]
}
