//! Bending and twist of the joint between two segments, XPBD.
//!
//!   Δλ = (A + α̃)⁻¹ (−C − α̃ λ)      A = P W_b Pᵀ + Pᵀ Wₐ P      α̃ = (L/K)/dt²
//!
//! See [`super::strain`] for C and P. K = (EI, EI, GJ) [N m²] in the frames' axes.

use super::ldl::Ldl;
use super::{JOINT, REST, WORK, strain, turn};
use crate::constraints::iterate::KEEP;
use crate::math::{Mat3, Real, Vec3, Vec4};
use crate::particles::World;

crate::kernel! {
    "rods/bend_twist" => bend_twist per Invocation {
        uniform world: World,
        read rod_segments: uint4,    // particles i, j; flags
        read rod_rest: real4,        // …; C₀; α [rad/(N m)]; inverse inertia [1/(kg m²)]
        read frames: real4,          // unit quaternions, every second
        write turns: real4,          // xyz the turn of this substep
        write rod_work: real4,       // …, λ [N m s²], …
    }
}

/// `launch.first` is the first frame; every second one follows.
#[inline(always)]
fn bend_twist<R: Real>(b: &Bindings<R>, id: u32) {
    let k = b.launch.first + 2 * id;
    if b.rod_segments[k as usize][2] & JOINT == 0 {
        return;
    }
    let rest = |frame: u32, vector: u32| b.rod_rest[(REST * frame + vector) as usize].xyz();
    let turns = [b.turns.get(k).xyz(), b.turns.get(k + 1).xyz()];
    let relative = strain::relative([b.frames[2 * k as usize], b.frames[2 * k as usize + 2]], turns);
    let lambda = if b.launch.index > 0 { b.rod_work.get(WORK * k + 1).xyz() } else { Vec3::ZERO };
    let compliance = rest(k, 2) / (b.world.dt * b.world.dt);
    let inertias = [rest(k, 3), rest(k + 1, 3)];
    let change = project(relative, rest(k, 1), inertias, compliance, lambda) * b.world.relaxation;
    if b.launch.flags & KEEP != 0 {
        b.rod_work.set(WORK * k + 1, (lambda + change).with_w(R::ZERO));
    }
    let p = strain::joint_gradient(relative);
    let half = R::of(0.5);
    let first = p.apply(change).scaled(inertias[0]) * -half;
    let second = p.apply_transposed(change).scaled(inertias[1]) * half;
    b.turns.set(k, turn::compose(turns[0], first).with_w(R::ZERO));
    b.turns.set(k + 1, turn::compose(turns[1], second).with_w(R::ZERO));
}

/// Δλ of one joint [N m s²].
#[inline(always)]
pub fn project<R: Real>(
    relative: Vec4<R>,             // (s, c)
    rest: Vec3<R>,                 // C₀ = 2 s₀
    [first, second]: [Vec3<R>; 2], // Wₐ, W_b [1/(kg m²)]
    compliance: Vec3<R>,           // α̃ [1/(kg m²)]
    lambda: Vec3<R>,               // λ [N m s²]
) -> Vec3<R> {
    let p = strain::joint_gradient(relative);
    let system =
        strain::congruence(p, second) + strain::congruence(p.transpose(), first) + Mat3::diagonal(compliance);
    let scale = Vec3::new(system.x.x, system.y.y, system.z.z);
    let c = relative.xyz() * R::of(2.0) - rest;
    Ldl::new(system, scale).solve(-c - compliance.scaled(lambda))
}
