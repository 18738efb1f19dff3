//! The rigid motion of a body: centre of mass, its velocity, the spin, and what momentum radial velocities have.
//!
//! One workgroup per body. Positions and velocities are taken relative to the body's first particle, so that a body far away
//! or fast loses no digits.

use super::{inertia, radial, spin};
use crate::math::{Real, Vec3};

/// Lanes of the workgroup.
pub const LANES: usize = 256;

crate::kernel! {
    "solids/damping/damp_motion" => damp_motion per Workgroup {
        read damp_masses: real,         // [kg], also of pinned particles
        read positions: real4,          // xyz [m]
        read residuals: real4,          // xyz [m]
        read offsets: real4,            // xyz [m]
        write damp_motions: real4,      // centre from the first particle [m], mass; dt v_cm [m]; dt ω [rad]; dt Σ m vᵣ/M [m]
    }
}

/// Sums over the body as the workgroup does it: lane by lane, then halves onto halves.
#[inline(always)]
pub(super) fn total<R: Real, const N: usize>(first: u32, count: u32, term: impl Fn(u32) -> [R; N]) -> [R; N] {
    let mut lanes = [[R::ZERO; N]; LANES];
    for i in 0..count {
        for (sum, x) in lanes[i as usize % LANES].iter_mut().zip(term(first + i)) {
            *sum += x;
        }
    }
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            let other = lanes[lane + half];
            for (sum, x) in lanes[lane].iter_mut().zip(other) {
                *sum += x;
            }
        }
        half /= 2;
    }
    lanes[0]
}

#[inline(always)]
fn damp_motion<R: Real>(b: &Bindings<R>, _: u32) {
    let (first, count) = (b.launch.first, b.launch.count);
    let place = |i: u32| {
        (b.positions[i as usize].xyz() - b.positions[first as usize].xyz())
            + (b.residuals[i as usize].xyz() - b.residuals[first as usize].xyz())
    };
    let way = |i: u32| b.offsets[i as usize].xyz() - b.residuals[i as usize].xyz();
    let base = way(first);
    let sums = total(first, count, |i| {
        let m = b.damp_masses[i as usize];
        let (x, v) = (place(i) * m, (way(i) - base) * m);
        [m, x.x, x.y, x.z, v.x, v.y, v.z]
    });
    let mass = sums[0];
    let centre = Vec3::new(sums[1], sums[2], sums[3]) / mass;
    let drift = Vec3::new(sums[4], sums[5], sums[6]) / mass;
    let sums = total(first, count, |i| {
        let m = b.damp_masses[i as usize];
        let (r, v) = (place(i) - centre, (way(i) - base) - drift);
        let l = r.cross(v) * m;
        let s = radial(r, v) * m;
        let (d, o) = inertia(m, r);
        [l.x, l.y, l.z, d.x, d.y, d.z, o.x, o.y, o.z, s.x, s.y, s.z]
    });
    let vector = |k: usize| Vec3::new(sums[k], sums[k + 1], sums[k + 2]);
    let slot = 4 * b.launch.base;
    b.damp_motions.set(slot, centre.with_w(mass));
    b.damp_motions.set(slot + 1, (base + drift).with_w(R::ZERO));
    b.damp_motions.set(slot + 2, spin(vector(3), vector(6), vector(0)).with_w(R::ZERO));
    b.damp_motions.set(slot + 3, (vector(9) / mass).with_w(R::ZERO));
}
