//! Backward differentiation of second order, before forces act: where inertia alone leads.
//!
//!   o = r + ⅓ d + γ (4 v_n − v_{n−1})/3 + γ² a        γ = ⅔ dt
//!
//! d is the way of the last substep and a what gravity, wind and damping do, which have changed the velocity already. The implicit solve then finds
//! M (o − ô) = γ² f(x + o).
//!
//! A particle without a past (the first substep, a substep of another length, a pin that has let go, a contact in the last substep) takes a step of
//! backward Euler among the others, M (o − ô) = dt² f: with 4/9 of its mass that is the same equation.

use super::postpone::is_free;
use crate::math::Real;
use crate::particles::World;

/// γ over dt.
pub const SHARE: f64 = 2.0 / 3.0;
/// Rows of `histories` of a particle.
pub const PAST: u32 = 3;

crate::kernel! {
    "integrate/two_step" => two_step per Invocation {
        uniform world: World,
        read corner_starts: uint,       // where each particle's slots begin, and one end
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read residuals: real4,          // xyz [m]
        read velocities: real4,         // xyz [m/s]
        write histories: real4,         // v_n [m/s] and dt [s], 0 without a past; v_{n−1} [m/s]; d [m]
        write offsets: real4,           // xyz [m], w = the solver's 1/mass
        write inertial: real4,          // xyz [m], w = share of the mass
    }
}

#[inline(always)]
fn two_step<R: Real>(b: &Bindings<R>, i: u32) {
    let mut mass = R::ONE;
    if is_free(b.corner_starts, b.positions[i as usize].w, i) {
        let (dt, v) = (b.launch.dt, b.velocities[i as usize].xyz());
        let now = b.histories.get(PAST * i);
        if now.w == dt {
            let gamma = R::of(SHARE) * dt;
            let (before, way) = (b.histories.get(PAST * i + 1).xyz(), b.histories.get(PAST * i + 2).xyz());
            let third = R::of(1.0 / 3.0);
            let mean = now.xyz() + (now.xyz() - before) * third;
            let forced = (v - now.xyz()) * R::of(SHARE);
            let to = b.residuals[i as usize].xyz() + way * third + (mean + forced) * gamma;
            b.offsets.set(i, to.with_w(b.offsets.get(i).w));
        } else {
            mass = R::of(SHARE * SHARE);
            // What `predict` has made of it is undone.
            let before = (v - b.world.gravity.xyz() * dt) / b.world.keep;
            b.histories.set(PAST * i, before.with_w(R::ZERO));
        }
    }
    b.inertial.set(i, b.inertial.get(i).xyz().with_w(mass));
}
