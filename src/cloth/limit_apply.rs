//! The impulses at a particle's corners change its way: o ← o + w Σ Δp.
//!
//! Of iteration `launch.index`, if the one before it has found something to do.

use crate::math::{Real, Vec3};

crate::kernel! {
    "cloth/limit_apply" => limit_apply per Invocation {
        read corner_starts: uint,        // where each particle's slots begin, and one end
        read corner_slots: uint,         // corners; those of triangles are below `launch.base`
        read limit_corrections: real4,  // xyz [kg m], one per corner
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        write offsets: real4,           // xyz [m], w = the solver's 1/mass
    }
}

#[inline(always)]
fn limit_apply<R: Real>(b: &Bindings<R>, i: u32) {
    let w = b.positions[i as usize].w;
    if w == R::ZERO {
        return;
    }
    let mut sum = Vec3::ZERO;
    for s in b.corner_starts[i as usize]..b.corner_starts[i as usize + 1] {
        let slot = b.corner_slots[s as usize];
        if slot < b.launch.base {
            sum += b.limit_corrections[slot as usize].xyz();
        }
    }
    let offset = b.offsets.get(i);
    b.offsets.set(i, (offset.xyz() + sum * w).with_w(offset.w));
}
