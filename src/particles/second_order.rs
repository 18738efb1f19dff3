//! Positions of second order (`order = 2`): backward differentiation for what constraints move.
//!
//!   ô = ⅓ d + γ (4 v_n − v_{n−1})/3 + γ² a        v = (w − ⅓ d)/γ        γ = ⅔ dt
//!
//! d is the way of the last substep, w that of this one, a what gravity, wind and damping do. Constraints project ô as they do that of a first-order
//! step, over the time γ instead of dt: M (o − ô) = γ² f, so that α̃ = α/γ². First-order steps take ½ ω² dt of the energy of a swing a second, these
//! ¼ ω⁴ dt³ (BDF2; English and Bridson 2008 for sheets).
//!
//! Where the way of a substep differs from that before by more than half of the longer one (a blow, a link that goes taut), the past says nothing and
//! two steps of first order follow.

use crate::math::{Real, Vec3, Vec4};

/// γ over dt.
pub const SHARE: f64 = 2.0 / 3.0;
/// Rows of a particle or frame among the pasts.
pub const PAST: u32 = 3;
/// The square of the part of a way by which it may change in a substep.
const SUDDEN: f64 = 0.25;

/// ô of the velocity v that what acts has made of v_n, of v_n and v_{n−1}, and of d.
#[inline(always)]
pub fn lead<R: Real>([v, now, before]: [Vec3<R>; 3], way: Vec3<R>, dt: R) -> Vec3<R> {
    let third = R::of(1.0 / 3.0);
    let mean = now + (now - before) * third;
    way * third + (mean + (v - now) * R::of(SHARE)) * (R::of(SHARE) * dt)
}

/// v of w and d.
#[inline(always)]
pub fn velocity<R: Real>(way: Vec3<R>, before: Vec3<R>, dt: R) -> Vec3<R> {
    (way - before * R::of(1.0 / 3.0)) / (R::of(SHARE) * dt)
}

/// Whether two ways of successive substeps are so different that the first says nothing of the second.
#[inline(always)]
pub fn is_sudden<R: Real>(way: Vec3<R>, before: Vec3<R>) -> bool {
    let change = way - before;
    change.dot(change) > R::of(SUDDEN) * way.dot(way).max(before.dot(before))
}

/// The velocity of the end of a substep, and what its past is then: v and dt, v_n, w. `past` is what it was at the beginning.
#[inline(always)]
pub fn finished<R: Real>(first_order: Vec3<R>, past: [Vec4<R>; 3], dt: R) -> [Vec4<R>; 3] {
    let [now, _, before] = past;
    let way = first_order * dt;
    let is_new = now.w != dt;
    let has_jumped = !is_new && is_sudden(way, before.xyz());
    let v = if is_new || has_jumped { first_order } else { velocity(way, before.xyz(), dt) };
    [v.with_w(R::select(has_jumped, R::ZERO, dt)), now.xyz().with_w(R::ZERO), way.with_w(R::ZERO)]
}
