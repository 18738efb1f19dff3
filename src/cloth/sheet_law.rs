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
//! would resist instead. Stiffness matrices keep the moduli of the taut sheet, which damp wrinkles and change no balance.

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

/// C:E, or what a sheet that wrinkles leaves of it if `law.y` is 1.
#[inline(always)]
pub fn stress<R: Real>(moduli: Vec4<R>, strain: Symmetric<R>, law: Vec4<R>) -> Symmetric<R> {
    let s = green::stress(moduli, strain);
    if law.y == R::ZERO { s } else { wrinkled(s, moduli.z / moduli.x) }
}

/// The stress of an isotropic sheet that cannot press, by that of one which can and ν: with the principal stresses
/// S₁ ≥ S₂ of the latter, Y E₁ = S₁ − ν S₂.
#[inline(always)]
fn wrinkled<R: Real>(s: Symmetric<R>, poisson_ratio: R) -> Symmetric<R> {
    let [s11, s22, s12] = s;
    let half = R::of(0.5);
    let (mean, difference) = (half * (s11 + s22), half * (s11 - s22));
    let radius = (difference * difference + s12 * s12).sqrt();
    let (high, low) = (mean + radius, mean - radius);
    if low >= R::ZERO {
        return s;
    }
    let pull = high - poisson_ratio * low;
    // Positive only if `radius` is.
    let scale = R::select(pull > R::ZERO, pull / (radius + radius), R::ZERO);
    [scale * (s11 - low), scale * (s22 - low), scale * s12]
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
