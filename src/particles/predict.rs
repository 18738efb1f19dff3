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
use crate::math::{Real, Vec3};

crate::kernel! {
    "particles/predict" => predict per Invocation {
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
    let residual = b.residuals[i as usize];
    let mut v = b.velocities.get(i);
    if w > R::ZERO {
        v = advance(v.xyz(), b.world).with_w(v.w);
    }
    b.velocities.set(i, v);
    b.offsets.set(i, (residual.xyz() + v.xyz() * b.world.dt).with_w(residual.w * w));
}

/// The velocity after a substep of gravity and damping.
#[inline(always)]
fn advance<R: Real>(v: Vec3<R>, world: &World<R>) -> Vec3<R> {
    v * world.keep + world.gravity.xyz() * world.dt
}
