//! All constraints of a rod at once: one Newton step of XPBD, solved by elimination along the chain.
//!
//!   (J M⁻¹ Jᵀ + α̃) Δλ = −C − α̃ λ        Δx = M⁻¹ Jᵀ Δλ
//!
//! In the order segment, joint, segment, joint, … the matrix has 3 × 3 blocks and two block diagonals on each side: a
//! segment shares its frame with the joints beside it and a particle with the next segment, a joint shares a frame with the
//! next joint. Block L D Lᵀ costs the same for every segment and creates no further blocks:
//!
//!   D'ₘ = Dₘ − E'ₘ₋₁ᵀ U¹ₘ₋₁ − Fₘ₋₂ᵀ U²ₘ₋₂      E'ₘ = Eₘ − E'ₘ₋₁ᵀ U²ₘ₋₁      U¹ = D'⁻¹ E'      U² = D'⁻¹ F
//!   yₘ = rₘ − U¹ₘ₋₁ᵀ yₘ₋₁ − U²ₘ₋₂ᵀ yₘ₋₂        Δλₘ = D'⁻¹ yₘ − U¹ₘ Δλₘ₊₁ − U²ₘ Δλₘ₊₂
//!
//! One thread walks one rod forth and back; many rods run side by side. The bending of a fine and stiff rod makes the
//! system ill-conditioned, like the fourth power of its segments per wave length; but Δλ is a correction, and the next
//! iteration measures what it missed with strains that keep their digits, so f32 converges as long as an iteration gains
//! anything at all. After Deul, Kugelstadt, Weiler, Bender 2018, who solve the system of positions and multipliers.

use super::ldl::Ldl;
use super::{JOINT, REST, WORK, strain, turn};
use crate::compute::Shared;
use crate::math::{Mat3, Quat, Real, Vec3, Vec4};
use crate::particles::World;

crate::kernel! {
    "rods/solve_chain" => solve_chain per Workgroup {
        uniform world: World,
        read rods: uint2,            // first frame, frames
        read rod_segments: uint4,    // particles i, j; flags
        read rod_rest: real4,        // l [m], α of shear, stretch [m/N]; C₀; α of the joint; inverse inertia
        read frames: real4,          // unit quaternions, every second
        read positions: real4,       // xyz [m], w = 1/mass [1/kg]
        write offsets: real4,        // xyz [m], w = the solver's 1/mass
        write turns: real4,          // xyz the turn of this substep
        write rod_work: real4,
    }
}

/// A segment at the present iterate.
#[derive(Clone, Copy)]
struct Segment<R> {
    q: Vec4<R>,
    turn: Vec3<R>,
    /// b, the segment in its frame's axes [m].
    local: Vec3<R>,
    /// Inverse masses of its ends [1/kg].
    weights: [R; 2],
    inverse_inertia: Vec3<R>,
}

/// A joint at the present iterate: (s, c), and P.
#[derive(Clone, Copy)]
struct Joint<R> {
    relative: Vec4<R>,
    gradient: Mat3<R>,
}

/// An eliminated row.
#[derive(Clone, Copy)]
struct Row<R> {
    u1: Mat3<R>,
    u2: Mat3<R>,
    e: Mat3<R>,
    f: Mat3<R>,
    y: Vec3<R>,
}

impl<R: Real> Row<R> {
    const NONE: Self = Self { u1: Mat3::ZERO, u2: Mat3::ZERO, e: Mat3::ZERO, f: Mat3::ZERO, y: Vec3::ZERO };
}

/// A row of the system: the diagonal block, the two right of it, the right hand side.
struct Equation<R> {
    d: Mat3<R>,
    e: Mat3<R>,
    f: Mat3<R>,
    r: Vec3<R>,
}

/// Eliminates a row with the two before it; returns it with D'⁻¹ y.
#[inline(always)]
fn eliminate<R: Real>(row: Equation<R>, before: &Row<R>, earlier: &Row<R>) -> (Row<R>, Vec3<R>) {
    let d = row.d - before.e.transposed_times(before.u1) - earlier.f.transposed_times(earlier.u2);
    let e = row.e - before.e.transposed_times(before.u2);
    let y = row.r - before.u1.apply_transposed(before.y) - earlier.u2.apply_transposed(earlier.y);
    let factor = Ldl::new(d, Vec3::new(row.d.x.x, row.d.y.y, row.d.z.z));
    let (u1, u2) = (factor.solve_columns(e), factor.solve_columns(row.f));
    (Row { u1, u2, e, f: row.f, y }, factor.solve(y))
}

#[inline(always)]
fn segment<R: Real>(b: &Bindings<R>, k: u32) -> Segment<R> {
    let [i, j, ..] = b.rod_segments[k as usize];
    let (xi, xj) = (b.positions[i as usize], b.positions[j as usize]);
    let d = (xj.xyz() - xi.xyz()) + (b.offsets.get(j).xyz() - b.offsets.get(i).xyz());
    let (q, turn) = (b.frames[2 * k as usize], b.turns.get(k).xyz());
    Segment {
        q,
        turn,
        local: turn::rotation(q, turn).conjugate().rotate(d),
        weights: [xi.w, xj.w],
        inverse_inertia: b.rod_rest[(REST * k + 3) as usize].xyz(),
    }
}

#[inline(always)]
fn joint<R: Real>(a: &Segment<R>, b: &Segment<R>) -> Joint<R> {
    let relative = strain::relative([a.q, b.q], [a.turn, b.turn]);
    Joint { relative, gradient: strain::joint_gradient(relative) }
}

/// λ of the segment (0) or joint (1) of frame k; the first iteration starts from nothing.
#[inline(always)]
fn lambda<R: Real>(b: &Bindings<R>, k: u32, which: u32) -> Vec3<R> {
    if b.launch.index > 0 { b.rod_work.get(WORK * k + which).xyz() } else { Vec3::ZERO }
}

/// Rods per workgroup: a rod is long work, so a few make a call that is worth handing to a thread.
pub const GROUP: u32 = 8;

#[inline(always)]
fn solve_chain<R: Real>(b: &Bindings<R>, group: u32) {
    for id in GROUP * group..(GROUP * (group + 1)).min(b.launch.count) {
        solve(b, id);
    }
}

fn solve<R: Real>(b: &Bindings<R>, id: u32) {
    let [first, count] = b.rods[(b.launch.first + id) as usize];
    let last = first + count - 1;
    forward(b, first, last);
    let (mut segment_after, mut joint_after) = (Vec3::ZERO, Vec3::ZERO);
    for step in 0..count {
        let k = last - step;
        let w = WORK * k;
        let joint_change =
            if k < last { back(b.rod_work, w + 10, segment_after, joint_after) } else { Vec3::ZERO };
        let segment_change = back(b.rod_work, w + 4, joint_change, segment_after);
        if k < last {
            // Now the frame after k has all three of its multipliers.
            apply(b, k + 1, segment_after, joint_after, joint_change);
        }
        (segment_after, joint_after) = (segment_change, joint_change);
    }
    apply(b, first, segment_after, joint_after, Vec3::ZERO);
}

fn forward<R: Real>(b: &Bindings<R>, first: u32, last: u32) {
    let per_dt2 = R::ONE / (b.world.dt * b.world.dt);
    let two = R::of(2.0);
    let rest = |k: u32, vector: u32| b.rod_rest[(REST * k + vector) as usize];
    let (mut before, mut earlier) = (Row::NONE, Row::NONE);
    let mut here = segment(b, first);
    let mut next = segment(b, (first + 1).min(last));
    let mut bend = joint(&here, &next);
    for k in first..=last {
        let w = WORK * k;
        let after = segment(b, (k + 2).min(last));
        let bend_after = joint(&next, &after);
        let cross = Mat3::cross(here.local);
        let turning = cross.scale_columns(here.inverse_inertia);

        let lengths = rest(k, 0);
        let alpha = Vec3::new(lengths.y, lengths.y, lengths.z) * per_dt2;
        let total = here.weights[0] + here.weights[1];
        let has_joint = k < last;
        let on = R::select(has_joint, R::ONE, R::ZERO);
        let c = here.local - Vec3::new(R::ZERO, R::ZERO, lengths.x);
        let equation = Equation {
            d: Mat3::diagonal(alpha + Vec3::new(total, total, total)) + turning * cross.transpose(),
            e: scaled(turning * bend.gradient, -on),
            f: scaled(strain::relative_rotation(bend.relative), -on * here.weights[1]),
            r: -c - alpha.scaled(lambda(b, k, 0)),
        };
        let (row, z) = eliminate(equation, &before, &earlier);
        store(b.rod_work, w + 4, &row, z);
        b.rod_work.set(w + 2, here.local.with_w(R::ZERO));
        (before, earlier) = (row, before);
        if !has_joint {
            return;
        }

        let p = bend.gradient;
        let alpha = rest(k, 2).xyz() * per_dt2;
        let driving = p.scale_columns(next.inverse_inertia);
        let on = R::select(k + 1 < last, R::ONE, R::ZERO);
        let c = bend.relative.xyz() * two - rest(k, 1).xyz();
        let equation = Equation {
            d: Mat3::diagonal(alpha)
                + driving * p.transpose()
                + strain::congruence(p.transpose(), here.inverse_inertia),
            e: driving * Mat3::cross(next.local).transpose(),
            f: scaled(driving * bend_after.gradient, -on),
            r: -c - alpha.scaled(lambda(b, k, 1)),
        };
        let (row, z) = eliminate(equation, &before, &earlier);
        store(b.rod_work, w + 10, &row, z);
        b.rod_work.set(w + 3, bend.relative);
        (before, earlier) = (row, before);
        (here, next, bend) = (next, after, bend_after);
    }
}

#[inline(always)]
fn scaled<R: Real>(m: Mat3<R>, s: R) -> Mat3<R> {
    m.scale_columns(Vec3::new(s, s, s))
}

/// Keeps U¹, U² and D'⁻¹ y, the last in the fourth components of U¹.
#[inline(always)]
fn store<R: Real>(work: Shared<'_, Vec4<R>>, at: u32, row: &Row<R>, z: Vec3<R>) {
    work.set(at, row.u1.x.with_w(z.x));
    work.set(at + 1, row.u1.y.with_w(z.y));
    work.set(at + 2, row.u1.z.with_w(z.z));
    work.set(at + 3, row.u2.x.with_w(R::ZERO));
    work.set(at + 4, row.u2.y.with_w(R::ZERO));
    work.set(at + 5, row.u2.z.with_w(R::ZERO));
}

/// Δλ of the row kept at `at` from those of the two rows after it.
#[inline(always)]
fn back<R: Real>(work: Shared<'_, Vec4<R>>, at: u32, next: Vec3<R>, after: Vec3<R>) -> Vec3<R> {
    let [a, b, c] = [work.get(at), work.get(at + 1), work.get(at + 2)];
    let u1 = Mat3::new(a.xyz(), b.xyz(), c.xyz());
    let u2 = Mat3::new(work.get(at + 3).xyz(), work.get(at + 4).xyz(), work.get(at + 5).xyz());
    Vec3::new(a.w, b.w, c.w) - u1.apply(next) - u2.apply(after)
}

/// Moves the ends and turns the frame of segment k by its Δλ and those of the joints after and before it.
#[inline(always)]
fn apply<R: Real>(b: &Bindings<R>, k: u32, own: Vec3<R>, after: Vec3<R>, before: Vec3<R>) {
    let w = WORK * k;
    let keep = |which: u32, change: Vec3<R>| {
        b.rod_work.set(w + which, (lambda(b, k, which) + change).with_w(R::ZERO));
    };
    let [i, j, flags, _] = b.rod_segments[k as usize];
    let g = b.turns.get(k).xyz();
    let rotation: Quat<R> = turn::rotation(b.frames[2 * k as usize], g);
    let push = rotation.rotate(own);
    let (oi, oj) = (b.offsets.get(i), b.offsets.get(j));
    if i != j {
        b.offsets.set(i, (oi.xyz() - push * b.positions[i as usize].w).with_w(oi.w));
        b.offsets.set(j, (oj.xyz() + push * b.positions[j as usize].w).with_w(oj.w));
    }
    let mut torque = own.cross(b.rod_work.get(w + 2).xyz());
    if flags & JOINT != 0 {
        torque -= strain::joint_gradient(b.rod_work.get(w + 3)).apply(after);
    }
    if before != Vec3::ZERO {
        torque += strain::joint_gradient(b.rod_work.get(w - WORK + 3)).apply_transposed(before);
    }
    keep(0, own);
    keep(1, after);
    let half = R::of(0.5);
    let inverse_inertia = b.rod_rest[(REST * k + 3) as usize].xyz();
    let turned = turn::compose(g, torque.scaled(inverse_inertia) * half);
    b.turns.set(k, turned.with_w(R::ZERO));
}
