//! Bending and twist of the joints of a net, XPBD, a colour at a time. [`super::joint`] has the strain and its gradients.

use super::joint::{Joint, joint};
use super::{REST, WORK};
use crate::constraints::iterate::KEEP;
use crate::frames::turn;
use crate::math::{Mat3, Real, Vec3};
use crate::particles::World;
use crate::rods;
use crate::rods::ldl::Ldl;

crate::kernel! {
    "nets/net_bend" => net_bend per Invocation {
        uniform world: World,
        read net_joints: uint2,      // frames a, b
        read net_rest: real4,        // oₐ, o_b, C₀, α [rad/(N m)]
        read rod_rest: real4,        // …; inverse inertia [1/(kg m²)]
        read frames: real4,          // unit quaternions, every second
        write turns: real4,          // xyz the turn of this substep
        write net_work: real4,       // λ [N m s²], …
    }
}

/// `launch.first` is the first joint of a colour, `launch.base` the number of the nets' frames.
#[inline(always)]
fn net_bend<R: Real>(b: &Bindings<R>, id: u32) {
    let j = b.launch.first + id;
    let [first, second] = b.net_joints[j as usize];
    let rest = |vector: u32| b.net_rest[(REST * j + vector) as usize];
    let turns = [first, second].map(|k| b.turns.get(k).xyz());
    let inertias = [first, second].map(|k| b.rod_rest[(rods::REST * k + 3) as usize].xyz());
    let joint = joint([first, second].map(|k| b.frames[2 * k as usize]), turns, [rest(0), rest(1)]);
    let work = WORK * (b.launch.base + j);
    let lambda = if b.launch.index > 0 { b.net_work.get(work).xyz() } else { Vec3::ZERO };
    let compliance = rest(3).xyz() / (b.launch.dt * b.launch.dt);
    let change = project(&joint, rest(2).xyz(), inertias, compliance, lambda) * b.world.relaxation;
    if b.launch.flags & KEEP != 0 {
        b.net_work.set(work, (lambda + change).with_w(R::ZERO));
    }
    let half = R::of(0.5);
    // Held knots may have two joints of one colour.
    if inertias[0].x > R::ZERO {
        let turned = joint.first.apply_transposed(change).scaled(inertias[0]) * -half;
        b.turns.set(first, turn::compose(turns[0], turned).with_w(R::ZERO));
    }
    if inertias[1].x > R::ZERO {
        let turned = joint.second.apply_transposed(change).scaled(inertias[1]) * half;
        b.turns.set(second, turn::compose(turns[1], turned).with_w(R::ZERO));
    }
}

/// Δλ of one joint [N m s²].
#[inline(always)]
pub fn project<R: Real>(
    joint: &Joint<R>,
    rest: Vec3<R>,          // C₀ = 2 s₀
    inertias: [Vec3<R>; 2], // Wₐ, W_b [1/(kg m²)]
    compliance: Vec3<R>,    // α̃ [1/(kg m²)]
    lambda: Vec3<R>,        // λ [N m s²]
) -> Vec3<R> {
    let system = joint.response(inertias) + Mat3::diagonal(compliance);
    let c = joint.relative.xyz() * R::of(2.0) - rest;
    let scale = Vec3::new(system.x.x, system.y.y, system.z.z);
    Ldl::new(system, scale).solve(-c - compliance.scaled(lambda))
}
