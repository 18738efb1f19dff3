//! Opens the passes that make a list if one is due. A step begins with a new list: what it finds of the last one is in the
//! state, as [`super::touch_keep`] left it there. A list that follows another within a step keeps what that one holds first.

use crate::math::Real;

crate::kernel! {
    "contact/near_gate" => near_gate per Invocation {
        write near_due: uint,           // whether a list is due, by motion; by a new step
        write near_gates: uint,         // of making a list; of keeping what the old one holds
        write contact_counts: uint,     // particles held back, lists made
    }
}

#[inline(always)]
fn near_gate<R: Real>(b: &Bindings<R>, _: u32) {
    let [moved, first] = [0, 1].map(|k| b.near_due.get(k).min(1));
    let due = moved.max(first);
    b.near_gates.set(0, due);
    b.near_gates.set(1, due - first);
    b.contact_counts.set(1, b.contact_counts.get(1) + due);
    b.near_due.set(0, 0);
    b.near_due.set(1, 0);
}
