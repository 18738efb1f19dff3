//! Conjugate gradients from Δv = 0: the residual is the right side, the first direction its preconditioned form.
//!
//!   r = dt Σ f + κ dt m g        z = B r        p = z
//!
//! κ = `launch.weight` is 0 where the offsets have gravity already, and 1 in statics, where the matrix has no mass that
//! would carry it.
//!
//! Particles that cannot move have B = 0: their direction stays zero and with it their Δv.

use super::cg_block::multiply;
use super::kick::gather;
use crate::math::Real;
use crate::particles::World;

crate::kernel! {
    "integrate/cg_start" => cg_start per Invocation {
        uniform world: World,
        read corner_starts: uint,        // where each particle's slots begin, and one end
        read corner_slots: uint,         // places in `corner_forces`
        read corner_forces: real4,      // xyz [N]
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read cg_blocks: real4,          // xx, yy, zz; xy, yz, zx [1/kg], two per particle
        write cg_residuals: real4,      // xyz [N s]
        write cg_preconditioned: real4, // xyz [m/s]
        write cg_directions: real4,     // xyz [m/s]
    }
}

#[inline(always)]
fn cg_start<R: Real>(b: &Bindings<R>, i: u32) {
    let mut force = gather(b.corner_starts, b.corner_slots, b.corner_forces, i);
    let w = b.positions[i as usize].w;
    if b.launch.weight > R::ZERO && w > R::ZERO {
        force += b.world.gravity.xyz() * (b.launch.weight / w);
    }
    let r = force * b.launch.dt;
    let block = [b.cg_blocks[2 * i as usize].xyz(), b.cg_blocks[2 * i as usize + 1].xyz()];
    let z = multiply(block, r).with_w(R::ZERO);
    b.cg_residuals.set(i, r.with_w(R::ZERO));
    b.cg_preconditioned.set(i, z);
    b.cg_directions.set(i, z);
}
