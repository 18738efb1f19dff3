//! The field of a straight piece of wire.
//!
//!   B = (μ₀I/4π) (d × a) f      f = (a + b)/(a b (a b + a·b))      a and b from its ends, d from one to the other
//!
//! Nothing cancels but on the wire itself. A piece alone has no closed current: its field has a curl.

use super::MU;
use crate::math::{Real, Vec3};

/// Next to the wire, so little of |a||b| that the field stays finite on it.
const LEAST: f64 = 1e-12;

/// B and its derivatives of a wire from the origin to `d` with a current [A].
#[inline(always)]
pub fn segment<R: Real>(d: Vec3<R>, current: R, x: Vec3<R>) -> [Vec3<R>; 4] {
    let (a, b) = (x, x - d);
    let (la, lb) = (a.length(), b.length());
    if la == R::ZERO || lb == R::ZERO {
        return [Vec3::ZERO; 4];
    }
    let c = d.cross(a);
    let w = la * lb;
    // ab + a·b = |d × a|²/(ab − a·b), where a·b is negative.
    let dot = a.dot(b);
    let s = (if dot < R::ZERO { c.dot(c) / (w - dot) } else { w + dot }).max(w * R::of(LEAST));
    let u = la + lb;
    let f = R::of(MU) * current * u / (w * s);
    let (na, nb) = (a / la, b / lb);
    let product = na * lb + nb * la;
    let change = (na + nb) / u - product / w - (product + a + b) / s;
    let along = |e: Vec3<R>, k: R| (d.cross(e) + c * k) * f;
    [
        c * f,
        along(Vec3::new(R::ONE, R::ZERO, R::ZERO), change.x),
        along(Vec3::new(R::ZERO, R::ONE, R::ZERO), change.y),
        along(Vec3::new(R::ZERO, R::ZERO, R::ONE), change.z),
    ]
}
