//! How many violated triangles share a particle's mass in this Jacobi iteration.

use crate::math::Real;

crate::kernel! {
    "cloth/limit_share" => limit_share per Invocation {
        read corner_starts: uint,        // where each particle's slots begin, and one end
        read corner_slots: uint,         // corners; those of triangles are below `launch.base`
        read limit_active: uint,        // 1 for a triangle beyond its limits
        write limit_shares: uint,       // violated triangles at each particle
    }
}

#[inline(always)]
fn limit_share<R: Real>(b: &Bindings<R>, i: u32) {
    let mut count = 0;
    for s in b.corner_starts[i as usize]..b.corner_starts[i as usize + 1] {
        let slot = b.corner_slots[s as usize];
        if slot < b.launch.base {
            count += b.limit_active[slot as usize / 3];
        }
    }
    b.limit_shares.set(i, count);
}
