//! What a load does along a step of Newton's method: −f·Δ.

use crate::math::Real;

crate::kernel! {
    "solids/load_energy" => load_energy per Invocation {
        read load_forces: real4,        // xyz [N]
        read loaded: uint,              // particles
        read search_steps: real4,       // the step, xyz [m]; w = 1 while the body's search goes on
        write corner_energies: real,    // [J]
    }
}

#[inline(always)]
fn load_energy<R: Real>(b: &Bindings<R>, id: u32) {
    let p = b.loaded[id as usize] as usize;
    if b.search_steps[p].w == R::ZERO {
        return;
    }
    let work = b.load_forces[id as usize].xyz().dot(b.search_steps[p].xyz());
    b.corner_energies.set(b.launch.base + id, -work);
}
