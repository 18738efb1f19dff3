//! The end of a substep: velocities from the offsets, positions moved by them.
//!
//!   v = (o − r)/dt        x' = x + o        r' = o − (x' − x)
//!
//! The residual r' is what rounding kept from x (compensated summation): slow motion at many substeps is not lost.

use super::World;
use crate::math::Real;

crate::kernel! {
    "particles/finish" => finish per Invocation {
        uniform world: World,
        read offsets: real4,        // xyz [m]
        write positions: real4,     // xyz [m], w = 1/mass [1/kg]
        write residuals: real4,     // xyz [m], w = multiplicity
        write velocities: real4,    // xyz [m/s]
        write clock: uint,          // substeps done
    }
}

#[inline(always)]
fn finish<R: Real>(b: &Bindings<R>, i: u32) {
    if i == 0 {
        b.clock.set(0, b.clock.get(0).wrapping_add(1));
    }
    let offset = b.offsets[i as usize].xyz();
    let residual = b.residuals.get(i);
    let x = b.positions.get(i);
    let moved = x.xyz() + offset;
    b.velocities.set(i, ((offset - residual.xyz()) / b.world.dt).with_w(R::ZERO));
    b.residuals.set(i, (offset - (moved - x.xyz())).with_w(residual.w));
    b.positions.set(i, moved.with_w(x.w));
}
