//! Forces on soft magnets change the velocities of their particles: v ← v + dt w Σ f / keep ([`super::push_magnets`] says why).

use crate::math::{Real, Vec3};
use crate::particles::World;

crate::kernel! {
    "magnets/push_soft" => push_soft per Invocation {
        uniform world: World,
        read soft_pushed: uint4,        // particle; slots: first, end
        read soft_slots: uint,          // corners of cells
        read soft_forces: real4,        // on each corner [N]
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        write velocities: real4,        // xyz [m/s]
    }
}

#[inline(always)]
fn push_soft<R: Real>(b: &Bindings<R>, id: u32) {
    let [particle, first, end, _] = b.soft_pushed[id as usize];
    let mut force = Vec3::ZERO;
    for slot in first..end {
        force += b.soft_forces[b.soft_slots[slot as usize] as usize].xyz();
    }
    let v = b.velocities.get(particle);
    let change = force * (b.launch.dt * b.positions[particle as usize].w / b.world.keep);
    b.velocities.set(particle, (v.xyz() + change).with_w(v.w));
}
