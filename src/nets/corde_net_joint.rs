//! CoRdE: the torques of a joint of a net that is bent or twisted.
//!
//!   C = 2 s − 2 s₀        m = K/L C        V = ½ m·C        (s, c) and the gradients as in [`super::joint`]
//!   torque on a, about its axes    −(∂C/∂φₐ)ᵀ m + (γᵣ/L) Δω      Δω = Rₐᵀ R_b ω_b − ωₐ
//!   torque on b, about its axes    −(∂C/∂φ_b)ᵀ m − (γᵣ/L) R_bᵀ Rₐ Δω
//!
//! Along a rod, where nothing is offset, these are the torques of [`crate::rods::corde_joint`]. Rotated to space the two are equal and
//! opposite.

use super::REST;
use super::joint::{Joint, joint};
use crate::math::{Quat, Real, Vec3, Vec4};

crate::kernel! {
    "nets/corde_net_joint" => corde_net_joint per Invocation {
        read net_joints: uint2,          // frames a, b
        read net_rest: real4,            // oₐ, o_b, C₀, α [rad/(N m)]
        read net_frictions: real,        // γᵣ/L [N m s]
        read frames: real4,              // unit quaternion, then the turn that rounding kept from it
        read turns: real4,               // xyz the turn of this substep so far
        read spins: real4,               // xyz [rad/s], about the frame's axes
        write corde_loads: real4,        // per joint: torque on a, torque on b [N m]
    }
}

/// `launch.first` is the first joint of all CoRdE nets, `launch.base` is where their loads begin, `launch.index` is the step of
/// the frames in this substep.
#[inline(always)]
fn corde_net_joint<R: Real>(bound: &Bindings<R>, id: u32) {
    let j = bound.launch.first + id;
    let [a, b] = bound.net_joints[j as usize].map(|frame| frame as usize);
    let rest = |vector: u32| bound.net_rest[(REST * j + vector) as usize];
    let turned = |k: usize| {
        if bound.launch.index == 0 { bound.frames[2 * k + 1].xyz() } else { bound.turns[k].xyz() }
    };
    let frames = [bound.frames[2 * a], bound.frames[2 * b]];
    let joint = joint(frames, [turned(a), turned(b)], [rest(0), rest(1)]);
    let spins = [bound.spins[a].xyz(), bound.spins[b].xyz()];
    let friction = bound.net_frictions[j as usize];
    let [first, second] = torques(&joint, spins, rest(2).xyz(), rest(3).xyz(), [rest(0), rest(1)], friction);
    let slot = bound.launch.base + 2 * id;
    bound.corde_loads.set(slot, first.with_w(R::ZERO));
    bound.corde_loads.set(slot + 1, second.with_w(R::ZERO));
}

/// The torques on both frames, each about its own axes [N m].
#[inline(always)]
pub fn torques<R: Real>(
    joint: &Joint<R>,
    [first, second]: [Vec3<R>; 2], // ωₐ, ω_b [rad/s]
    rest: Vec3<R>,                 // C₀ = 2 s₀
    compliance: Vec3<R>,           // α = L/K [rad/(N m)]
    [oa, ob]: [Vec4<R>; 2],        // offsets
    friction: R,                   // γᵣ/L [N m s]
) -> [Vec3<R>; 2] {
    let c = joint.relative.xyz() * R::of(2.0) - rest;
    let moment = Vec3::new(c.x / compliance.x, c.y / compliance.y, c.z / compliance.z);
    let [oa, ob] = [Quat::from_vec4(oa), Quat::from_vec4(ob)];
    // From b's axes to a's and back, through those that are compared.
    let turned = Quat::from_vec4(joint.relative);
    let rub = (oa.rotate(turned.rotate(ob.conjugate().rotate(second))) - first) * friction;
    let back = ob.rotate(turned.conjugate().rotate(oa.conjugate().rotate(rub)));
    [joint.first.apply_transposed(moment) + rub, -joint.second.apply_transposed(moment) - back]
}
