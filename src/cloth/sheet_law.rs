//! The two membrane laws as one: which axes carry the stress and which strain makes it. Twin of
//! `shaders/common/sheet_law.wgsl`.
//!
//!   Green             P = F (C:E)           dP = dF S + F (C:sym(Fᵀ dF))
//!   co-rotational     P = R (C:(U − 1))     dP = R (C:sym(Rᵀ dF))              F = R U
//!
//! Thomaszewski 2010, sec. 2.2.1. The co-rotational law is linear in the strain that is left when the rotation is taken out,
//! and takes that rotation as known: its forces are not quite the gradient of its energy and its stiffness does not see
//! a stressed triangle being displaced along its normal. It is here to compare with.

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
