//! Global and point damping: o ← o − γ dt (v − what the body as a whole does). γ = `launch.weight`.

use super::{CENTRE, POINT, RIGID, radial};
use crate::math::{Real, Vec3};

crate::kernel! {
    "solids/damping/damp_global" => damp_global per Invocation {
        read damp_motions: real4,       // centre from the first particle [m], mass; dt v_cm [m]; dt ω [rad]; dt Σ m vᵣ/M [m]
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read residuals: real4,          // xyz [m]
        write offsets: real4,           // xyz [m], w = the solver's 1/mass
    }
}

#[inline(always)]
fn damp_global<R: Real>(b: &Bindings<R>, id: u32) {
    let (first, i) = (b.launch.first as usize, (b.launch.first + id) as usize);
    let (x, residual) = (b.positions[i], b.residuals[i].xyz());
    let offset = b.offsets.get(i as u32);
    if x.w == R::ZERO {
        return;
    }
    let way = offset.xyz() - residual;
    let change = if b.launch.flags & POINT != 0 {
        // γ is the coefficient [kg/s] here.
        way * (R::ONE - (-(b.launch.weight * b.launch.dt * x.w)).exp())
    } else {
        let motion = |row: u32| b.damp_motions[(4 * b.launch.base + row) as usize].xyz();
        let r = ((x.xyz() - b.positions[first].xyz()) + (residual - b.residuals[first].xyz())) - motion(0);
        let relative = way - motion(1);
        let kept = if b.launch.flags & RIGID != 0 {
            relative - motion(2).cross(r)
        } else if b.launch.flags & CENTRE != 0 {
            radial(r, relative) - motion(3)
        } else {
            relative
        };
        kept * b.launch.weight
    };
    let slowed: Vec3<R> = offset.xyz() - change;
    b.offsets.set(i as u32, slowed.with_w(offset.w));
}
