//! The second half of a Jacobi iteration of the strain limits: the mean of a particle's corrections, over-relaxed.
//!
//!   o ← o + ω/n Σ Δx        ω = `launch.weight`

use crate::math::{Real, Vec3};

crate::kernel! {
    "cloth/limit_gather" => limit_gather per Invocation {
        read corner_starts: uint,        // where each particle's slots begin, and one end
        read corner_slots: uint,         // corners; those of triangles are below `launch.base`
        read limit_active: uint,        // 1 for a triangle beyond its limits
        read limit_shares: uint,        // violated triangles at each particle
        read limit_corrections: real4,  // xyz [m], one per corner
        read limit_violations: uint,    // by iteration
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        write offsets: real4,           // xyz [m], w = the solver's 1/mass
    }
}

#[inline(always)]
fn limit_gather<R: Real>(b: &Bindings<R>, i: u32) {
    let share = b.limit_shares[i as usize];
    let fixed = b.positions[i as usize].w == R::ZERO;
    if share == 0 || fixed || b.limit_violations[b.launch.index as usize] == 0 {
        return;
    }
    let mut sum = Vec3::ZERO;
    for s in b.corner_starts[i as usize]..b.corner_starts[i as usize + 1] {
        let slot = b.corner_slots[s as usize];
        if slot < b.launch.base && b.limit_active[slot as usize / 3] != 0 {
            sum += b.limit_corrections[slot as usize].xyz();
        }
    }
    let offset = b.offsets.get(i);
    let change = sum * (b.launch.weight / R::of(f64::from(share)));
    b.offsets.set(i, (offset.xyz() + change).with_w(offset.w));
}
