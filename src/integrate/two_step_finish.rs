//! Backward differentiation of second order, after the substep: the velocity of its end, and the past of the next one.
//!
//!   v = (w − ⅓ d)/γ        w = o − r the way of the substep        γ = ⅔ dt
//!
//! What constraints and contacts have done since the solve is an impulse, c/dt. A particle that they have displaced begins anew: the past of a
//! velocity that jumps would throw it back.

use super::postpone::is_free;
use super::two_step::{PAST, SHARE};
use crate::math::{Real, Vec3, Vec4};

crate::kernel! {
    "integrate/two_step_finish" => two_step_finish per Invocation {
        read corner_starts: uint,       // where each particle's slots begin, and one end
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read offsets: real4,            // xyz [m]
        read newton_starts: real4,      // what has been solved, xyz [m]
        read inertial: real4,           // w = share of the mass, 1 with a past
        write velocities: real4,        // xyz [m/s]
        write histories: real4,         // v_n [m/s] and dt [s], 0 without a past; v_{n−1} [m/s]; d [m]
    }
}

#[inline(always)]
fn two_step_finish<R: Real>(b: &Bindings<R>, i: u32) {
    if !is_free(b.corner_starts, b.positions[i as usize].w, i) {
        b.histories.set(PAST * i, Vec4::ZERO);
        return;
    }
    let dt = b.launch.dt;
    let finished = b.velocities.get(i);
    // `finish` has made the velocity of the way.
    let way = finished.xyz() * dt;
    let pushed = b.offsets[i as usize].xyz() - b.newton_starts[i as usize].xyz();
    let is_pushed = pushed.dot(pushed) > R::ZERO;
    let mut v = finished.xyz();
    if b.inertial[i as usize].w == R::ONE {
        let third: Vec3<R> = b.histories.get(PAST * i + 2).xyz() * R::of(1.0 / 3.0);
        v = ((way - pushed) - third) / (R::of(SHARE) * dt) + pushed / dt;
    }
    let before = b.histories.get(PAST * i);
    b.histories.set(PAST * i, v.with_w(R::select(is_pushed, R::ZERO, dt)));
    b.histories.set(PAST * i + 1, before.xyz().with_w(R::ZERO));
    b.histories.set(PAST * i + 2, way.with_w(R::ZERO));
    b.velocities.set(i, v.with_w(finished.w));
}
