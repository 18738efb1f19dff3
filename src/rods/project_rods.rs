//! What every segment and joint asks for in one Jacobi iteration; [`super::gather_rods`] adds it up.
//!
//! The laws are those of [`super::stretch_shear`] and [`super::bend_twist`]. All of them look at the same state, so each may
//! use only its share of the masses: a particle's is split between two segments, a frame's inertia between a segment and
//! two joints. The corrections then use the whole masses, which keeps momentum (Tonge, Benevolenski, Voroshilov 2012).

use super::{JOINT, REST, WORK, bend_twist, strain, stretch_shear};
use crate::constraints::iterate::KEEP;
use crate::frames::turn;
use crate::math::{Lane, Lanes, Quat, Real, Spread, Vec3, Vec4};
use crate::particles::World;

/// Segments that share a particle, and constraints that share a frame.
const PARTICLE_SHARES: f64 = 2.0;
const FRAME_SHARES: f64 = 3.0;

crate::kernel! {
    "rods/project_rods" => project_rods, lanes project_rods_lanes, per Invocation {
        uniform world: World,
        read rod_segments: uint4,    // particles i, j; flags
        read rod_rest: real4,        // l [m], α of shear, stretch [m/N]; C₀; α of the joint; inverse inertia
        read frames: real4,          // unit quaternions, every second
        read positions: real4,       // xyz [m], w = 1/mass [1/kg]
        read offsets: real4,         // xyz [m], w = the solver's 1/mass
        read turns: real4,           // xyz the turn of this substep
        write rod_work: real4,       // λ of segment and joint; then what they ask for
    }
}

/// The state of a frame, its segment and the next frame.
struct Place<L> {
    frames: [Vec4<L>; 2],
    turns: [Vec3<L>; 2],
    /// xⱼ − xᵢ [m].
    d: Vec3<L>,
    /// wᵢ + wⱼ [1/kg].
    weight: L,
    /// The vectors of `rod_rest`, and the next frame's inverse inertia.
    rest: [Vec4<L>; 4],
    next_inertia: Vec3<L>,
    /// λ of segment and joint.
    lambdas: [Vec3<L>; 2],
}

/// λ of segment and joint, the push on the far end, and the torques on this frame and on the next.
struct Request<L> {
    lambdas: [Vec3<L>; 2],
    push: Vec3<L>,
    own: Vec3<L>,
    next: Vec3<L>,
}

#[inline(always)]
fn request<L: Lane>(p: &Place<L>, per_dt2: L, relaxation: L, has_joint: L::Mask) -> Request<L> {
    let shares = L::constant(FRAME_SHARES);
    let rotation: Quat<L> = turn::rotation(p.frames[0], p.turns[0]);
    let here = p.rest[3].xyz() * shares;
    let weight = p.weight * L::constant(PARTICLE_SHARES);
    let (change, local) =
        stretch_shear::correction(rotation, p.d, p.rest[0], weight, here, per_dt2, p.lambdas[0]);
    let change = change * relaxation;
    let relative = strain::relative(p.frames, p.turns);
    let inertias = [here, p.next_inertia * shares];
    let compliance = p.rest[2].xyz() * per_dt2;
    let twist =
        bend_twist::project(relative, p.rest[1].xyz(), inertias, compliance, p.lambdas[1]) * relaxation;
    let on = L::select(has_joint, L::ONE, L::ZERO);
    let twist = twist * on;
    Request {
        lambdas: [p.lambdas[0] + change, p.lambdas[1] + twist],
        push: rotation.rotate(change),
        own: change.cross(local) - strain::forth(relative, twist),
        next: strain::back(relative, twist),
    }
}

#[inline(always)]
fn project_rods<R: Real>(b: &Bindings<R>, id: u32) {
    let k = b.launch.first + id;
    let [i, j, flags, _] = b.rod_segments[k as usize];
    let has_joint = flags & JOINT != 0;
    let next = k + u32::from(has_joint);
    let (xi, xj) = (b.positions[i as usize], b.positions[j as usize]);
    let rest = |frame: u32, vector: u32| b.rod_rest[(REST * frame + vector) as usize];
    let lambda = |which: u32| {
        if b.launch.index > 0 { b.rod_work.get(WORK * k + which).xyz() } else { Vec3::ZERO }
    };
    let place = Place {
        frames: [b.frames[2 * k as usize], b.frames[2 * next as usize]],
        turns: [b.turns[k as usize].xyz(), b.turns[next as usize].xyz()],
        d: (xj.xyz() - xi.xyz()) + (b.offsets[j as usize].xyz() - b.offsets[i as usize].xyz()),
        weight: xi.w + xj.w,
        rest: [rest(k, 0), rest(k, 1), rest(k, 2), rest(k, 3)],
        next_inertia: rest(next, 3).xyz(),
        lambdas: [lambda(0), lambda(1)],
    };
    let per_dt2 = R::ONE / (b.launch.dt * b.launch.dt);
    let request = request(&place, per_dt2, b.world.relaxation, has_joint);
    let vectors = [request.lambdas[0], request.lambdas[1], request.push, request.own, request.next];
    let kept = if b.launch.flags & KEEP != 0 { 0 } else { 2 };
    for (place, vector) in (WORK * k..).zip(vectors).skip(kept) {
        b.rod_work.set(place, vector.with_w(R::ZERO));
    }
}

/// As [`project_rods`], line by line, for several frames.
#[inline(always)]
fn project_rods_lanes<L: Lanes>(b: &Bindings<f32>, id: u32) {
    let k = b.launch.first + id;
    let segments = &b.rod_segments[k as usize..k as usize + L::COUNT];
    let record = |lane: usize| segments[lane];
    let [first, ..] = record(0);
    // Within a rod the particles follow each other.
    let even = (0..L::COUNT).all(|lane| {
        let ([i, j, ..], expected) = (record(lane), first.wrapping_add(lane as u32));
        i == expected && j == expected.wrapping_add(1)
    });
    let has_joint = |lane: usize| record(lane)[2] & JOINT != 0;
    let all = (0..L::COUNT).all(has_joint);
    let joints = if all { L::ZERO.below(L::ONE) } else { L::mask(has_joint) };
    let other = |lane: usize| k + lane as u32 + u32::from(has_joint(lane));
    let (particles, rests) = (b.positions.len(), b.rod_rest.len());
    let i = Spread::new::<L>(even, [first, 1], particles, |lane| record(lane)[0]);
    let j = Spread::new::<L>(even, [first.wrapping_add(1), 1], particles, |lane| record(lane)[1]);
    let next = Spread::new::<L>(all, [k + 1, 1], b.turns.len(), other);
    let next_frame = Spread::new::<L>(all, [2 * k + 2, 2], b.frames.len(), |lane| 2 * other(lane));
    let next_rest = Spread::new::<L>(all, [REST * k + 7, REST], rests, |lane| REST * other(lane) + 3);
    let (xi, xj): (Vec4<L>, Vec4<L>) = (L::spread(b.positions, &i), L::spread(b.positions, &j));
    let (oi, oj): (Vec4<L>, Vec4<L>) = (L::spread(b.offsets, &i), L::spread(b.offsets, &j));
    let w = WORK * k;
    let lambdas = if b.launch.index > 0 {
        [b.rod_work.load_vectors(w, WORK).xyz(), b.rod_work.load_vectors(w + 1, WORK).xyz()]
    } else {
        [Vec3::ZERO; 2]
    };
    let place = Place {
        frames: [L::strided(b.frames, 2 * k, 2), L::spread(b.frames, &next_frame)],
        turns: [L::strided(b.turns, k, 1).xyz(), L::spread(b.turns, &next).xyz()],
        d: (xj.xyz() - xi.xyz()) + (oj.xyz() - oi.xyz()),
        weight: xi.w + xj.w,
        rest: [
            L::strided(b.rod_rest, REST * k, REST),
            L::strided(b.rod_rest, REST * k + 1, REST),
            L::strided(b.rod_rest, REST * k + 2, REST),
            L::strided(b.rod_rest, REST * k + 3, REST),
        ],
        next_inertia: L::spread(b.rod_rest, &next_rest).xyz(),
        lambdas,
    };
    let dt = L::splat(b.launch.dt);
    let request = request(&place, L::ONE / (dt * dt), L::splat(b.world.relaxation), joints);
    if b.launch.flags & KEEP != 0 {
        b.rod_work.store_vectors(w, WORK, request.lambdas[0].with_w(L::ZERO));
        b.rod_work.store_vectors(w + 1, WORK, request.lambdas[1].with_w(L::ZERO));
    }
    b.rod_work.store_vectors(w + 2, WORK, request.push.with_w(L::ZERO));
    b.rod_work.store_vectors(w + 3, WORK, request.own.with_w(L::ZERO));
    b.rod_work.store_vectors(w + 4, WORK, request.next.with_w(L::ZERO));
}
