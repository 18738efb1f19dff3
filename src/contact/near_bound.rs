//! The box of each element: its corners, larger by the largest of their reaches. An element with a corner that is not finite has an empty box.

use crate::math::{Real, Vec3};

/// Beyond every coordinate; an empty box has it as its lowest corner and its negative as the highest.
pub const NOWHERE: f64 = 1e30;

crate::kernel! {
    "contact/near_bound" => near_bound per Invocation {
        read contact_elements: uint4,   // three corners, bits
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read near_spans: real,          // reach within the list [m]
        write contact_boxes: real4,     // lowest and highest corner [m]
    }
}

#[inline(always)]
fn near_bound<R: Real>(b: &Bindings<R>, e: u32) {
    let [i, j, k, _] = b.contact_elements[e as usize].map(|p| p as usize);
    let all = Vec3::new(R::ONE, R::ONE, R::ONE);
    let (mut low, mut high) = (all * R::of(NOWHERE), all * R::of(-NOWHERE));
    let reaches = [i, j, k].map(|p| b.near_spans[p]);
    if reaches.iter().all(|reach| *reach >= R::ZERO) {
        let reach = reaches[0].max(reaches[1]).max(reaches[2]);
        for p in [i, j, k] {
            let x = b.positions[p].xyz();
            low = least(low, x - all * reach);
            high = high.max(x + all * reach);
        }
    }
    b.contact_boxes.set(2 * e, low.with_w(R::ZERO));
    b.contact_boxes.set(2 * e + 1, high.with_w(R::ZERO));
}

#[inline(always)]
pub(super) fn least<R: Real>(a: Vec3<R>, b: Vec3<R>) -> Vec3<R> {
    Vec3::new(a.x.min(b.x), a.y.min(b.y), a.z.min(b.z))
}
