//! Forces that the scene puts on vertices. They do not change with the motion.

use crate::integrate::CHANGE;
use crate::math::{Real, Vec3};

crate::kernel! {
    "solids/load" => load per Invocation {
        read load_forces: real4,        // xyz [N]
        write corner_forces: real4,     // xyz [N]
    }
}

#[inline(always)]
fn load<R: Real>(b: &Bindings<R>, id: u32) {
    let changes = b.launch.flags & CHANGE != 0;
    let force = if changes { Vec3::ZERO } else { b.load_forces[id as usize].xyz() };
    b.corner_forces.set(b.launch.base + id, force.with_w(R::ZERO));
}
