//! Where a frame's spin leads in a substep of second order, after [`super::predict_frames`]: as `particles/second_predict`, with rotation vectors about
//! the frame's axes for ways.

use super::turn;
use crate::math::Real;
use crate::particles::World;
use crate::particles::second_order::{PAST, lead};

crate::kernel! {
    "frames/second_predict_frames" => second_predict_frames per Invocation {
        uniform world: World,
        read frame_inertia: real4,    // inverse inertia [1/(kg m²)], w = 1 − C/A
        read frames: real4,           // unit quaternion, then the turn that rounding kept from it
        read spins: real4,            // xyz [rad/s], about the frame's axes
        write frame_pasts: real4,     // ω_n [rad/s] and dt [s], 0 without a past; ω_{n−1} [rad/s]; the last rotation vector [rad]
        write turns: real4,           // xyz the turn of this substep
    }
}

#[inline(always)]
fn second_predict_frames<R: Real>(b: &Bindings<R>, k: u32) {
    if b.frame_inertia[k as usize].x == R::ZERO {
        return;
    }
    let (dt, spin) = (b.launch.dt, b.spins[k as usize].xyz());
    let now = b.frame_pasts.get(PAST * k);
    if now.w != dt {
        b.frame_pasts.set(PAST * k, (spin / b.world.keep).with_w(R::ZERO));
        return;
    }
    let (before, way) = (b.frame_pasts.get(PAST * k + 1).xyz(), b.frame_pasts.get(PAST * k + 2).xyz());
    let half = lead([spin, now.xyz(), before], way, dt) * R::of(0.5);
    let turn = turn::compose(b.frames[2 * k as usize + 1].xyz(), half);
    b.turns.set(k, turn.with_w(R::ZERO));
}
