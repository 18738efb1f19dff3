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
//! One thread walks one rod forth and back; many rods run side by side, equal rods also side by side in the lanes of a
//! register ([`super::block`]). The bending of a fine and stiff rod makes the
//! system ill-conditioned, like the fourth power of its segments per wave length; but Δλ is a correction, and the next
//! iteration measures what it missed with strains that keep their digits, so f32 converges as long as an iteration gains
//! anything at all. After Deul, Kugelstadt, Weiler, Bender 2018, who solve the system of positions and multipliers.

use super::block::{Block, Many, One};
use super::ldl::{Ldl, Symmetric};
use super::{JOINT, strain};
use crate::frames::turn;
use crate::math::{Lane, Lanes, Mat3, Quat, Real, Vec3, Vec4};

crate::kernel! {
    "rods/solve_chain" => solve_chain, lanes solve_chain_lanes, per Walk {
        read rods: uint4,            // first frame, frames, first rod of its run, rods in the run
        read rod_segments: uint4,    // particles i, j; flags
        read rod_rest: real4,        // l [m], α of shear, stretch [m/N]; C₀; α of the joint; inverse inertia
        read frames: real4,          // unit quaternions, every second
        read positions: real4,       // xyz [m], w = 1/mass [1/kg]
        write offsets: real4,        // xyz [m], w = the solver's 1/mass
        write turns: real4,          // xyz the turn of this substep
        write rod_work: real4,       // per run, vector by vector of all its rods
    }
}

#[inline(always)]
fn solve_chain<R: Real>(b: &Bindings<R>, id: u32) {
    solve(&One::new(b, b.launch.first + id), b.launch.index > 0);
}

/// As [`solve_chain`], for several rods; those that are not of one run go one by one.
#[inline(always)]
fn solve_chain_lanes<L: Lanes>(b: &Bindings<f32>, id: u32) {
    let rod = b.launch.first + id;
    match Many::new::<L>(b, rod) {
        Some(block) => solve::<L, _>(&block, b.launch.index > 0),
        None => (rod..rod + L::COUNT as u32).for_each(|rod| solve(&One::new(b, rod), b.launch.index > 0)),
    }
}

/// Where the vectors of a frame are in `rod_work`: λ of segment and joint, b, (s, c), and a row of the elimination for each.
const LAMBDA: [u32; 2] = [0, 1];
const LOCAL: u32 = 2;
const RELATIVE: u32 = 3;
const ROWS: [u32; 2] = [4, 10];

/// A segment at the present iterate.
#[derive(Clone, Copy)]
struct Segment<L> {
    q: Vec4<L>,
    turn: Vec3<L>,
    /// b, the segment in its frame's axes [m].
    local: Vec3<L>,
    /// Its far end: x − x₀ [m] in two parts, and 1/mass [1/kg].
    far: [Vec4<L>; 2],
    /// Inverse mass of its near end [1/kg].
    near_weight: L,
    inverse_inertia: Vec3<L>,
}

/// An eliminated row.
#[derive(Clone, Copy)]
struct Row<L> {
    u1: Mat3<L>,
    u2: Mat3<L>,
    e: Mat3<L>,
    f: Mat3<L>,
    y: Vec3<L>,
}

impl<L: Lane> Row<L> {
    const NONE: Self = Self { u1: Mat3::ZERO, u2: Mat3::ZERO, e: Mat3::ZERO, f: Mat3::ZERO, y: Vec3::ZERO };
}

/// A row of the system: the diagonal block, the two right of it, the right hand side.
struct Equation<L> {
    d: Symmetric<L>,
    e: Mat3<L>,
    f: Mat3<L>,
    r: Vec3<L>,
}

/// Eliminates a row with the two before it; returns it with D'⁻¹ y.
#[inline(always)]
fn eliminate<L: Lane>(row: Equation<L>, before: &Row<L>, earlier: &Row<L>) -> (Row<L>, Vec3<L>) {
    let d =
        row.d.minus(Symmetric::product(before.e, before.u1)).minus(Symmetric::product(earlier.f, earlier.u2));
    let e = row.e - before.e.transposed_times(before.u2);
    let y = row.r - before.u1.apply_transposed(before.y) - earlier.u2.apply_transposed(earlier.y);
    let factor = Ldl::of(d, row.d.diagonal);
    let (u1, u2) = (factor.solve_columns(e), factor.solve_columns(row.f));
    (Row { u1, u2, e, f: row.f, y }, factor.solve(y))
}

/// The segment of frame k, whose near end is the far end of the one before.
#[inline(always)]
fn segment<L: Lane, B: Block<L>>(b: &B, k: u32, near: [Vec4<L>; 2]) -> Segment<L> {
    let far = b.particle(k, 1);
    let d = (far[0].xyz() - near[0].xyz()) + (far[1].xyz() - near[1].xyz());
    let (q, turn) = (b.frame(k), b.turn(k));
    Segment {
        q,
        turn,
        local: turn::rotation(q, turn).conjugate().rotate(d),
        far,
        near_weight: near[0].w,
        inverse_inertia: b.rest(k, 3).xyz(),
    }
}

#[inline(always)]
fn relative<L: Lane>(a: &Segment<L>, b: &Segment<L>) -> Vec4<L> {
    strain::relative([a.q, b.q], [a.turn, b.turn])
}

/// λ of the segment (0) or joint (1) of frame k; the first iteration starts from nothing.
#[inline(always)]
fn lambda<L: Lane, B: Block<L>>(b: &B, k: u32, which: usize, kept: bool) -> Vec3<L> {
    if kept { b.work(k, LAMBDA[which]).xyz() } else { Vec3::ZERO }
}

#[inline(always)]
fn solve<L: Lane, B: Block<L>>(b: &B, kept: bool) {
    forward(b, kept);
    let last = b.count() - 1;
    let (mut segment_after, mut joint_after, mut push_after) = (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
    for step in 0..=last {
        let k = last - step;
        let joint_change =
            if k < last { back(b, k, ROWS[1], segment_after, joint_after) } else { Vec3::ZERO };
        let segment_change = back(b, k, ROWS[0], joint_change, segment_after);
        if k < last {
            // Now the frame after k has all three of its multipliers.
            push_after = apply(b, k + 1, [segment_after, joint_after, joint_change], push_after, kept);
        }
        (segment_after, joint_after) = (segment_change, joint_change);
    }
    let push = apply(b, 0, [segment_after, joint_after, Vec3::ZERO], push_after, kept);
    // The near end of the first segment; a wall has pushed nothing.
    let [x, offset] = b.particle(0, 0);
    b.set_offset(0, 0, (offset.xyz() - push * x.w).with_w(offset.w));
}

#[inline(always)]
fn forward<L: Lane, B: Block<L>>(b: &B, kept: bool) {
    let last = b.count() - 1;
    let per_dt2 = b.per_dt2();
    let (mut segments, mut joints) = (Row::NONE, Row::NONE);
    let mut here = segment(b, 0, b.particle(0, 0));
    let mut next = segment(b, 1.min(last), here.far);
    let mut bend = relative(&here, &next);
    for k in 0..=last {
        // The last frames stand for what would come after them, and count for nothing.
        let after = segment(b, (k + 2).min(last), next.far);
        let bend_after = relative(&next, &after);
        let inertia = here.inverse_inertia;
        let p = strain::joint_gradient(bend);

        let rest = b.rest(k, 0);
        let alpha = Vec3::new(rest.y, rest.y, rest.z) * per_dt2;
        let total = here.near_weight + here.far[0].w;
        let on = if k < last { -L::ONE } else { L::ZERO };
        // The particle of a wall is that of the segment beside it, which alone pulls at it.
        let apart = b.is_wall(k) || b.is_wall((k + 1).min(last));
        let linked = if apart { L::ZERO } else { on * here.far[0].w };
        let c = here.local - Vec3::new(L::ZERO, L::ZERO, rest.x);
        let shifted = inertia * on;
        let equation = Equation {
            d: strain::crossed(here.local, inertia).plus(alpha + Vec3::new(total, total, total)),
            e: Mat3::new(
                here.local.cross(shifted.scaled(p.x)),
                here.local.cross(shifted.scaled(p.y)),
                here.local.cross(shifted.scaled(p.z)),
            ),
            f: scaled(strain::relative_rotation(bend), linked),
            r: -c - alpha.scaled(lambda(b, k, 0, kept)),
        };
        let (row, z) = eliminate(equation, &joints, &segments);
        store(b, k, ROWS[0], &row, z);
        b.set_work(k, LOCAL, here.local.with_w(L::ZERO));
        segments = row;
        if k == last {
            return;
        }

        let alpha = b.rest(k, 2).xyz() * per_dt2;
        let driving = p.scale_columns(next.inverse_inertia);
        let on = if k + 1 < last { -L::ONE } else { L::ZERO };
        let s = bend.xyz();
        let c = s + s - b.rest(k, 1).xyz();
        let equation = Equation {
            d: strain::joint_weight(bend, [inertia, next.inverse_inertia]).plus(alpha),
            e: crossed_columns(driving, next.local),
            f: driving * scaled(strain::joint_gradient(bend_after), on),
            r: -c - alpha.scaled(lambda(b, k, 1, kept)),
        };
        let (row, z) = eliminate(equation, &segments, &joints);
        store(b, k, ROWS[1], &row, z);
        b.set_work(k, RELATIVE, bend);
        joints = row;
        (here, next, bend) = (next, after, bend_after);
    }
}

#[inline(always)]
fn scaled<L: Lane>(m: Mat3<L>, s: L) -> Mat3<L> {
    m.scale_columns(Vec3::new(s, s, s))
}

/// M [b]×ᵀ.
#[inline(always)]
fn crossed_columns<L: Lane>(m: Mat3<L>, b: Vec3<L>) -> Mat3<L> {
    Mat3::new(m.z * b.y - m.y * b.z, m.x * b.z - m.z * b.x, m.y * b.x - m.x * b.y)
}

/// Keeps U¹, U² and D'⁻¹ y, the last in the fourth components of U¹.
#[inline(always)]
fn store<L: Lane, B: Block<L>>(b: &B, k: u32, at: u32, row: &Row<L>, z: Vec3<L>) {
    b.set_work(k, at, row.u1.x.with_w(z.x));
    b.set_work(k, at + 1, row.u1.y.with_w(z.y));
    b.set_work(k, at + 2, row.u1.z.with_w(z.z));
    b.set_work(k, at + 3, row.u2.x.with_w(L::ZERO));
    b.set_work(k, at + 4, row.u2.y.with_w(L::ZERO));
    b.set_work(k, at + 5, row.u2.z.with_w(L::ZERO));
}

/// Δλ of the row kept at `at` from those of the two rows after it.
#[inline(always)]
fn back<L: Lane, B: Block<L>>(b: &B, k: u32, at: u32, next: Vec3<L>, after: Vec3<L>) -> Vec3<L> {
    let (x, y, z) = (b.work(k, at), b.work(k, at + 1), b.work(k, at + 2));
    let u1 = Mat3::new(x.xyz(), y.xyz(), z.xyz());
    let u2 = Mat3::new(b.work(k, at + 3).xyz(), b.work(k, at + 4).xyz(), b.work(k, at + 5).xyz());
    Vec3::new(x.w, y.w, z.w) - u1.apply(next) - u2.apply(after)
}

/// Moves the far end and turns the frame of segment k by its Δλ and those of the joints after and before it. Returns its push;
/// that of the next segment is `push_after`.
#[inline(always)]
fn apply<L: Lane, B: Block<L>>(
    b: &B,
    k: u32,
    [own, after, before]: [Vec3<L>; 3],
    push_after: Vec3<L>,
    kept: bool,
) -> Vec3<L> {
    let g = b.turn(k);
    let rotation: Quat<L> = turn::rotation(b.frame(k), g);
    let push = if b.is_wall(k) { Vec3::ZERO } else { rotation.rotate(own) };
    let [x, offset] = b.particle(k, 1);
    b.set_offset(k, 1, (offset.xyz() + (push - push_after) * x.w).with_w(offset.w));
    let mut torque = own.cross(b.work(k, LOCAL).xyz());
    if b.flags(k) & JOINT != 0 {
        torque -= strain::forth(b.work(k, RELATIVE), after);
    }
    if k > 0 {
        torque += strain::back(b.work(k - 1, RELATIVE), before);
    }
    b.set_work(k, LAMBDA[0], (lambda(b, k, 0, kept) + own).with_w(L::ZERO));
    b.set_work(k, LAMBDA[1], (lambda(b, k, 1, kept) + after).with_w(L::ZERO));
    let turned = turn::compose(g, torque.scaled(b.rest(k, 3).xyz()) * L::constant(0.5));
    b.set_turn(k, turned);
    push
}
