//! A trial of a search along a step of Newton's method: o = s + 2⁻ⁿ (e − s), n = `launch.index`, from its start s to its end e.
//!
//! The end is what has been solved, e = b + τ²/dt Δv with b where conjugate gradients have started. A body whose last trial was good stays there.

use crate::math::Real;

crate::kernel! {
    "integrate/search_trial" => search_trial per Invocation {
        read row_groups: uint,          // body of each row; u32::MAX: none
        read group_searches: uint2,     // whether the body's search has ended, halvings of all substeps
        read cg_changes: real4,         // Δv, xyz [m/s]
        read newton_starts: real4,      // s, xyz [m]
        read newton_base: real4,        // b, xyz [m]
        write offsets: real4,           // xyz [m], w = the solver's 1/mass
        write search_steps: real4,      // o − s, xyz [m]; w = 1 while the body's search goes on
    }
}

#[inline(always)]
fn search_trial<R: Real>(b: &Bindings<R>, i: u32) {
    let group = b.row_groups[i as usize];
    if group == u32::MAX {
        return;
    }
    if b.launch.index > 0 && b.group_searches[group as usize][0] != 0 {
        b.search_steps.set(i, b.search_steps.get(i).xyz().with_w(R::ZERO));
        return;
    }
    let (base, start) = (b.newton_base[i as usize].xyz(), b.newton_starts[i as usize].xyz());
    let solved = b.cg_changes[i as usize].xyz() * (b.launch.weight * b.launch.dt);
    let length = R::ONE / R::of(f64::from(1u32 << b.launch.index));
    let step = ((base - start) + solved) * length;
    // The whole step has no rounding of its start in it.
    let to = if b.launch.index > 0 { start + step } else { base + solved };
    b.search_steps.set(i, step.with_w(R::ONE));
    b.offsets.set(i, to.with_w(b.offsets.get(i).w));
}
