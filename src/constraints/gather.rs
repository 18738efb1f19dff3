//! Jacobi's second half: each particle sums the corrections that its constraints have left for it.
//!
//!   gathered = Σ Δx over the particle's slots
//!
//! The slots of a particle are a list walked from first to last, so the sum has one order and two runs agree bit
//! for bit. Mass splitting has already shared the particle among its constraints: nothing is averaged here.

use crate::math::{Real, Vec3};

crate::kernel! {
    "constraints/gather" => gather per Invocation {
        read gather_starts: uint,   // where each particle's slots begin, and one end
        read gather_slots: uint,    // places in `corrections`
        read corrections: real4,    // xyz [m]
        write gathered: real4,      // xyz [m]
    }
}

#[inline(always)]
fn gather<R: Real>(b: &Bindings<R>, i: u32) {
    let (start, end) = (b.gather_starts[i as usize], b.gather_starts[i as usize + 1]);
    let mut sum = Vec3::ZERO;
    for s in start..end {
        sum += b.corrections[b.gather_slots[s as usize] as usize].xyz();
    }
    b.gathered.set(i, sum.with_w(R::ZERO));
}
