//! The links of strips or seams in one of several substeps of one iteration, which nothing else touches, and what is between
//! substeps, for the particles that belong to each walk. See [`super::link_window`].
//!
//!   o' = o + keep (o − r) + dt² g
//!
//! That is `finish` and `predict`. Positions stay where they are for a few substeps: what `finish` would add to them stays in
//! the offsets, of which there are two halves that take turns. Where a substep began, r, is then what the other half holds:
//! per particle one vector is stored between substeps, not four. The first pass begins with `predict`, the last ends with
//! `finish`.

use super::link_walks::ABREAST;
use super::link_window::{Ground, Nothing};
use super::step_jacobi::onward;
use crate::math::Real;
use crate::particles::{World, finish, predict};

/// The flag of a pass with which the first substep begins.
pub const START: u32 = 1;
/// The flag of a pass that ends with the way to the next substep.
pub const GO_ON: u32 = 2;
/// The flag of a pass with which the last substep ends.
pub const END: u32 = 4;

crate::kernel! {
    "constraints/step_links" => step_links per Walk {
        uniform world: World,
        read link_walks: uint4,     // first cell, rounds, first own particle, how many
        read link_nodes: uint,      // the particle of each cell; those that belong to each walk
        read link_rests: real4,     // L [m], α stretched and compressed [m/N] of each span
        write positions: real4,     // xyz [m], w = 1/mass [1/kg]
        write residuals: real4,     // xyz [m], w = multiplicity
        write velocities: real4,    // xyz [m/s]
        write offsets: real4,       // xyz [m], w = the solver's 1/mass; two halves
        write clock: uint,          // substeps done
    }
}

/// `launch.first` is the first walk, `launch.base` where the offsets begin, `launch.index` the number of particles.
#[inline(always)]
fn step_links<R: Real>(b: &Bindings<R>, id: u32) {
    let [cell, rounds, first, count] = b.link_walks[(b.launch.first + id) as usize];
    let (now, next) = (b.launch.base, b.launch.index - b.launch.base);
    let own = || (0..count).map(|t| b.link_nodes[(first + ABREAST as u32 * t) as usize]);
    let has = |flags: u32| b.launch.flags & flags != 0;
    let (dt, gravity, keep) = (b.world.dt, b.world.gravity.xyz(), b.world.keep);
    if has(START) {
        for i in own() {
            let (w, residual) = (b.positions.get(i).w, b.residuals.get(i));
            let v = predict::advance(b.velocities.get(i), w, gravity, [dt, keep]);
            b.offsets.set(next + i, residual.xyz().with_w(w));
            b.offsets.set(now + i, (residual.xyz() + v.xyz() * dt).with_w(w));
        }
    }
    let ground =
        Ground { world: *b.world, nodes: b.link_nodes, rests: b.link_rests, offsets: b.offsets, half: now };
    ground.walk([cell, rounds], |particle| b.positions.get(particle), &Nothing);
    if id == 0 && has(GO_ON | END) {
        b.clock.set(0, b.clock.get(0).wrapping_add(1));
    }
    if has(GO_ON) {
        for i in own() {
            let (offset, before) = (b.offsets.get(now + i), b.offsets.get(next + i).xyz());
            let next_offset = onward(offset.xyz(), before, offset.w, gravity * (dt * dt), keep);
            b.offsets.set(next + i, next_offset.with_w(offset.w));
        }
    }
    if has(END) {
        for i in own() {
            let (offset, before) = (b.offsets.get(now + i).xyz(), b.offsets.get(next + i).xyz());
            let residual = b.residuals.get(i);
            let start = before.with_w(residual.w);
            let (x, residual, v) = finish::finished(b.positions.get(i), start, offset, dt);
            b.velocities.set(i, v.with_w(R::ZERO));
            b.residuals.set(i, residual);
            b.positions.set(i, x);
        }
    }
}
