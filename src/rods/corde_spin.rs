//! CoRdE: the spin of a frame at the end of a substep in which it took several steps.
//!
//!   ω ← ω + (ω' − ω̄)
//!
//! [`super::finish_frames`] knows the mean ω̄, into which loads at the ends have gone by now; [`super::corde_turn`] the last, ω'. A stiff
//! frame vibrates within a substep: with its mean spin it would lose what it vibrates with.

use super::REST;
use crate::math::Real;

crate::kernel! {
    "rods/corde_spin" => corde_spin per Invocation {
        read rod_rest: real4,         // … inverse inertia [1/(kg m²)]
        read corde_spins: real4,      // xyz what the mean spin lacks [rad/s]
        write spins: real4,           // xyz [rad/s], about the frame's axes
    }
}

/// `launch.first` is the first frame of all CoRdE rods.
#[inline(always)]
fn corde_spin<R: Real>(b: &Bindings<R>, id: u32) {
    let k = b.launch.first + id;
    if b.rod_rest[(REST * k + 3) as usize].x == R::ZERO {
        return;
    }
    let spin = b.spins.get(k).xyz() + b.corde_spins[id as usize].xyz();
    b.spins.set(k, spin.with_w(R::ZERO));
}
