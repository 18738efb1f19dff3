//! The boxes of one level of the tree from those of the level below: node k holds the children 8k to 8k + 7.
//!
//! `launch.first` is where the level begins among the boxes, `base` where the one below does, `index` how many that has.

use super::near_bound::{NOWHERE, least};
use crate::math::{Real, Vec3};

/// Children of a node.
pub const CHILDREN: u32 = 8;

crate::kernel! {
    "contact/near_refit" => near_refit per Invocation {
        write contact_boxes: real4,     // lowest and highest corner [m]
    }
}

#[inline(always)]
fn near_refit<R: Real>(b: &Bindings<R>, k: u32) {
    let all = Vec3::new(R::ONE, R::ONE, R::ONE);
    let (mut low, mut high) = (all * R::of(NOWHERE), all * R::of(-NOWHERE));
    for child in CHILDREN * k..(CHILDREN * (k + 1)).min(b.launch.index) {
        let place = 2 * (b.launch.base + child);
        low = least(low, b.contact_boxes.get(place).xyz());
        high = high.max(b.contact_boxes.get(place + 1).xyz());
    }
    let place = 2 * (b.launch.first + k);
    b.contact_boxes.set(place, low.with_w(R::ZERO));
    b.contact_boxes.set(place + 1, high.with_w(R::ZERO));
}
