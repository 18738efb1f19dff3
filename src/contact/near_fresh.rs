//! How many pairs of the list are new: all or none, for the passes that are needed once a list.

use crate::math::Real;

crate::kernel! {
    "contact/near_fresh" => near_fresh per Invocation {
        read near_gates: uint,          // of making a list; of keeping what the old one holds
        read near_starts: uint,         // where the pairs of each element begin
        write near_fresh_counts: uint,  // new pairs
    }
}

#[inline(always)]
fn near_fresh<R: Real>(b: &Bindings<R>, _: u32) {
    b.near_fresh_counts.set(0, b.near_gates[0] * b.near_starts[b.launch.index as usize]);
}
