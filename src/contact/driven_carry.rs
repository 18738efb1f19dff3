//! Where the corners of obstacles are at the start of a substep, and how far they are carried: ends of a capsule's axis, corners of a box. They
//! have no mass, and contact does not move them.

use super::carry::{POSE_RECORDS, swing};
use crate::math::{Quat, Real};

crate::kernel! {
    "contact/driven_carry" => driven_carry per Invocation {
        read driven_owners: uint,       // the collider of each driven corner
        read driven_arms: real4,        // xyz along its axes [m]
        read collider_poses: real4,     // position [m]; rotation; way in the substep [m]; turn in the substep
        write corner_places: real4,     // xyz [m], w = 0
        write corner_ways: real4,       // xyz [m], w = 0
    }
}

#[inline(always)]
fn driven_carry<R: Real>(b: &Bindings<R>, id: u32) {
    let d = b.launch.first + id;
    let pose = (POSE_RECORDS * b.driven_owners[d as usize]) as usize;
    let arm = Quat::from_vec4(b.collider_poses[pose + 1]).rotate(b.driven_arms[d as usize].xyz());
    // Poses are those at the end of the substep.
    let way = b.collider_poses[pose + 2].xyz() + swing(b.collider_poses[pose + 3], arm);
    let start = b.collider_poses[pose].xyz() + arm - way;
    b.corner_places.set(b.launch.base + d, start.with_w(R::ZERO));
    b.corner_ways.set(b.launch.base + d, way.with_w(R::ZERO));
}
