//! A Jacobi iteration that is all of a substep, and the way to the next: [`super::distance_jacobi`], `finish` and `predict`
//! with their bits.
//!
//! Neighbours still look at positions while others have theirs already: there are two buffers of them, which take turns like
//! those of the offsets.

use super::jacobi_links::{Forgotten, Neighbourhood};
use crate::math::{Lanes, Real, Vec3, Vec4};
use crate::particles::{World, finish, predict};

crate::kernel! {
    "constraints/step_jacobi" => step_jacobi, lanes step_jacobi_lanes, per Invocation {
        uniform world: World,
        read distance_starts: uint,       // where each slice's cells begin, and one end
        read distance_slots: uint4,       // four j
        read distance_rest: real4,        // four L [m]; four α stretched, four compressed [m/N]
        read positions: real4,            // xyz [m], w = 1/mass [1/kg]
        write positions_next: real4,      // at the end of the substep
        read offsets: real4,              // xyz [m], w = the solver's 1/mass
        write offsets_next: real4,        // of the next substep
        write residuals: real4,           // xyz [m], w = multiplicity
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
}

#[inline(always)]
fn step_jacobi<R: Real>(b: &Bindings<R>, i: u32) {
    let sum = b.neighbourhood().sum(i, &Forgotten);
    let (xi, oi) = (b.positions[i as usize], b.offsets[i as usize]);
    let offset = oi.xyz() + sum * xi.w;
    let (x, residual, v) = finish::finished(xi, b.residuals.get(i), offset, b.world.dt);
    let v = predict::advance(v.with_w(R::ZERO), x.w, b.world.gravity.xyz(), [b.world.dt, b.world.keep]);
    b.positions_next.set(i, x);
    b.residuals.set(i, residual);
    b.offsets_next.set(i, predict::offset(residual, v, x.w, b.world.dt));
}

/// As [`step_jacobi`], line by line, for several neighbouring particles of a slice.
#[inline(always)]
fn step_jacobi_lanes<L: Lanes>(b: &Bindings<f32>, i: u32) {
    let neighbourhood = b.neighbourhood();
    let [xi, oi] = neighbourhood.own::<L>(i);
    let sum = neighbourhood.sum_lanes(i, [xi, oi], &Forgotten);
    let offset = oi.xyz() + sum * xi.w;
    let dt = L::splat(b.world.dt);
    let residual: Vec4<L> = b.residuals.load_vectors(i, 1);
    let (x, residual, v) = finish::finished(xi, residual, offset, dt);
    let g = b.world.gravity;
    let gravity = Vec3::new(L::splat(g.x), L::splat(g.y), L::splat(g.z));
    let v = predict::advance(v.with_w(L::ZERO), x.w, gravity, [dt, L::splat(b.world.keep)]);
    b.positions_next.store_vectors(i, 1, x);
    b.residuals.store_vectors(i, 1, residual);
    b.offsets_next.store_vectors(i, 1, predict::offset(residual, v, x.w, dt));
}
