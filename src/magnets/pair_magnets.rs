//! The force and the torques between two magnets, each a dipole at its centre.
//!
//!   F = (3μ₀/4π r⁴) [(a·n) b + (b·n) a + (a·b) n − 5 (a·n)(b·n) n]      on b, and −F on a; n from a to b
//!   T = (μ₀/4π r³) m × [3 (m'·n) n − m']                                on the moment m by the other, m'
//!
//! Exact for uniformly magnetised balls, at any distance. One invocation for each pair of bodies: both get the same numbers, so that
//! no rounding pushes the two together. T_a + T_b + r × F = 0.
//!
//! Nearer than the sum of the radii, where dipoles would go to infinity, r is that sum and F and T shrink by s = r/r_min and s²:
//! angular momentum is still kept.

use crate::frames::turn;
use crate::math::{Real, Vec3};

crate::kernel! {
    "magnets/pair_magnets" => pair_magnets per Invocation {
        read magnet_pairs: uint2,       // magnets a, b
        read magnets: uint2,            // particle, frame
        read magnet_moments: real4,     // along the frame's axes [A m²], w = radius [m]
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read frames: real4,             // unit quaternion, then the rotation that rounding kept from it
        write magnet_forces: real4,     // force on b [N], torque on a and on b [N m], w unused
    }
}

/// μ₀/4π [T m/A].
pub const MU: f64 = 1e-7;

#[inline(always)]
fn pair_magnets<R: Real>(b: &Bindings<R>, id: u32) {
    let pair = b.magnet_pairs[id as usize].map(|k| k as usize);
    let bodies = pair.map(|k| b.magnets[k].map(|n| n as usize));
    let moments = [0, 1].map(|side| {
        let frame = bodies[side][1];
        let axes = turn::rotation(b.frames[2 * frame], b.frames[2 * frame + 1].xyz());
        axes.rotate(b.magnet_moments[pair[side]].xyz())
    });
    let r = b.positions[bodies[1][0]].xyz() - b.positions[bodies[0][0]].xyz();
    let nearest = b.magnet_moments[pair[0]].w + b.magnet_moments[pair[1]].w;
    let loads = between(moments, r, nearest);
    for (k, load) in (0..).zip(loads) {
        b.magnet_forces.set(3 * id + k, load.with_w(R::ZERO));
    }
}

/// F on the second [N], T on the first and on the second [N m].
#[inline(always)]
pub fn between<R: Real>([a, b]: [Vec3<R>; 2], r: Vec3<R>, nearest: R) -> [Vec3<R>; 3] {
    let length = r.length();
    if length == R::ZERO {
        return [Vec3::ZERO; 3];
    }
    let n = r / length;
    let distance = length.max(nearest);
    let share = length / distance;
    let field = R::of(MU) / (distance * distance * distance);
    let (an, bn) = (a.dot(n), b.dot(n));
    let force = b * an + a * bn + n * (a.dot(b) - R::of(5.0) * an * bn);
    let (of_a, of_b) = (n * (R::of(3.0) * an) - a, n * (R::of(3.0) * bn) - b);
    let torque = field * share * share;
    [force * (R::of(3.0) * field / distance * share), a.cross(of_b) * torque, b.cross(of_a) * torque]
}
