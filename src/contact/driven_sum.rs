//! The changes of the impulses at each corner of a driven surface, added up in the order of the pairs.

use crate::math::{Real, Vec3};

crate::kernel! {
    "contact/driven_sum" => driven_sum per Invocation {
        read touch_starts: uint,       // where each corner's slots begin
        read touch_slots: uint2,       // corner, 4 pair + its place there
        read touch_weights: real4,      // of the four corners
        read touch_impulses: real4,     // tangential, normal [kg m]; the change of their sum, α̃
        write driven_pushes: real4,     // of each driven corner [kg m]
    }
}

#[inline(always)]
fn driven_sum<R: Real>(b: &Bindings<R>, d: u32) {
    let corner = (b.launch.base + d) as usize;
    let room = b.touch_slots.len();
    let slots = (b.touch_starts[corner] as usize).min(room)..(b.touch_starts[corner + 1] as usize).min(room);
    let mut sum = Vec3::ZERO;
    for &[_, slot] in &b.touch_slots[slots] {
        let k = (slot / 4) as usize;
        sum += b.touch_impulses[2 * k + 1].xyz() * b.touch_weights[k].to_array()[slot as usize % 4];
    }
    b.driven_pushes.set(d, sum.with_w(R::ZERO));
}
