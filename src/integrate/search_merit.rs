//! How the incremental potential of a particle differs between the start s of a search and its trial o.
//!
//!   Φ(o) = ½ m |o − ô|² + τ² (U − κ m g·o)        ΔΦ = m (o − s)·(½ (o + s) − ô) + τ² (ΔU − κ m g·(o − s))
//!
//! Its minimum is the solution of the implicit step. κ is 1 in statics, where no velocity has gravity yet, and 0 otherwise.

use super::postpone::is_free;
use crate::math::Real;
use crate::particles::World;

/// The flag of statics.
pub const WEIGHS: u32 = 1;

crate::kernel! {
    "integrate/search_merit" => search_merit per Invocation {
        uniform world: World,
        read corner_starts: uint,       // where each particle's slots begin, and one end
        read corner_slots: uint,        // places in `corner_energies`
        read corner_energies: real,     // ΔU [J]
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read inertial: real4,           // ô, xyz [m]; w = share of the mass
        read newton_starts: real4,      // s, xyz [m]
        read search_steps: real4,       // o − s, xyz [m]; w = 1 while the body's search goes on
        write merits: real,             // ΔΦ [kg m²]
    }
}

#[inline(always)]
fn search_merit<R: Real>(b: &Bindings<R>, i: u32) {
    let step = b.search_steps[i as usize];
    if step.w == R::ZERO {
        return;
    }
    let w = b.positions[i as usize].w;
    let tau = b.launch.weight * b.launch.dt;
    let mut elastic = R::ZERO;
    for s in b.corner_starts[i as usize]..b.corner_starts[i as usize + 1] {
        elastic += b.corner_energies[b.corner_slots[s as usize] as usize];
    }
    let mut merit = tau * tau * elastic;
    if is_free(b.corner_starts, w, i) {
        let (inertial, step) = (b.inertial[i as usize], step.xyz());
        let lever = (b.newton_starts[i as usize].xyz() - inertial.xyz()) + step * R::of(0.5);
        merit += inertial.w / w * step.dot(lever);
        if b.launch.flags & WEIGHS != 0 {
            merit -= tau * tau / w * step.dot(b.world.gravity.xyz());
        }
    }
    b.merits.set(i, merit);
}
