//! What the contacts at all corners of a driven body have together of its motion: they share one mass.

use crate::math::Real;

crate::kernel! {
    "contact/driven_share" => driven_share per Invocation {
        read driven_bodies: uint4,      // particle, frame, first driven corner, corners
        write touch_shares: real,       // Σ |a| over the contacts of each corner
    }
}

#[inline(always)]
fn driven_share<R: Real>(b: &Bindings<R>, id: u32) {
    let [_, _, first, count] = b.driven_bodies[id as usize];
    let corners = || (b.launch.base + first)..(b.launch.base + first + count);
    let mut sum = R::ZERO;
    for corner in corners() {
        sum += b.touch_shares.get(corner);
    }
    for corner in corners() {
        b.touch_shares.set(corner, sum);
    }
}
