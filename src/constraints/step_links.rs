//! The links of strips or seams in one of several substeps of one iteration, which nothing else touches, and the way to the
//! next: `finish` and `predict` for the particles that belong to each walk. See [`super::link_window`].
//!
//!   o' = o + keep (o − r) + dt² g
//!
//! Positions stay where they are for a few substeps: what `finish` would add to them stays in the offsets, whose two buffers
//! take turns. Where a substep began, r, is then what the other one holds: per particle one vector is stored, not four.

use super::link_walks::ABREAST;
use super::link_window::Ground;
use super::step_jacobi::onward;
use crate::math::{Real, Vec3, Vec4};
use crate::particles::World;

/// The flag of a pass that ends with the way to the next substep.
pub const GO_ON: u32 = 1;
/// The flag of such a pass of the first one, before which only `predict` has been.
pub const FIRST: u32 = 2;
/// The flag of a pass after which only `finish` follows.
pub const END: u32 = 4;

crate::kernel! {
    "constraints/step_links" => step_links per Walk {
        uniform world: World,
        read link_walks: uint4,     // first cell, rounds, first own particle, how many
        read link_nodes: uint,      // the particle of each cell; those that belong to each walk
        read link_rests: real4,     // four L [m]; four α stretched, four compressed [m/N]
        read positions: real4,      // xyz [m], w = 1/mass [1/kg]
        write residuals: real4,     // xyz [m], w = multiplicity
        write offsets: real4,       // xyz [m], w = the solver's 1/mass
        write offsets_next: real4,  // of the substep before, then of the next
        write clock: uint,          // substeps done
    }
}

/// `launch.first` is the first walk.
#[inline(always)]
fn step_links<R: Real>(b: &Bindings<R>, id: u32) {
    let [cell, rounds, first, count] = b.link_walks[(b.launch.first + id) as usize];
    let ground = Ground {
        world: *b.world,
        nodes: b.link_nodes,
        rests: b.link_rests,
        positions: b.positions,
        offsets: b.offsets,
    };
    ground.walk([cell, rounds], |_| Vec4::ZERO, |_, _| ());
    let flags = b.launch.flags;
    if flags == 0 {
        return;
    }
    let [goes_on, is_first] = [GO_ON, FIRST].map(|flag| flags & flag != 0);
    if id == 0 && goes_on {
        b.clock.set(0, b.clock.get(0).wrapping_add(1));
    }
    for t in 0..count {
        let i = b.link_nodes[(first + ABREAST as u32 * t) as usize];
        let (residual, before) = (b.residuals.get(i), b.offsets_next.get(i));
        if goes_on {
            let w = b.positions[i as usize].w;
            let offset = b.offsets.get(i).xyz();
            let start = Vec3::select(is_first, residual.xyz(), before.xyz());
            let fall = b.world.gravity.xyz() * (b.world.dt * b.world.dt);
            let next = onward(offset, start, w, fall, b.world.keep);
            b.offsets_next.set(i, next.with_w(w));
        } else {
            b.residuals.set(i, before.xyz().with_w(residual.w));
        }
    }
}
