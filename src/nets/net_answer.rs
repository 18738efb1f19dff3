//! What the solution of Newton's system asks of particles and frames: Jᵀ Δλ; [`super::net_gather`] adds it up.

use super::{ROW, WORK};
use crate::math::{Mat3, Quat, Real};

crate::kernel! {
    "nets/net_answer" => net_answer per Invocation {
        write net_rows: real4,       // λ; …; Δλ; gradients
        write net_work: real4,       // …; what is asked of the two sides
    }
}

/// `launch.flags` is 1 for joints.
#[inline(always)]
fn net_answer<R: Real>(b: &Bindings<R>, id: u32) {
    let constraint = b.launch.first + id;
    let row = ROW * constraint;
    let at = |vector: u32| b.net_rows.get(row + vector);
    let change = at(4).xyz();
    b.net_rows.set(row, (at(0).xyz() + change).with_w(R::ZERO));
    let matrix = |first: u32| Mat3::new(at(first).xyz(), at(first + 1).xyz(), at(first + 2).xyz());
    let asked = if b.launch.flags == 0 {
        [Quat::from_vec4(at(5)).rotate(change), change.cross(at(6).xyz())]
    } else {
        [-matrix(5).apply_transposed(change), matrix(8).apply_transposed(change)]
    };
    b.net_work.set(WORK * constraint + 1, asked[0].with_w(R::ZERO));
    b.net_work.set(WORK * constraint + 2, asked[1].with_w(R::ZERO));
}
