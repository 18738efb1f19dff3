//! Adds up what [`super::project_rods`] found: each frame turns, and moves the particle at its far end.
//!
//! The first segment of a rod moves the particle at its near end as well.

use super::{FIRST, JOINT, REST, WORK, turn};
use crate::math::{Real, Vec3};

crate::kernel! {
    "rods/gather_rods" => gather_rods per Invocation {
        read rod_segments: uint4,    // particles i, j; flags; 1 after another frame
        read rod_rest: real4,        // … inverse inertia [1/(kg m²)]
        read rod_work: real4,        // … push [kg m], torque on this frame and on the next [kg m²]
        read positions: real4,       // xyz [m], w = 1/mass [1/kg]
        write offsets: real4,        // xyz [m], w = the solver's 1/mass
        write turns: real4,          // xyz the turn of this substep
    }
}

#[inline(always)]
fn gather_rods<R: Real>(b: &Bindings<R>, id: u32) {
    let k = b.launch.first + id;
    let [i, j, flags, before] = b.rod_segments[k as usize];
    let work = |frame: u32, vector: u32| b.rod_work[(WORK * frame + vector) as usize].xyz();
    let torque = work(k, 3) + if before > 0 { work(k - 1, 4) } else { Vec3::ZERO };
    let turned = torque.scaled(b.rod_rest[(REST * k + 3) as usize].xyz()) * R::of(0.5);
    b.turns.set(k, turn::compose(b.turns.get(k).xyz(), turned).with_w(R::ZERO));
    if i == j {
        return;
    }
    let moved = |particle: u32, push: Vec3<R>| {
        let offset = b.offsets.get(particle);
        let correction = push * b.positions[particle as usize].w;
        b.offsets.set(particle, (offset.xyz() + correction).with_w(offset.w));
    };
    let next = if flags & JOINT != 0 { work(k + 1, 2) } else { Vec3::ZERO };
    moved(j, work(k, 2) - next);
    if flags & FIRST != 0 {
        moved(i, -work(k, 2));
    }
}
