//! Jacobi's second half: each particle adds the corrections that its constraints, other than links, have left for it.
//!
//!   oᵢ' += ω Σ Δx over the particle's slots        ω of Chebyshev acceleration, 1 without it
//!
//! The slots of a particle are a list walked from first to last, so the sum has one order and two runs agree bit
//! for bit. Mass splitting has already shared the particle among its constraints: nothing is averaged here.

use crate::math::{Real, Vec3};

crate::kernel! {
    "constraints/gather" => gather per Invocation {
        read gather_starts: uint,   // where each particle's slots begin, and one end
        read gather_slots: uint,    // places in `corrections`
        read corrections: real4,    // xyz [m]
        write offsets_next: real4,  // xyz [m], w = the solver's 1/mass
    }
}

#[inline(always)]
fn gather<R: Real>(b: &Bindings<R>, i: u32) {
    let (start, end) = (b.gather_starts[i as usize], b.gather_starts[i as usize + 1]);
    let mut sum = Vec3::ZERO;
    for s in start..end {
        sum += b.corrections[b.gather_slots[s as usize] as usize].xyz();
    }
    let next = b.offsets_next.get(i);
    b.offsets_next.set(i, (next.xyz() + sum * b.launch.weight).with_w(next.w));
}
