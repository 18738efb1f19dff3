//! Adds up what [`super::project_rods`] found: each frame turns, and moves the particle at its far end.
//!
//! The first segment of a rod moves the particle at its near end as well.

use super::{FIRST, JOINT, REST, WORK};
use crate::frames::turn;
use crate::math::{Lane, Lanes, Places, Real, Spread, Vec3, Vec4};

crate::kernel! {
    "rods/gather_rods" => gather_rods, lanes gather_rods_lanes, per Invocation {
        read rod_segments: uint4,    // particles i, j; flags; 1 after another frame
        read rod_rest: real4,        // … inverse inertia [1/(kg m²)]
        read rod_work: real4,        // … push [kg m], torque on this frame and on the next [kg m²]
        read positions: real4,       // xyz [m], w = 1/mass [1/kg]
        write offsets: real4,        // xyz [m], w = the solver's 1/mass
        write turns: real4,          // xyz the turn of this substep
    }
}

#[inline(always)]
fn gather_rods<R: Real>(b: &Bindings<R>, id: u32) {
    let k = b.launch.first + id;
    let [i, j, flags, before] = b.rod_segments[k as usize];
    let work = |frame: u32, vector: u32| b.rod_work[(WORK * frame + vector) as usize].xyz();
    let torque = work(k, 3) + if before > 0 { work(k - 1, 4) } else { Vec3::ZERO };
    let inverse_inertia = b.rod_rest[(REST * k + 3) as usize].xyz();
    b.turns.set(k, turned(b.turns.get(k).xyz(), torque, inverse_inertia).with_w(R::ZERO));
    if i == j {
        return;
    }
    let next = if flags & JOINT != 0 { work(k + 1, 2) } else { Vec3::ZERO };
    let w = |particle: u32| b.positions[particle as usize].w;
    b.offsets.set(j, moved(b.offsets.get(j), work(k, 2) - next, w(j)));
    if flags & FIRST != 0 {
        b.offsets.set(i, moved(b.offsets.get(i), -work(k, 2), w(i)));
    }
}

/// As [`gather_rods`], line by line, for several frames.
#[inline(always)]
fn gather_rods_lanes<L: Lanes>(b: &Bindings<f32>, id: u32) {
    let k = b.launch.first + id;
    let records = &b.rod_segments[k as usize..k as usize + L::COUNT];
    let record = |lane: usize| records[lane];
    let has_before = |lane: usize| record(lane)[3] > 0;
    let has_joint = |lane: usize| record(lane)[2] & JOINT != 0;
    let is_first = |lane: usize| record(lane)[2] & FIRST != 0;
    let is_segment = |lane: usize| record(lane)[0] != record(lane)[1];
    // Within a rod every frame has neighbours and the particles follow each other.
    let [_, end, ..] = record(0);
    let inside = (0..L::COUNT).all(|lane| {
        let is_next = record(lane)[1] == end.wrapping_add(lane as u32);
        has_before(lane) && has_joint(lane) && is_segment(lane) && is_next
    });
    let yes = L::ZERO.below(L::ONE);
    let [befores, joints, segments] = match inside {
        true => [yes; 3],
        false => [L::mask(has_before), L::mask(has_joint), L::mask(is_segment)],
    };
    let frame = |lane: usize| k + lane as u32;
    let works = b.rod_work.len();
    let lane_before = |lane: usize| WORK * (frame(lane) - u32::from(has_before(lane))) + 4;
    let lane_next = |lane: usize| WORK * (frame(lane) + u32::from(has_joint(lane))) + 2;
    let before = Spread::new::<L>(inside, [lane_before(0), WORK], works, lane_before);
    let next = Spread::new::<L>(inside, [lane_next(0), WORK], works, lane_next);
    let j = Spread::new::<L>(inside, [end, 1], b.positions.len(), |lane| record(lane)[1]);
    let own: Vec3<L> = L::strided(b.rod_work, WORK * k + 3, WORK).xyz();
    let torque = own + Vec3::select(befores, L::spread(b.rod_work, &before).xyz(), Vec3::ZERO);
    let inverse_inertia = L::strided(b.rod_rest, REST * k + 3, REST).xyz();
    let turned = turned(b.turns.load_vectors(k, 1).xyz(), torque, inverse_inertia);
    b.turns.store_vectors(k, 1, turned.with_w(L::ZERO));
    let push = L::strided(b.rod_work, WORK * k + 2, WORK).xyz();
    let far = push - Vec3::select(joints, L::spread(b.rod_work, &next).xyz(), Vec3::ZERO);
    let there: Vec4<L> = moved(b.offsets.load_spread(&j), far, L::spread(b.positions, &j).w);
    b.offsets.store_spread(&j, there, segments);
    if (0..L::COUNT).any(is_first) {
        let i = Places::new::<L>(b.positions.len(), |lane| record(lane)[0]);
        let here: Vec4<L> = moved(b.offsets.gather(&i), -push, L::gather(b.positions, &i).w);
        b.offsets.scatter(&i, here, L::mask(is_first));
    }
}

#[inline(always)]
fn turned<L: Lane>(g: Vec3<L>, torque: Vec3<L>, inverse_inertia: Vec3<L>) -> Vec3<L> {
    turn::compose(g, torque.scaled(inverse_inertia) * L::constant(0.5))
}

#[inline(always)]
fn moved<L: Lane>(offset: Vec4<L>, push: Vec3<L>, w: L) -> Vec4<L> {
    (offset.xyz() + push * w).with_w(offset.w)
}
