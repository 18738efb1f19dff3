//! Whether the solve goes on: r·r > ε² b·b, ε² = `launch.weight`. When it does not, the passes that follow return at once.

use crate::integrate::cg_direction::{DONE, ITERATIONS, MOST, TOTAL};
use crate::math::Real;

crate::kernel! {
    "magnets/induce_decide" => induce_decide per Invocation {
        read induced_first: real,       // b·b
        read induced_left: real,        // r·r
        write induced_counts: uint,     // done, iterations of this substep, of all, the most, unfinished
    }
}

#[inline(always)]
fn induce_decide<R: Real>(b: &Bindings<R>, _: u32) {
    if b.induced_counts.get(DONE as u32) != 0 {
        return;
    }
    let runs = b.induced_left[0] > b.launch.weight * b.induced_first[0];
    let step = u32::from(runs);
    let iterations = b.induced_counts.get(ITERATIONS as u32) + step;
    b.induced_counts.set(DONE as u32, 1 - step);
    b.induced_counts.set(ITERATIONS as u32, iterations);
    b.induced_counts.set(TOTAL as u32, b.induced_counts.get(TOTAL as u32) + step);
    b.induced_counts.set(MOST as u32, b.induced_counts.get(MOST as u32).max(iterations));
}
