//! Keeps the pairs of a list and the impulse of each, before another list is made and at the end of a step: lists are not part of
//! the state, this is. Friction goes on from there, and measures read what contacts carried.

use crate::math::Real;

/// The flag of the pass that ends a step: the next one begins with a new list.
pub const END: u32 = 1;

crate::kernel! {
    "contact/touch_keep" => touch_keep per Invocation {
        read near: uint4,               // four corners
        read near_starts: uint,         // where the pairs of each element begin
        read touch_impulses: real4,     // tangential, normal [kg m]; …
        write near_before: uint4,       // the pairs of the last substep
        write near_before_starts: uint, // where those of each element begin
        write touch_memories: real4,    // their impulses: tangential, normal [kg m]
        write near_due: uint,           // whether a list is due, by motion; by a new step
    }
}

#[inline(always)]
fn touch_keep<R: Real>(b: &Bindings<R>, e: u32) {
    let [from, to] = [e, e + 1].map(|e| b.near_starts[e as usize].min(b.near.len() as u32));
    for k in from..to {
        b.near_before.set(k, b.near[k as usize]);
        b.touch_memories.set(k, b.touch_impulses[2 * k as usize]);
    }
    b.near_before_starts.set(e, from);
    if e + 1 == b.launch.count {
        b.near_before_starts.set(e + 1, to);
        if b.launch.flags & END != 0 {
            b.near_due.set(1, 1);
        }
    }
}
