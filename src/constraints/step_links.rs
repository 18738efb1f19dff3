//! The links of strips or seams in one of several substeps of one iteration, which nothing else touches, and what is between
//! substeps, for the particles that belong to each walk: `predict`, [`super::walk_links`] and `finish` with their bits. See
//! [`super::link_window`].

use super::link_walks::ABREAST;
use super::link_window::{Ground, Nothing};
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
        write offsets: real4,       // xyz [m], w = the solver's 1/mass
        write clock: uint,          // substeps done
    }
}

/// `launch.first` is the first walk.
#[inline(always)]
fn step_links<R: Real>(b: &Bindings<R>, id: u32) {
    let [cell, rounds, first, count] = b.link_walks[(b.launch.first + id) as usize];
    let own = || (0..count).map(|t| b.link_nodes[(first + ABREAST as u32 * t) as usize]);
    let has = |flags: u32| b.launch.flags & flags != 0;
    let (dt, gravity, factors) = (b.world.dt, b.world.gravity.xyz(), [b.world.dt, b.world.keep]);
    if has(START) {
        for i in own() {
            let w = b.positions.get(i).w;
            let v = predict::advance(b.velocities.get(i), w, gravity, factors);
            b.offsets.set(i, predict::offset(b.residuals.get(i), v, w, dt));
        }
    }
    let ground = Ground { world: *b.world, nodes: b.link_nodes, rests: b.link_rests, offsets: b.offsets };
    ground.walk([cell, rounds], |particle| b.positions.get(particle), &Nothing);
    if !has(GO_ON | END) {
        return;
    }
    if id == 0 {
        b.clock.set(0, b.clock.get(0).wrapping_add(1));
    }
    for i in own() {
        let offset = b.offsets.get(i).xyz();
        let (x, residual, v) = finish::finished(b.positions.get(i), b.residuals.get(i), offset, dt);
        b.positions.set(i, x);
        b.residuals.set(i, residual);
        if has(GO_ON) {
            let v = predict::advance(v.with_w(R::ZERO), x.w, gravity, factors);
            b.offsets.set(i, predict::offset(residual, v, x.w, dt));
        } else {
            b.velocities.set(i, v.with_w(R::ZERO));
        }
    }
}
