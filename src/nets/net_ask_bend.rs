//! What every joint of a net asks for in one Jacobi iteration; [`super::net_gather`] adds it up.
//!
//! The law is that of [`super::net_bend`], with shares of the inertias as in [`super::net_ask_stretch`].

use super::joint::joint;
use super::{REST, WORK, net_bend};
use crate::math::{Real, Vec3};
use crate::particles::World;
use crate::rods;

crate::kernel! {
    "nets/net_ask_bend" => net_ask_bend per Invocation {
        uniform world: World,
        read net_joints: uint2,      // frames a, b
        read net_rest: real4,        // oₐ, o_b, C₀, α [rad/(N m)]; w the shares of the inertias
        read rod_rest: real4,        // …; inverse inertia [1/(kg m²)]
        read frames: real4,          // unit quaternions, every second
        read turns: real4,           // xyz the turn of this substep
        write net_work: real4,       // λ [N m s²]; torques on a and b [kg m²]
    }
}

/// `launch.first` is the first joint, `launch.base` the number of the nets' frames.
#[inline(always)]
fn net_ask_bend<R: Real>(b: &Bindings<R>, id: u32) {
    let j = b.launch.first + id;
    let ends = b.net_joints[j as usize];
    let rest = |vector: u32| b.net_rest[(REST * j + vector) as usize];
    let inertia = |k: u32, share: R| b.rod_rest[(rods::REST * k + 3) as usize].xyz() * share;
    let inertias = [inertia(ends[0], rest(2).w), inertia(ends[1], rest(3).w)];
    let turns = ends.map(|k| b.turns[k as usize].xyz());
    let joint = joint(ends.map(|k| b.frames[2 * k as usize]), turns, [rest(0), rest(1)]);
    let work = WORK * (b.launch.base + j);
    let lambda = if b.launch.index > 0 { b.net_work.get(work).xyz() } else { Vec3::ZERO };
    let compliance = rest(3).xyz() / (b.launch.dt * b.launch.dt);
    let change = net_bend::project(&joint, rest(2).xyz(), inertias, compliance, lambda) * b.world.relaxation;
    b.net_work.set(work, (lambda + change).with_w(R::ZERO));
    b.net_work.set(work + 1, (-joint.first.apply_transposed(change)).with_w(R::ZERO));
    b.net_work.set(work + 2, joint.second.apply_transposed(change).with_w(R::ZERO));
}
