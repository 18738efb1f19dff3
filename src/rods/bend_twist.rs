//! Bending and twist of the joint between two segments, XPBD.
//!
//!   Δλ = (A + α̃)⁻¹ (−C − α̃ λ)      A = P W_b Pᵀ + Pᵀ Wₐ P      α̃ = (L/K)/dt²
//!
//! See [`super::strain`] for C and P. K = (EI, EI, GJ) [N m²] in the frames' axes.

use super::ldl::Ldl;
use super::{JOINT, REST, WORK, strain};
use crate::constraints::iterate::KEEP;
use crate::frames::turn;
use crate::math::{Lane, Lanes, Real, Vec3, Vec4};
use crate::particles::World;

crate::kernel! {
    "rods/bend_twist" => bend_twist, lanes bend_twist_lanes, per Invocation {
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
    let frames = [b.frames[2 * k as usize], b.frames[2 * k as usize + 2]];
    let lambda = if b.launch.index > 0 { b.rod_work.get(WORK * k + 1).xyz() } else { Vec3::ZERO };
    let per_dt2 = R::ONE / (b.launch.dt * b.launch.dt);
    let (joint, inertias) = ([rest(k, 1), rest(k, 2)], [rest(k, 3), rest(k + 1, 3)]);
    let moved = projected(frames, turns, inertias, joint, [per_dt2, b.world.relaxation], lambda);
    if b.launch.flags & KEEP != 0 {
        b.rod_work.set(WORK * k + 1, (lambda + moved.change).with_w(R::ZERO));
    }
    let [first, second] = moved.turns;
    b.turns.set(k, first.with_w(R::ZERO));
    b.turns.set(k + 1, second.with_w(R::ZERO));
}

/// As [`bend_twist`], line by line, for several joints. A block may span rods: where a frame has no joint, it and the first of the next
/// rod keep their turns, and no other lane turns them. Only the next rod's may be another thread's.
#[inline(always)]
fn bend_twist_lanes<L: Lanes>(b: &Bindings<f32>, id: u32) {
    let k = b.launch.first + 2 * id;
    let segments = &b.rod_segments[k as usize..k as usize + 2 * L::COUNT - 1];
    let has_joint = |lane: usize| segments[2 * lane][2] & JOINT != 0;
    if !has_joint(L::COUNT - 1) {
        (id..id + L::COUNT as u32).for_each(|id| bend_twist(b, id));
        return;
    }
    let joints = L::mask(has_joint);
    let rest = |vector: u32| L::strided(b.rod_rest, REST * k + vector, 2 * REST).xyz();
    let turns: [Vec3<L>; 2] = [b.turns.load_vectors(k, 2).xyz(), b.turns.load_vectors(k + 1, 2).xyz()];
    let frames: [Vec4<L>; 2] = [L::strided(b.frames, 2 * k, 4), L::strided(b.frames, 2 * k + 2, 4)];
    let lambda =
        if b.launch.index > 0 { b.rod_work.load_vectors(WORK * k + 1, 2 * WORK).xyz() } else { Vec3::ZERO };
    let (dt, relaxation) = (L::splat(b.launch.dt), L::splat(b.world.relaxation));
    let (joint, inertias) = ([rest(1), rest(2)], [rest(3), rest(REST + 3)]);
    let moved = projected(frames, turns, inertias, joint, [L::ONE / (dt * dt), relaxation], lambda);
    if b.launch.flags & KEEP != 0 {
        let kept = Vec3::select(joints, lambda + moved.change, lambda);
        b.rod_work.store_vectors(WORK * k + 1, 2 * WORK, kept.with_w(L::ZERO));
    }
    let [first, second] = moved.turns;
    b.turns.store_vectors(k, 2, Vec3::select(joints, first, turns[0]).with_w(L::ZERO));
    b.turns.store_vectors(k + 1, 2, Vec3::select(joints, second, turns[1]).with_w(L::ZERO));
}

/// A joint after its projection.
pub(super) struct Moved<L> {
    /// Δλ [N m s²].
    pub change: Vec3<L>,
    /// Of its frames.
    pub turns: [Vec3<L>; 2],
}

/// Projects one joint, given C₀ and α, 1/dt² and the relaxation.
#[inline(always)]
pub(super) fn projected<L: Lane>(
    frames: [Vec4<L>; 2],
    turns: [Vec3<L>; 2],
    inertias: [Vec3<L>; 2],
    [rest, compliance]: [Vec3<L>; 2],
    [per_dt2, relaxation]: [L; 2],
    lambda: Vec3<L>,
) -> Moved<L> {
    let relative = strain::relative(frames, turns);
    let change = project(relative, rest, inertias, compliance * per_dt2, lambda) * relaxation;
    Moved { change, turns: turned(turns, relative, change, inertias) }
}

/// Δλ of one joint [N m s²].
#[inline(always)]
pub fn project<L: Lane>(
    relative: Vec4<L>,      // (s, c)
    rest: Vec3<L>,          // C₀ = 2 s₀
    inertias: [Vec3<L>; 2], // Wₐ, W_b [1/(kg m²)]
    compliance: Vec3<L>,    // α̃ [1/(kg m²)]
    lambda: Vec3<L>,        // λ [N m s²]
) -> Vec3<L> {
    let system = strain::joint_weight(relative, inertias).plus(compliance);
    let s = relative.xyz();
    Ldl::plain(system).solve(-(s + s - rest) - compliance.scaled(lambda))
}

/// The frames' turns after a joint's Δλ.
#[inline(always)]
fn turned<L: Lane>(
    turns: [Vec3<L>; 2],
    relative: Vec4<L>,
    change: Vec3<L>,
    inertias: [Vec3<L>; 2],
) -> [Vec3<L>; 2] {
    let half = L::constant(0.5);
    let first = strain::forth(relative, change).scaled(inertias[0]) * -half;
    let second = strain::back(relative, change).scaled(inertias[1]) * half;
    [turn::compose(turns[0], first), turn::compose(turns[1], second)]
}
