//! Forces change velocities: v ← v + dt w F / keep.
//!
//! `predict` multiplies all of v by `keep`, the share that damping leaves of the velocity there was: a force is divided by it first, as
//! otherwise damping would weaken it.

use super::World;
use crate::math::Real;

crate::kernel! {
    "particles/push" => push per Invocation {
        uniform world: World,
        read forces: real4,         // xyz [N]
        read positions: real4,      // xyz [m], w = 1/mass [1/kg]
        write velocities: real4,    // xyz [m/s]
    }
}

#[inline(always)]
fn push<R: Real>(b: &Bindings<R>, i: u32) {
    let v = b.velocities.get(i);
    let change = b.forces[i as usize].xyz() * (b.launch.dt * b.positions[i as usize].w / b.world.keep);
    b.velocities.set(i, (v.xyz() + change).with_w(v.w));
}
