//! The velocity of the end of a substep of second order, after [`super::finish`], and the past of the next: see [`super::second_order`].

use super::second_order::{PAST, finished};
use crate::math::{Real, Vec4};

crate::kernel! {
    "particles/second_finish" => second_finish per Invocation {
        read positions: real4,      // xyz [m], w = 1/mass [1/kg]
        write velocities: real4,    // xyz [m/s]
        write pasts: real4,         // v_n [m/s] and dt [s], 0 without a past; v_{n−1} [m/s]; d [m]
    }
}

#[inline(always)]
fn second_finish<R: Real>(b: &Bindings<R>, i: u32) {
    if b.positions[i as usize].w == R::ZERO {
        b.pasts.set(PAST * i, Vec4::ZERO);
        return;
    }
    let past = [b.pasts.get(PAST * i), b.pasts.get(PAST * i + 1), b.pasts.get(PAST * i + 2)];
    let [v, before, way] = finished(b.velocities.get(i).xyz(), past, b.launch.dt);
    b.velocities.set(i, v.xyz().with_w(R::ZERO));
    b.pasts.set(PAST * i, v);
    b.pasts.set(PAST * i + 1, before);
    b.pasts.set(PAST * i + 2, way);
}
