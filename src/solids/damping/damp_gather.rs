//! The impulses of a particle's tetrahedra change its way.

use crate::integrate::kick::gather;
use crate::math::Real;

crate::kernel! {
    "solids/damping/damp_gather" => damp_gather per Invocation {
        read damp_starts: uint,         // where each particle's corners begin, and one end
        read damp_slots: uint,          // corners
        read damp_impulses: real4,      // dt Δ(m v) of each corner [kg m]
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        write offsets: real4,           // xyz [m], w = the solver's 1/mass
    }
}

#[inline(always)]
fn damp_gather<R: Real>(b: &Bindings<R>, id: u32) {
    let i = b.launch.first + id;
    let impulse = gather(b.damp_starts, b.damp_slots, b.damp_impulses, i);
    let offset = b.offsets.get(i);
    b.offsets.set(i, (offset.xyz() + impulse * b.positions[i as usize].w).with_w(offset.w));
}
