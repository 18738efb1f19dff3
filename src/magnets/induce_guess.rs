//! The solve begins with the magnetisation that the substep before has left: r ← x.

use super::induction::RECORDS;
use crate::math::Real;

crate::kernel! {
    "magnets/induce_guess" => induce_guess per Invocation {
        read induced_rest: real4,       // v/χ [m³], v [m³], 1/√(v c) [m^-3/2], radius [m]; grid against frame
        read magnetisations: real4,     // along the grid [A/m]
        write induced_residuals: real4, // r
    }
}

#[inline(always)]
fn induce_guess<R: Real>(b: &Bindings<R>, id: u32) {
    let x = b.magnetisations[id as usize].xyz() / b.induced_rest[RECORDS * id as usize].z;
    b.induced_residuals.set(id, x.with_w(R::ZERO));
}
