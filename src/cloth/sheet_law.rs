//! The membrane laws as one: which axes carry the stress, which strain makes it, and whether it may press. Twin of
//! `shaders/common/sheet_law.wgsl`.
//!
//!   Green             P = F (C:E)           dP = dF S + F (C:sym(Fᵀ dF))
//!   co-rotational     P = R (C:(U − 1))     dP = R (C:sym(Rᵀ dF))              F = R U
//!   tension only      S = 0 where E₁ ≤ 0,    S = Y E₁ n₁n₁ᵀ where E₂ + ν E₁ < 0,    S = C:E elsewhere
//!
//! Thomaszewski 2010, sec. 2.2.1. The co-rotational law is linear in the strain that is left when the rotation is taken out,
//! and takes that rotation as known: its forces are not quite the gradient of its energy and its stiffness does not see
//! a stressed triangle being displaced along its normal. It is here to compare with.
//!
//! The last line is the tension field of an isotropic sheet with the principal strains E₁ ≥ E₂ along n₁ and n₂ (Pipkin 1986):
//! a sheet that wrinkles as finely as it likes shortens across its wrinkles at no cost and is a bundle of threads
//! along them. Its energy has no lower one with the same ends. Triangles larger than the wrinkles
//! would resist instead.

use super::green::{self, Gradient, Symmetric};
use super::stretch;
use crate::math::{Real, Vec3, Vec4};

/// What a law makes of F.
pub struct Shape<R> {
    /// F or R.
    pub axes: Gradient<R>,
    /// E or U − 1.
    pub strain: Symmetric<R>,
    /// 1 if the stress turns with the change of F, 0 if the rotation is taken as known.
    pub turning: R,
}

/// The stress with that of the strain limits, which [`super::limit_stress`] remembers of the last substep.
#[inline(always)]
pub fn with_limits<R: Real>([s11, s22, s12]: Symmetric<R>, limits: Vec4<R>) -> Symmetric<R> {
    [s11 + limits.x, s22 + limits.y, s12 + limits.z]
}

/// A triangle as its stress sees it: in its material axes, or in the principal ones where it wrinkles.
pub struct Stressed<R> {
    /// D⁻¹ by rows, for these axes [1/m].
    pub rest: Vec4<R>,
    /// F or R.
    pub axes: Gradient<R>,
    /// S [N/m].
    pub stress: Symmetric<R>,
    /// a₁₁, a₂₂, a₁₂, G of its change [N/m].
    pub moduli: Vec4<R>,
    /// As in [`Shape`].
    pub turning: R,
}

/// Share of the taut sheet's moduli that the stiffness of a wrinkled triangle has, too: it keeps slack triangles from
/// flapping and changes no balance.
const KEPT: f64 = 0.02;

/// The stress and how it changes. Where an isotropic sheet wrinkles (`law.y` = 1), with the principal stresses S₁ ≥ S₂ of a
/// sheet that could press: Y E₁ = S₁ − ν S₂, and dS₁₂ = S/(E₁ − E₂) dE₁₂ because the axes turn with the strain.
#[inline(always)]
pub fn stressed<R: Real>(f: Gradient<R>, rest: Vec4<R>, moduli: Vec4<R>, law: Vec4<R>) -> Stressed<R> {
    let Shape { axes, strain, turning } = shape(f, law);
    let stress = green::stress(moduli, strain);
    let Some(Wrinkled { pull, share, axis: [cos, sin] }) = wrinkled(stress, moduli, law) else {
        return Stressed { rest, axes, stress, moduli, turning };
    };
    let ratio = moduli.z / moduli.x;
    let modulus = R::select(pull > R::ZERO, moduli.x * (R::ONE - ratio * ratio), R::ZERO);
    let kept = |modulus: R| R::of(KEPT) * modulus;
    Stressed {
        rest: Vec4::new(
            rest.x * cos + rest.y * sin,
            rest.y * cos - rest.x * sin,
            rest.z * cos + rest.w * sin,
            rest.w * cos - rest.z * sin,
        ),
        axes: [axes[0] * cos + axes[1] * sin, axes[1] * cos - axes[0] * sin],
        stress: [pull, R::ZERO, R::ZERO],
        moduli: Vec4::new(
            modulus + kept(moduli.x),
            kept(moduli.y),
            kept(moduli.z),
            moduli.w * share + kept(moduli.w),
        ),
        turning,
    }
}

/// The stress in the material axes.
#[inline(always)]
pub fn stress<R: Real>(moduli: Vec4<R>, strain: Symmetric<R>, law: Vec4<R>) -> Symmetric<R> {
    let s = green::stress(moduli, strain);
    match wrinkled(s, moduli, law) {
        Some(Wrinkled { pull, axis: [cos, sin], .. }) => {
            [pull * cos * cos, pull * sin * sin, pull * cos * sin]
        }
        None => s,
    }
}

/// What is left of a stress that would press.
struct Wrinkled<R> {
    /// The stress along the wrinkles, 0 if the sheet is slack [N/m].
    pull: R,
    /// S/(S₁ − S₂).
    share: R,
    /// Cosine and sine of the angle from the weft to the wrinkles.
    axis: [R; 2],
}

#[inline(always)]
fn wrinkled<R: Real>([s11, s22, s12]: Symmetric<R>, moduli: Vec4<R>, law: Vec4<R>) -> Option<Wrinkled<R>> {
    if law.y == R::ZERO {
        return None;
    }
    let half = R::of(0.5);
    let (mean, difference) = (half * (s11 + s22), half * (s11 - s22));
    let radius = (difference * difference + s12 * s12).sqrt();
    let (high, low) = (mean + radius, mean - radius);
    if low >= R::ZERO {
        return None;
    }
    let pull = (high - moduli.z / moduli.x * low).max(R::ZERO);
    // Positive only if `radius` is.
    let share = R::select(pull > R::ZERO, pull / (radius + radius), R::ZERO);
    let twice = R::select(radius > R::ZERO, difference / radius, R::ONE);
    let cos = (half * (R::ONE + twice)).max(R::ZERO).sqrt();
    let sin = (half * (R::ONE - twice)).max(R::ZERO).sqrt();
    Some(Wrinkled { pull, share, axis: [cos, R::select(s12 < R::ZERO, -sin, sin)] })
}

/// `law.x` is 0 for Green and 1 for co-rotational. A triangle that has collapsed to a line has no rotation, and no stress.
#[inline(always)]
pub fn shape<R: Real>(f: Gradient<R>, law: Vec4<R>) -> Shape<R> {
    if law.x == R::ZERO {
        return Shape { axes: f, strain: green::strain(f), turning: R::ONE };
    }
    match stretch::polar(f) {
        Some((u, axes)) => Shape { axes, strain: [u[0] - R::ONE, u[1] - R::ONE, u[2]], turning: R::ZERO },
        None => Shape { axes: [Vec3::ZERO; 2], strain: [R::ZERO; 3], turning: R::ZERO },
    }
}
