//! What inertia adds to the forces where a step of Newton's method begins: −m (o − ô)/τ².
//!
//! The first step begins with o = ô for this purpose: conjugate gradients start from where inertia alone leads.

use super::AGAIN;
use crate::math::{Real, Vec3};

crate::kernel! {
    "integrate/inertia" => inertia per Invocation {
        read inertial_rows: uint,       // particles
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read inertial: real4,           // ô, xyz [m]; w = share of the mass
        read newton_starts: real4,      // o, xyz [m]
        write corner_forces: real4,     // xyz [N]
    }
}

#[inline(always)]
fn inertia<R: Real>(b: &Bindings<R>, id: u32) {
    let i = b.inertial_rows[id as usize] as usize;
    let w = b.positions[i].w;
    let mut force = Vec3::ZERO;
    if b.launch.flags & AGAIN != 0 && w > R::ZERO {
        let tau = b.launch.weight * b.launch.dt;
        force = (b.inertial[i].xyz() - b.newton_starts[i].xyz()) * (b.inertial[i].w / (w * tau * tau));
    }
    b.corner_forces.set(b.launch.base + id, force.with_w(R::ZERO));
}
