//! Semi-implicit prediction: velocities first, then where they lead.
//!
//!   v ← keep · v + dt g        o = r + dt v
//!
//! Damping acts before gravity: after it, it would make things hang lighter than they are.
//!
//! Positions x stay fixed during a substep; the constraints work on the offsets o, the way each particle goes
//! in it. Offsets are small numbers and keep their digits, so that v = (o − r)/dt is good at any number of
//! substeps, which (x − x_previous)/dt is not: one ulp of x over dt drowns gravity beyond about 2,000 substeps
//! a second at 1 m from the origin. The residual r is what the last substep could not add to x.

use super::World;
use crate::math::{Lane, Lanes, Real, Vec3, Vec4};

crate::kernel! {
    "particles/predict" => predict, lanes predict_lanes, per Invocation {
        uniform world: World,
        read positions: real4,      // xyz [m], w = 1/mass [1/kg]
        read residuals: real4,      // xyz [m], w = multiplicity
        write velocities: real4,    // xyz [m/s]
        write offsets: real4,       // xyz [m], w = the solver's 1/mass
    }
}

#[inline(always)]
fn predict<R: Real>(b: &Bindings<R>, i: u32) {
    let w = b.positions[i as usize].w;
    let gravity = b.world.gravity.xyz();
    let v = advance(b.velocities.get(i), w, gravity, [b.launch.dt, b.world.keep]);
    b.velocities.set(i, v);
    b.offsets.set(i, offset(b.residuals[i as usize], v, w, b.launch.dt));
}

/// As [`predict`], line by line, for several particles.
#[inline(always)]
fn predict_lanes<L: Lanes>(b: &Bindings<f32>, i: u32) {
    let w = L::strided(b.positions, i, 1).w;
    let g = b.world.gravity;
    let gravity = Vec3::new(L::splat(g.x), L::splat(g.y), L::splat(g.z));
    let dt = L::splat(b.launch.dt);
    let v = advance(b.velocities.load_vectors(i, 1), w, gravity, [dt, L::splat(b.world.keep)]);
    b.velocities.store_vectors(i, 1, v);
    b.offsets.store_vectors(i, 1, offset(L::strided(b.residuals, i, 1), v, w, dt));
}

/// The velocity after a substep of gravity and damping; held particles keep theirs.
#[inline(always)]
pub(crate) fn advance<L: Lane>(v: Vec4<L>, w: L, gravity: Vec3<L>, [dt, keep]: [L; 2]) -> Vec4<L> {
    let free = w.above(L::ZERO);
    let next = v.xyz() * keep + gravity * dt;
    Vec3::select(free, next, v.xyz()).with_w(v.w)
}

#[inline(always)]
pub(crate) fn offset<L: Lane>(residual: Vec4<L>, v: Vec4<L>, w: L, dt: L) -> Vec4<L> {
    (residual.xyz() + v.xyz() * dt).with_w(residual.w * w)
}
