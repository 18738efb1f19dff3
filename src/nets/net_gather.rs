//! Adds up what the constraints of nets ask for: every frame turns and every particle moves, each by itself.

use super::OPPOSITE;
use crate::frames::turn;
use crate::math::{Real, Vec3};
use crate::rods;

crate::kernel! {
    "nets/net_gather" => net_gather per Invocation {
        read net_bodies: uint2,      // a frame or a particle, 1 for a particle
        read net_starts: uint,       // where the slots of each body begin
        read net_slots: uint,        // places in `net_work`; the highest bit turns the sign
        read net_work: real4,        // …; push [kg m]; torques [kg m²]
        read positions: real4,       // xyz [m], w = 1/mass [1/kg]
        read rod_rest: real4,        // …; inverse inertia [1/(kg m²)]
        write offsets: real4,        // xyz [m], w = the solver's 1/mass
        write turns: real4,          // xyz the turn of this substep
    }
}

#[inline(always)]
fn net_gather<R: Real>(b: &Bindings<R>, id: u32) {
    let body = b.launch.first + id;
    let mut sum = Vec3::ZERO;
    for slot in b.net_starts[body as usize]..b.net_starts[body as usize + 1] {
        let place = b.net_slots[slot as usize];
        let asked = b.net_work[(place & !OPPOSITE) as usize].xyz();
        sum += asked * R::select(place & OPPOSITE != 0, -R::ONE, R::ONE);
    }
    let [k, is_particle] = b.net_bodies[body as usize];
    if is_particle != 0 {
        let offset = b.offsets.get(k);
        b.offsets.set(k, (offset.xyz() + sum * b.positions[k as usize].w).with_w(offset.w));
    } else {
        let turned = sum.scaled(b.rod_rest[(rods::REST * k + 3) as usize].xyz()) * R::of(0.5);
        b.turns.set(k, turn::compose(b.turns.get(k).xyz(), turned).with_w(R::ZERO));
    }
}
