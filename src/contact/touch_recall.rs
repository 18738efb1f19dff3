//! What friction held in the last substep, for the contacts that are still there: both lists are in the same order, element by element.
//!
//! A contact that sticks begins with the impulse that held it, so that it holds although the iterations of a substep find little of it.

use crate::math::{Real, Vec3};

crate::kernel! {
    "contact/touch_recall" => touch_recall per Invocation {
        read near: uint4,               // four corners
        read near_starts: uint,         // where the pairs of each element begin
        read near_before: uint4,        // the pairs of the last substep
        read near_before_starts: uint,  // where those of each element begin
        read touch_memories: real4,     // their impulses: tangential, normal [kg m]
        write touch_impulses: real4,    // tangential, normal [kg m]; …
    }
}

#[inline(always)]
fn touch_recall<R: Real>(b: &Bindings<R>, e: u32) {
    let [from, to] = [e, e + 1].map(|e| b.near_starts[e as usize].min(b.near.len() as u32));
    let [first, last] = [e, e + 1].map(|e| b.near_before_starts[e as usize].min(b.near_before.len() as u32));
    let mut next = first;
    for k in from..to {
        let mut memory = Vec3::ZERO.with_w(R::ZERO);
        if let Some(j) = (next..last).find(|&j| b.near_before[j as usize] == b.near[k as usize]) {
            memory = b.touch_memories[j as usize];
            next = j + 1;
        }
        b.touch_impulses.set(2 * k, memory);
    }
}
