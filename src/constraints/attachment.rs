//! Attachment of a particle to a point that may move, XPBD.
//!
//!   C = x − p        Δλ = −(C + α̃ λ) / (W + α̃)        Δx = w Δλ
//!
//! C and λ are vectors solved as one block: a spring of rest length zero and stiffness 1/α that pulls the same
//! in all directions. `pin` has put the point p into `pin_targets`; a released pin does nothing.
//!
//! Of a pin that holds along some axes of the world alone, C has no others.
//!
//! A pass runs over the compliant part of the pin list, so `launch.first` need not be 0; λ is indexed by the pin
//! and Jacobi's slots, one per pin, by the number in the pass. Two pins of one particle belong into two passes,
//! except in Jacobi.

use super::iterate::{Corner, apply, gain, keep_vectors, vector_lambdas};
use crate::math::{Real, Vec3};
use crate::particles::World;

crate::kernel! {
    "constraints/attachment" => attachment per Invocation {
        uniform world: World,
        read pins: uint4,                  // particle, track, flags, axes
        read pin_rest: real4,              // anchor [m], 1/mass; release [s], α [m/N]
        read pin_targets: real4,           // xyz [m], w = 1 while it holds
        write attachment_lambdas: real4,   // λ, the one before [N s²], two per pin
        read positions: real4,             // xyz [m], w = 1/mass [1/kg]
        write offsets: real4,              // xyz [m], w = the solver's 1/mass
        write corrections: real4,          // xyz [m]
    }
}

#[inline(always)]
fn attachment<R: Real>(b: &Bindings<R>, id: u32) {
    let k = b.launch.first + id;
    let corner = Corner::load(b.positions, b.offsets, b.pins[k as usize][0]);
    let target = b.pin_targets[k as usize];
    let c = corner.relative_to(target.xyz());

    let tilde = b.pin_rest[2 * k as usize + 1].y / (b.launch.dt * b.launch.dt);
    let lambdas = vector_lambdas(&b.launch, b.attachment_lambdas, k);
    let gain = b.world.relaxation * gain(target.w * corner.solver_weight(), tilde);
    let held = |axis: u32| R::select(b.pins[k as usize][3] >> axis & 1 != 0, R::ONE, R::ZERO);
    let dl = (-(c + lambdas[0] * tilde) * gain).scaled(Vec3::new(held(0), held(1), held(2)));
    keep_vectors(&b.launch, b.attachment_lambdas, k, lambdas, dl);
    apply(&b.launch, id, [corner], [dl], b.offsets, b.corrections);
}
