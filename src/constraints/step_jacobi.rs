//! A Jacobi iteration that is all of a substep, and the way to the next: [`super::distance_jacobi`], `finish` and `predict`.
//!
//!   o' = o + w Σ n Δλ        o'' = o' + keep (o' − r) + dt² g
//!
//! As in [`super::step_links`], positions stay where they are for a few substeps. Where the next one begins, r = o', is kept in
//! `residuals`, where `finish` expects it after the last.

use super::jacobi_links::{Forgotten, Neighbourhood};
use crate::math::{Lane, Lanes, Real, Vec3, Vec4};
use crate::particles::World;

crate::kernel! {
    "constraints/step_jacobi" => step_jacobi, lanes step_jacobi_lanes, per Invocation {
        uniform world: World,
        read distance_starts: uint,       // where each slice's cells begin, and one end
        read distance_slots: uint4,       // four j
        read distance_rest: real4,        // four L [m]; four α stretched, four compressed [m/N]
        read positions: real4,            // xyz [m], w = 1/mass [1/kg]
        read offsets: real4,              // xyz [m], w = the solver's 1/mass
        write offsets_next: real4,        // of the next substep
        write residuals: real4,           // where the substep began, xyz [m], w = multiplicity
        write clock: uint,                // substeps done
    }
}

impl<R: Real> Bindings<'_, R> {
    #[inline(always)]
    fn neighbourhood(&self) -> Neighbourhood<'_, R> {
        Neighbourhood {
            world: self.world,
            starts: self.distance_starts,
            slots: self.distance_slots,
            rest: self.distance_rest,
            positions: self.positions,
            offsets: self.offsets,
        }
    }

    /// The first invocation counts the substep.
    #[inline(always)]
    fn tick(&self, i: u32) {
        if i == 0 {
            self.clock.set(0, self.clock.get(0).wrapping_add(1));
        }
    }
}

#[inline(always)]
fn step_jacobi<R: Real>(b: &Bindings<R>, i: u32) {
    b.tick(i);
    let sum = b.neighbourhood().sum(i, &Forgotten);
    let (xi, oi, residual) = (b.positions[i as usize], b.offsets[i as usize], b.residuals.get(i));
    let offset = oi.xyz() + sum * xi.w;
    let fall = b.world.gravity.xyz() * (b.world.dt * b.world.dt);
    b.residuals.set(i, offset.with_w(residual.w));
    b.offsets_next.set(i, onward(offset, residual.xyz(), xi.w, fall, b.world.keep).with_w(oi.w));
}

/// As [`step_jacobi`], line by line, for several neighbouring particles of a slice.
#[inline(always)]
fn step_jacobi_lanes<L: Lanes>(b: &Bindings<f32>, i: u32) {
    b.tick(i);
    let neighbourhood = b.neighbourhood();
    let [xi, oi] = neighbourhood.own::<L>(i);
    let sum = neighbourhood.sum_lanes(i, [xi, oi], &Forgotten);
    let residual: Vec4<L> = b.residuals.load_vectors(i, 1);
    let offset = oi.xyz() + sum * xi.w;
    let fall = b.world.gravity.xyz() * (b.world.dt * b.world.dt);
    let fall = Vec3::new(L::splat(fall.x), L::splat(fall.y), L::splat(fall.z));
    let next = onward(offset, residual.xyz(), xi.w, fall, L::splat(b.world.keep));
    b.residuals.store_vectors(i, 1, offset.with_w(residual.w));
    b.offsets_next.store_vectors(i, 1, next.with_w(oi.w));
}

/// Where a particle that a substep has brought from r to o heads in the next; held ones keep their velocity.
#[inline(always)]
pub(super) fn onward<L: Lane>(o: Vec3<L>, r: Vec3<L>, w: L, fall: Vec3<L>, keep: L) -> Vec3<L> {
    let way = o - r;
    o + Vec3::select(w.above(L::ZERO), way * keep + fall, way)
}
