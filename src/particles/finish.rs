//! The end of a substep: velocities from the offsets, positions moved by them.
//!
//!   v = (o − r)/dt        x' = x + o        r' = o − (x' − x)
//!
//! The residual r' is what rounding kept from x (compensated summation): slow motion at many substeps is not lost.

use crate::math::{Lane, Lanes, Real, Vec3, Vec4};

crate::kernel! {
    "particles/finish" => finish, lanes finish_lanes, per Invocation {
        read offsets: real4,        // xyz [m]
        write positions: real4,     // xyz [m], w = 1/mass [1/kg]
        write residuals: real4,     // xyz [m], w = multiplicity
        write velocities: real4,    // xyz [m/s]
        write clock: uint,          // substeps done
    }
}

#[inline(always)]
fn finish<R: Real>(b: &Bindings<R>, i: u32) {
    tick(b, i);
    let offset = b.offsets[i as usize].xyz();
    let (x, residual, v) = finished(b.positions.get(i), b.residuals.get(i), offset, b.launch.dt);
    b.velocities.set(i, v.with_w(R::ZERO));
    b.residuals.set(i, residual);
    b.positions.set(i, x);
}

/// As [`finish`], line by line, for several particles.
#[inline(always)]
fn finish_lanes<L: Lanes>(b: &Bindings<f32>, i: u32) {
    tick(b, i);
    let offset = L::strided(b.offsets, i, 1).xyz();
    let (x, residual): (Vec4<L>, Vec4<L>) = (b.positions.load_vectors(i, 1), b.residuals.load_vectors(i, 1));
    let (x, residual, v) = finished(x, residual, offset, L::splat(b.launch.dt));
    b.velocities.store_vectors(i, 1, v.with_w(L::ZERO));
    b.residuals.store_vectors(i, 1, residual);
    b.positions.store_vectors(i, 1, x);
}

/// The first invocation advances the clock by one substep.
#[inline(always)]
fn tick<R: Real>(b: &Bindings<R>, i: u32) {
    if i == 0 {
        b.clock.set(0, b.clock.get(0).wrapping_add(1));
    }
}

/// x', r' and v.
#[inline(always)]
pub(crate) fn finished<L: Lane>(
    x: Vec4<L>,
    residual: Vec4<L>,
    offset: Vec3<L>,
    dt: L,
) -> (Vec4<L>, Vec4<L>, Vec3<L>) {
    let moved = x.xyz() + offset;
    let rest = offset - (moved - x.xyz());
    (moved.with_w(x.w), rest.with_w(residual.w), (offset - residual.xyz()) / dt)
}
