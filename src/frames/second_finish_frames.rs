//! The spin of the end of a substep of second order, after [`super::finish_frames`], and the past of the next: as `particles/second_finish`.

use crate::math::{Real, Vec4};
use crate::particles::second_order::{PAST, finished};

crate::kernel! {
    "frames/second_finish_frames" => second_finish_frames per Invocation {
        read frame_inertia: real4,    // inverse inertia [1/(kg m²)], w = 1 − C/A
        write spins: real4,           // xyz [rad/s], about the frame's axes
        write frame_pasts: real4,     // ω_n [rad/s] and dt [s], 0 without a past; ω_{n−1} [rad/s]; the last rotation vector [rad]
    }
}

#[inline(always)]
fn second_finish_frames<R: Real>(b: &Bindings<R>, k: u32) {
    if b.frame_inertia[k as usize].x == R::ZERO {
        b.frame_pasts.set(PAST * k, Vec4::ZERO);
        return;
    }
    let past =
        [b.frame_pasts.get(PAST * k), b.frame_pasts.get(PAST * k + 1), b.frame_pasts.get(PAST * k + 2)];
    let [spin, before, way] = finished(b.spins.get(k).xyz(), past, b.launch.dt);
    b.spins.set(k, spin.xyz().with_w(R::ZERO));
    b.frame_pasts.set(PAST * k, spin);
    b.frame_pasts.set(PAST * k + 1, before);
    b.frame_pasts.set(PAST * k + 2, way);
}
