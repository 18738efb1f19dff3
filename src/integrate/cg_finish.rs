//! The solved change of velocity changes the way of each particle in this substep: o ← o + τ Δv.

use crate::math::Real;

crate::kernel! {
    "integrate/cg_finish" => cg_finish per Invocation {
        read cg_changes: real4,         // Δv, xyz [m/s]
        write offsets: real4,           // xyz [m], w = the solver's 1/mass
    }
}

#[inline(always)]
fn cg_finish<R: Real>(b: &Bindings<R>, i: u32) {
    let offset = b.offsets.get(i);
    let change = b.cg_changes[i as usize].xyz() * (b.launch.weight * b.launch.dt);
    b.offsets.set(i, (offset.xyz() + change).with_w(offset.w));
}
