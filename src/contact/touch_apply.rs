//! Moves each particle by the changes of the impulses at it, always in the order of the pairs.
//!
//! Obstacles push after every sweep, and each time anew: the impulses change the displacement from before their last push. Added to it, a push that
//! was too large while the impulses were would stay, and throw what rests on a floor into the air.

use crate::math::{Real, Vec3};

/// The flag of the first pass of an iteration, before which others have moved the particles.
pub const RESTART: u32 = 1;

crate::kernel! {
    "contact/touch_apply" => touch_apply per Invocation {
        read touch_starts: uint,       // where each particle's slots begin
        read touch_slots: uint2,       // particle, 4 pair + corner
        read touch_weights: real4,      // of the four corners
        read touch_impulses: real4,     // tangential, normal [kg m]; the change of their sum, α̃
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read touch_shares: real,        // Σ |a| over the contacts of each particle
        write touch_bases: real4,       // xyz before obstacles push [m]
        write offsets: real4,           // xyz [m], w = the solver's 1/mass
    }
}

#[inline(always)]
fn touch_apply<R: Real>(b: &Bindings<R>, i: u32) {
    let mut sum = Vec3::ZERO;
    let room = b.touch_slots.len();
    let slots =
        (b.touch_starts[i as usize] as usize).min(room)..(b.touch_starts[i as usize + 1] as usize).min(room);
    // Where no contact takes part there is nothing to add up.
    let slots = if b.touch_shares[i as usize] > R::ZERO { slots } else { 0..0 };
    for &[_, slot] in &b.touch_slots[slots] {
        let k = (slot / 4) as usize;
        sum += b.touch_impulses[2 * k + 1].xyz() * b.touch_weights[k].to_array()[slot as usize % 4];
    }
    let offset = b.offsets.get(i);
    let base = if b.launch.flags & RESTART != 0 { offset } else { b.touch_bases.get(i) };
    let moved = (base.xyz() + sum * b.positions[i as usize].w).with_w(offset.w);
    b.touch_bases.set(i, moved);
    b.offsets.set(i, moved);
}
