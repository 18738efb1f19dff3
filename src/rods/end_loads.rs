//! A constant force and torque at the end of a rod change the way of its particle and the turn of its frame (symplectic Euler).
//!
//!   o ← o + dt² w F        g ← g ∘ (dt²/2) J⁻¹ Rᵀ τ
//!
//! Both are fixed in the world. Where the frame is held, or the particle, nothing happens.

use super::{REST, turn};
use crate::math::Real;
use crate::particles::World;

crate::kernel! {
    "rods/end_loads" => end_loads per Invocation {
        uniform world: World,
        read rod_loads: uint2,          // particle, frame
        read rod_load_rest: real4,      // force [N], torque [N m]
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read rod_rest: real4,           // … inverse inertia [1/(kg m²)]
        read frames: real4,             // unit quaternions, every second
        write offsets: real4,           // xyz [m], w = the solver's 1/mass
        write turns: real4,             // xyz the turn of this substep
    }
}

/// The frame of a load that turns nothing.
pub const NO_FRAME: u32 = u32::MAX;

#[inline(always)]
fn end_loads<R: Real>(b: &Bindings<R>, id: u32) {
    let [particle, k] = b.rod_loads[id as usize];
    let square = b.world.dt * b.world.dt;
    let force = b.rod_load_rest[2 * id as usize].xyz();
    let offset = b.offsets.get(particle);
    let change = force * (square * b.positions[particle as usize].w);
    b.offsets.set(particle, (offset.xyz() + change).with_w(offset.w));
    if k == NO_FRAME {
        return;
    }
    let torque = b.rod_load_rest[2 * id as usize + 1].xyz();
    let inverse_inertia = b.rod_rest[(REST * k + 3) as usize].xyz();
    let g = b.turns.get(k).xyz();
    let about_axes = turn::rotation(b.frames[2 * k as usize], g).conjugate().rotate(torque);
    let change = about_axes.scaled(inverse_inertia) * (R::of(0.5) * square);
    b.turns.set(k, turn::compose(g, change).with_w(R::ZERO));
}
