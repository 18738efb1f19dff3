//! Where inertia leads in a substep of second order, after [`super::predict`]: see [`super::second_order`].

use super::second_order::{PAST, lead};
use crate::math::Real;
use crate::particles::World;

crate::kernel! {
    "particles/second_predict" => second_predict per Invocation {
        uniform world: World,
        read positions: real4,      // xyz [m], w = 1/mass [1/kg]
        read residuals: real4,      // xyz [m]
        read velocities: real4,     // xyz [m/s]
        write pasts: real4,         // v_n [m/s] and dt [s], 0 without a past; v_{n−1} [m/s]; d [m]
        write offsets: real4,       // xyz [m], w = the solver's 1/mass
    }
}

#[inline(always)]
fn second_predict<R: Real>(b: &Bindings<R>, i: u32) {
    if b.positions[i as usize].w == R::ZERO {
        return;
    }
    let (dt, v) = (b.launch.dt, b.velocities[i as usize].xyz());
    let now = b.pasts.get(PAST * i);
    if now.w != dt {
        let before = (v - b.world.gravity.xyz() * dt) / b.world.keep;
        b.pasts.set(PAST * i, before.with_w(R::ZERO));
        return;
    }
    let lead = lead([v, now.xyz(), b.pasts.get(PAST * i + 1).xyz()], b.pasts.get(PAST * i + 2).xyz(), dt);
    let to = b.residuals[i as usize].xyz() + lead;
    b.offsets.set(i, to.with_w(b.offsets.get(i).w));
}
