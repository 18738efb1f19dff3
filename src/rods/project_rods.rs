//! What every segment and joint asks for in one Jacobi iteration; [`super::gather_rods`] adds it up.
//!
//! The laws are those of [`super::stretch_shear`] and [`super::bend_twist`]. All of them look at the same state, so each may
//! use only its share of the masses: a particle's is split between two segments, a frame's inertia between a segment and
//! two joints. The corrections then use the whole masses, which keeps momentum (Tonge, Benevolenski, Voroshilov 2012).

use super::{JOINT, REST, WORK, bend_twist, strain, stretch_shear, turn};
use crate::math::{Real, Vec3};
use crate::particles::World;

/// Segments that share a particle, and constraints that share a frame.
const PARTICLE_SHARES: f64 = 2.0;
const FRAME_SHARES: f64 = 3.0;

crate::kernel! {
    "rods/project_rods" => project_rods per Invocation {
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

#[inline(always)]
fn project_rods<R: Real>(b: &Bindings<R>, id: u32) {
    let k = b.launch.first + id;
    let w = WORK * k;
    let rest = |frame: u32, vector: u32| b.rod_rest[(REST * frame + vector) as usize];
    let lambda = |which: u32| {
        if b.launch.index > 0 { b.rod_work.get(w + which).xyz() } else { Vec3::ZERO }
    };
    let per_dt2 = R::ONE / (b.world.dt * b.world.dt);
    let shares = R::of(FRAME_SHARES);
    let [i, j, flags, _] = b.rod_segments[k as usize];
    let (xi, xj) = (b.positions[i as usize], b.positions[j as usize]);
    let d = (xj.xyz() - xi.xyz()) + (b.offsets[j as usize].xyz() - b.offsets[i as usize].xyz());
    let g = b.turns[k as usize].xyz();
    let rotation = turn::rotation(b.frames[2 * k as usize], g);
    let local = rotation.conjugate().rotate(d);
    let lengths = rest(k, 0);
    let change = stretch_shear::project(
        local,
        local - Vec3::new(R::ZERO, R::ZERO, lengths.x),
        (xi.w + xj.w) * R::of(PARTICLE_SHARES),
        rest(k, 3).xyz() * shares,
        Vec3::new(lengths.y, lengths.y, lengths.z) * per_dt2,
        lambda(0),
    ) * b.world.relaxation;
    b.rod_work.set(w, (lambda(0) + change).with_w(R::ZERO));
    b.rod_work.set(w + 2, rotation.rotate(change).with_w(R::ZERO));
    let mut own = change.cross(local);
    let mut next = Vec3::ZERO;
    if flags & JOINT != 0 {
        let turns = [g, b.turns[k as usize + 1].xyz()];
        let relative = strain::relative([b.frames[2 * k as usize], b.frames[2 * k as usize + 2]], turns);
        let inertias = [rest(k, 3).xyz() * shares, rest(k + 1, 3).xyz() * shares];
        let change =
            bend_twist::project(relative, rest(k, 1).xyz(), inertias, rest(k, 2).xyz() * per_dt2, lambda(1))
                * b.world.relaxation;
        b.rod_work.set(w + 1, (lambda(1) + change).with_w(R::ZERO));
        let p = strain::joint_gradient(relative);
        own -= p.apply(change);
        next = p.apply_transposed(change);
    }
    b.rod_work.set(w + 3, own.with_w(R::ZERO));
    b.rod_work.set(w + 4, next.with_w(R::ZERO));
}
