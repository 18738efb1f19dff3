//! The row of every segment in Newton's system of a net: C, its gradients and the block on the diagonal.
//!
//!   (J M⁻¹ Jᵀ + α̃) Δλ = −C − α̃ λ
//!
//! [`crate::rods::stretch_shear`] has the equations.

use super::ROW;
use crate::frames::turn;
use crate::math::{Mat3, Real, Vec3};
use crate::rods::{self, strain};

crate::kernel! {
    "nets/net_measure_stretch" => net_measure_stretch per Invocation {
        read rod_segments: uint4,    // particles i, j
        read rod_rest: real4,        // l [m], α of shear, stretch [m/N]; …; inverse inertia [1/(kg m²)]
        read frames: real4,          // unit quaternions, every second
        read positions: real4,       // xyz [m], w = 1/mass [1/kg]
        read offsets: real4,         // xyz [m], w = the solver's 1/mass
        read turns: real4,           // xyz the turn of this substep
        write net_rows: real4,       // λ; the diagonal block; −C − α̃ λ; q; b
    }
}

/// `launch.first` is the first frame, `launch.base` that of all nets.
#[inline(always)]
fn net_measure_stretch<R: Real>(b: &Bindings<R>, id: u32) {
    let k = b.launch.first + id;
    let [i, j, ..] = b.rod_segments[k as usize];
    if i == j {
        return;
    }
    let row = ROW * (k - b.launch.base);
    let (xi, xj) = (b.positions[i as usize], b.positions[j as usize]);
    let rest = b.rod_rest[(rods::REST * k) as usize];
    let inverse_inertia = b.rod_rest[(rods::REST * k + 3) as usize].xyz();
    let q = turn::apply(b.frames[2 * k as usize], b.turns[k as usize].xyz());
    let d = (xj.xyz() - xi.xyz()) + (b.offsets[j as usize].xyz() - b.offsets[i as usize].xyz());
    let local = crate::math::Quat::from_vec4(q).conjugate().rotate(d);
    let c = local - Vec3::new(R::ZERO, R::ZERO, rest.x);
    let lambda = if b.launch.index > 0 { b.net_rows.get(row).xyz() } else { Vec3::ZERO };
    let compliance = Vec3::new(rest.y, rest.y, rest.z) / (b.launch.dt * b.launch.dt);
    let weight = xi.w + xj.w;
    let block = Mat3::diagonal(compliance + Vec3::new(weight, weight, weight))
        + strain::congruence(Mat3::cross(local), inverse_inertia);
    b.net_rows.set(row, lambda.with_w(R::ZERO));
    super::store(b.net_rows, row + 1, block);
    b.net_rows.set(row + 4, (-c - compliance.scaled(lambda)).with_w(R::ZERO));
    b.net_rows.set(row + 5, q);
    b.net_rows.set(row + 6, local.with_w(R::ZERO));
}
