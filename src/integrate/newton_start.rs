//! Where a step of Newton's method begins.
//!
//! The first step linearises forces at the start of the substep, and a search along it looks back to there: free particles at r, held ones where
//! their pins are. It also remembers where inertia alone leads. Later steps begin where the last one has ended; o + (o − r) is there so that
//! forces which take o for the particles' residual displacement still find the way o − r.

use super::AGAIN;
use crate::math::Real;

crate::kernel! {
    "integrate/newton_start" => newton_start per Invocation {
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read residuals: real4,          // xyz [m]
        read offsets: real4,            // xyz [m]
        write inertial: real4,          // where inertia alone leads, xyz [m]; w = share of the mass
        write newton_starts: real4,     // xyz [m]
        write newton_ends: real4,       // o + (o − r), xyz [m]
    }
}

#[inline(always)]
fn newton_start<R: Real>(b: &Bindings<R>, i: u32) {
    let (offset, residual) = (b.offsets[i as usize].xyz(), b.residuals[i as usize].xyz());
    if b.launch.flags & AGAIN == 0 {
        let start = if b.positions[i as usize].w > R::ZERO { residual } else { offset };
        b.inertial.set(i, offset.with_w(b.inertial.get(i).w));
        b.newton_starts.set(i, start.with_w(R::ZERO));
        return;
    }
    b.newton_starts.set(i, offset.with_w(R::ZERO));
    b.newton_ends.set(i, (offset + (offset - residual)).with_w(R::ZERO));
}
