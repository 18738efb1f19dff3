//! Force and torque on each magnet: of the fields of the scene, and of all its pairs, in their order.

use crate::math::{Real, Vec3};

/// What a chunk is to a magnet: fields of the scene, or a pair in which it is the one or the other.
pub const FIELDS: u32 = 0;
pub const ONE: u32 = 1;
pub const OTHER: u32 = 2;

crate::kernel! {
    "magnets/sum_loads" => sum_loads per Invocation {
        read magnet_ranges: uint2,      // entries: first, end
        read magnet_entries: uint2,     // chunk, what it is to the magnet
        read chunk_sums: real4,         // force on the other, torques on the one and the other
        write magnet_sums: real4,       // force [N], torque about the centre [N m]
    }
}

#[inline(always)]
fn sum_loads<R: Real>(b: &Bindings<R>, id: u32) {
    let [first, end] = b.magnet_ranges[id as usize];
    let (mut force, mut torque) = (Vec3::ZERO, Vec3::ZERO);
    for entry in first..end {
        let [chunk, what] = b.magnet_entries[entry as usize];
        let f = b.chunk_sums[3 * chunk as usize].xyz();
        force = if what == ONE { force - f } else { force + f };
        let row = 3 * chunk as usize + if what == OTHER { 2 } else { 1 };
        torque += b.chunk_sums[row].xyz();
    }
    b.magnet_sums.set(2 * id, force.with_w(R::ZERO));
    b.magnet_sums.set(2 * id + 1, torque.with_w(R::ZERO));
}
