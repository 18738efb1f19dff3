//! Strain limits by impulses that are remembered: the least change of velocity that keeps every triangle within them.
//!
//!   Δo = −w Σₖ λₖ ∂Uₖ/∂x        λₖ > 0 only at the highest strain, λₖ < 0 only at the lowest
//!
//! The correction of [`super::strain_limit`] forgets what it did, so that each substep begins anew to carry the load of a
//! hanging sheet from triangle to triangle up to its pins. Here each triangle keeps the sum λ of what it did, by mode, and
//! `limit_stress` makes it one of the forces of the next substep. A load that lasts is then carried from the start, and one that has gone
//! gives its λ back: the result is the projection of the velocities on those that the limits allow, whatever the start.
//! ∂U/∂x neither moves nor turns a triangle as a whole, so both momenta stay.
//!
//! Within a triangle the three modes are solved together. Gauss–Seidel runs it colour by colour and moves the particles at
//! once. In Jacobi all triangles work at once on shares of the masses, m/n with n the triangles at the busiest corner, and
//! `limit_apply` adds them up.
//!
//! The first iteration of a substep visits all triangles, and those whose load has gone give it back. Later ones only
//! correct what is beyond the tolerance, and return at once if the iteration before found nothing to do in the body: the last of them
//! moves nothing, so that what it has found holds. Every body with limits has its fabric to itself, and counts by fabric: a load
//! that goes moves triangles by less than what counts, and whether another iteration looks at them must not depend on other bodies.

use super::strain_limit::{edges, way_back};
use super::{green, stretch};
use crate::math::{Real, Vec3};
use std::sync::atomic::Ordering;

/// The flag of a pass that leaves the corrections in slots for `limit_apply`.
pub const JACOBI: u32 = 1;

crate::kernel! {
    "cloth/limit_impulse" => limit_impulse per Invocation {
        read membrane_corners: uint4,   // three particles, fabric
        read membrane_rest: real4,      // D⁻¹ by rows [1/m]; the limits' stress [N/m]
        read strain_limits: real4,      // highest weft, warp, shear, ω; lowest
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        write offsets: real4,           // xyz [m], w = the solver's 1/mass
        write limit_impulses: real4,    // λ of weft, warp, shear [kg m²], w = n
        write limit_corrections: real4, // xyz [kg m], one per corner
        atomic limit_violations: uint,  // by iteration and fabric
    }
}

#[inline(always)]
fn limit_impulse<R: Real>(b: &Bindings<R>, id: u32) {
    let iteration = b.launch.index as usize;
    let t = b.launch.first + id;
    let [i, j, k, fabric] = b.membrane_corners[t as usize];
    let count = |iteration: usize| &b.limit_violations[iteration * b.launch.base as usize + fabric as usize];
    let jacobi = b.launch.flags & JACOBI != 0;
    let set_correction = |c: usize, change: Vec3<R>| {
        b.limit_corrections.set(3 * t + c as u32, change.with_w(R::ZERO));
    };
    if jacobi {
        (0..3).for_each(|c| set_correction(c, Vec3::ZERO));
    }
    if iteration > 0 && count(iteration - 1).load(Ordering::Relaxed) == 0 {
        return;
    }
    let rest = b.membrane_rest[2 * t as usize];
    let (high, low) = (b.strain_limits[2 * fabric as usize], b.strain_limits[2 * fabric as usize + 1]);
    let f = green::gradient(rest, edges(b.positions, |p| b.offsets.get(p), [i, j, k]));
    let memory = b.limit_impulses.get(t);
    let Some((u, r)) = stretch::polar(f) else {
        b.limit_impulses.set(t, Vec3::ZERO.with_w(memory.w));
        return;
    };
    let (d, violated) = way_back(u, high.xyz(), low.xyz(), b.launch.weight);
    if iteration > 0 && !violated {
        return;
    }
    let before = [memory.x, memory.y, memory.z];
    if d.iter().chain(&before).all(|x| *x == R::ZERO) {
        return;
    }
    let weights = [i, j, k].map(|p| b.positions[p as usize].w);
    let shares = R::select(jacobi, memory.w, R::ONE);
    let gradients = green::shape_gradients(rest).map(|n| stretch::mode_gradients(u, n));
    let split = weights.map(|w| w * shares);
    let (after, change) = stretch::impulses(&gradients, split, u, [low.xyz(), high.xyz()], before, high.w);
    // A load that goes moves its triangle too, and what moves may push neighbours beyond their limits.
    if violated || change > b.launch.weight {
        count(iteration).fetch_add(1, Ordering::Relaxed);
    }
    b.limit_impulses.set(t, Vec3::new(after[0], after[1], after[2]).with_w(memory.w));
    for (c, gradient) in gradients.into_iter().enumerate() {
        let [x, y] = stretch::along(gradient, [0, 1, 2].map(|m| before[m] - after[m]));
        let change = r[0] * x + r[1] * y;
        if jacobi {
            set_correction(c, change);
        } else if weights[c] > R::ZERO {
            let particle = [i, j, k][c];
            let offset = b.offsets.get(particle);
            b.offsets.set(particle, (offset.xyz() + change * weights[c]).with_w(offset.w));
        }
    }
}
