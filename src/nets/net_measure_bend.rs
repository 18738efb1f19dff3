//! The row of every joint in Newton's system of a net: C, its gradients and the block on the diagonal.

use super::joint::joint;
use super::{REST, ROW};
use crate::math::{Mat3, Real, Vec3};
use crate::rods;

crate::kernel! {
    "nets/net_measure_bend" => net_measure_bend per Invocation {
        read net_joints: uint2,      // frames a, b
        read net_rest: real4,        // oₐ, o_b, C₀, α [rad/(N m)]
        read rod_rest: real4,        // …; inverse inertia [1/(kg m²)]
        read frames: real4,          // unit quaternions, every second
        read turns: real4,           // xyz the turn of this substep
        write net_rows: real4,       // λ; the diagonal block; −C − α̃ λ; −∂C/∂φₐ; ∂C/∂φ_b
    }
}

/// `launch.first` is the first joint, `launch.base` the number of the nets' frames.
#[inline(always)]
fn net_measure_bend<R: Real>(b: &Bindings<R>, id: u32) {
    let j = b.launch.first + id;
    let ends = b.net_joints[j as usize];
    let rest = |vector: u32| b.net_rest[(REST * j + vector) as usize];
    let inertias = ends.map(|k| b.rod_rest[(rods::REST * k + 3) as usize].xyz());
    let turns = ends.map(|k| b.turns[k as usize].xyz());
    let joint = joint(ends.map(|k| b.frames[2 * k as usize]), turns, [rest(0), rest(1)]);
    let row = ROW * (b.launch.base + j);
    let lambda = if b.launch.index > 0 { b.net_rows.get(row).xyz() } else { Vec3::ZERO };
    let compliance = rest(3).xyz() / (b.launch.dt * b.launch.dt);
    let c = joint.relative.xyz() * R::of(2.0) - rest(2).xyz();
    b.net_rows.set(row, lambda.with_w(R::ZERO));
    super::store(b.net_rows, row + 1, joint.response(inertias) + Mat3::diagonal(compliance));
    b.net_rows.set(row + 4, (-c - compliance.scaled(lambda)).with_w(R::ZERO));
    super::store(b.net_rows, row + 5, joint.first);
    super::store(b.net_rows, row + 8, joint.second);
}
