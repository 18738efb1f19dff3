//! Torques on magnets that are rigid bodies, about their principal axes: τ = Rᵀ T.
//!
//! They are part of the rotation's own step ([`crate::rigid::predict_bodies`]), so that pairs keep their angular momentum.

use crate::frames::turn;
use crate::math::Real;

crate::kernel! {
    "magnets/twist_bodies" => twist_bodies per Invocation {
        read twisted: uint2,            // magnet, row of `rigid_torques`
        read magnets: uint4,            // particles whose mean is the centre, frame, first node
        read magnet_sums: real4,        // force [N], torque about the centre [N m]
        read frames: real4,             // unit quaternion, then the rotation that rounding kept from it
        write rigid_torques: real4,     // about the principal axes [N m], body by body
    }
}

#[inline(always)]
fn twist_bodies<R: Real>(b: &Bindings<R>, id: u32) {
    let [magnet, row] = b.twisted[id as usize];
    let frame = b.magnets[magnet as usize][2] as usize;
    let axes = turn::rotation(b.frames[2 * frame], b.frames[2 * frame + 1].xyz());
    let torque = b.magnet_sums[2 * magnet as usize + 1].xyz();
    b.rigid_torques.set(row, axes.conjugate().rotate(torque).with_w(R::ZERO));
}
