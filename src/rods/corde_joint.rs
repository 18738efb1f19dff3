//! CoRdE: the torques of a joint that is bent or twisted.
//!
//!   V = (L/2) (u − û)·K (u − û)        u = 2 s/L,  (s, c) = q̄ₐ q_b        m = K (u − û)
//!   torque on a, about its axes    c m + s × m + (γᵣ/L) Δω      Δω = R(s, c) ω_b − ωₐ
//!   torque on b, about its axes    −c m + s × m − (γᵣ/L) R(s, c)ᵀ Δω
//!
//! Rotated to space the two are equal and opposite. Friction is on the difference of the angular velocities in space, which no
//! rigid motion has. Spillmann 2008, (3.17) and (3.25), in which the quaternion matrices cancel down to this.

use super::strain;
use crate::math::{Lane, Quat, Real, Vec3, Vec4};

crate::kernel! {
    "rods/corde_joint" => corde_joint per Invocation {
        read corde_joints: uint2,         // frames a, b
        read corde_joint_rest: real4,     // 2 s₀, γᵣ/L [N m s]; K/L [N m]
        read frames: real4,               // unit quaternion, then the turn that rounding kept from it
        read turns: real4,                // xyz the turn of this substep so far
        read spins: real4,                // xyz [rad/s], about the frame's axes
        write corde_loads: real4,         // per joint: torque on a, torque on b [N m]
    }
}

/// `launch.base` is where the loads of joints begin; `launch.index` is the step of the frames in this substep.
#[inline(always)]
fn corde_joint<R: Real>(bound: &Bindings<R>, id: u32) {
    let [a, b] = bound.corde_joints[id as usize].map(|frame| frame as usize);
    let rest = bound.corde_joint_rest[2 * id as usize];
    let stiffness = bound.corde_joint_rest[2 * id as usize + 1].xyz();
    let turned = |k: usize| {
        if bound.launch.index == 0 { bound.frames[2 * k + 1].xyz() } else { bound.turns[k].xyz() }
    };
    let relative = strain::relative([bound.frames[2 * a], bound.frames[2 * b]], [turned(a), turned(b)]);
    let spins = [bound.spins[a].xyz(), bound.spins[b].xyz()];
    let [first, second] = torques(relative, spins, rest.xyz(), stiffness, rest.w);
    let slot = bound.launch.base + 2 * id;
    bound.corde_loads.set(slot, first.with_w(R::ZERO));
    bound.corde_loads.set(slot + 1, second.with_w(R::ZERO));
}

/// The torques on both frames, each about its own axes [N m].
#[inline(always)]
pub fn torques<L: Lane>(
    relative: Vec4<L>,             // (s, c)
    [first, second]: [Vec3<L>; 2], // ωₐ, ω_b [rad/s]
    rest: Vec3<L>,                 // 2 s₀
    stiffness: Vec3<L>,            // K/L [N m]
    friction: L,                   // γᵣ/L [N m s]
) -> [Vec3<L>; 2] {
    let s = relative.xyz();
    let moment = (s + s - rest).scaled(stiffness);
    let turned = Quat::from_vec4(relative);
    let rub = (turned.rotate(second) - first) * friction;
    let (along, across) = (moment * relative.w, s.cross(moment));
    [along + across + rub, across - along - turned.conjugate().rotate(rub)]
}
