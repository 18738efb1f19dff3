//! CoRdE: the forces at a particle change its way in this substep (symplectic Euler).
//!
//!   o ← o + dt² w Σ ±F
//!
//! A particle gathers its segments, however many, always in the same order.

use crate::math::{Real, Vec3};

crate::kernel! {
    "rods/corde_kick" => corde_kick per Invocation {
        read corde_starts: uint,      // where each particle's slots begin, and one end
        read corde_slots: uint,       // 2 · place in `corde_loads`, + 1 where the force is subtracted
        read corde_loads: real4,      // forces [N] and torques [N m]
        read positions: real4,        // xyz [m], w = 1/mass [1/kg]
        write offsets: real4,         // xyz [m], w = the solver's 1/mass
    }
}

/// `launch.first` is the first particle that the lists know.
#[inline(always)]
fn corde_kick<R: Real>(b: &Bindings<R>, id: u32) {
    let particle = b.launch.first + id;
    let slots = b.corde_starts[id as usize] as usize..b.corde_starts[id as usize + 1] as usize;
    let mut force = Vec3::ZERO;
    for &slot in &b.corde_slots[slots] {
        let load = b.corde_loads[slot as usize / 2].xyz();
        force += if slot % 2 == 0 { load } else { -load };
    }
    let offset = b.offsets.get(particle);
    let change = force * (b.launch.dt * b.launch.dt * b.positions[particle as usize].w);
    b.offsets.set(particle, (offset.xyz() + change).with_w(offset.w));
}
