//! Global damping with the least couples that keep the spin (M3): o ← o − γ s dt (v − v_cm − c/m). γ = `launch.weight`.
//!
//! One workgroup per body. See [`super::couples`] for c; s is the share that leaves the least kinetic energy. Only what can move is
//! damped and pulled.

use super::couples::{COUPLES_ROUNDS, Couples, Extremes, unit};
use super::damp_motion::total;
use crate::math::{Real, Vec3};

crate::kernel! {
    "solids/damping/damp_couples" => damp_couples per Workgroup {
        read damp_motions: real4,       // centre from the first particle [m], mass; dt v_cm [m]; dt ω [rad]; dt Σ m vᵣ/M [m]
        read damp_masses: real,         // [kg]
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read residuals: real4,          // xyz [m]
        write offsets: real4,           // xyz [m], w = the solver's 1/mass
    }
}

#[inline(always)]
fn damp_couples<R: Real>(b: &Bindings<R>, _: u32) {
    let (first, count) = (b.launch.first, b.launch.count);
    let centre = b.damp_motions[4 * b.launch.base as usize].xyz();
    let drift = b.damp_motions[4 * b.launch.base as usize + 1].xyz();
    // By numbers of the body's own, so that other bodies make no difference.
    let mass = |k: u32| {
        let i = (first + k) as usize;
        if b.positions[i].w > R::ZERO { b.damp_masses[i] } else { R::ZERO }
    };
    let arm = |k: u32| {
        let (i, f) = ((first + k) as usize, first as usize);
        let place =
            (b.positions[i].xyz() - b.positions[f].xyz()) + (b.residuals[i].xyz() - b.residuals[f].xyz());
        place - centre
    };
    let way = |k: u32| b.offsets.get(first + k).xyz() - b.residuals[(first + k) as usize].xyz() - drift;
    let sums = total(0, count, |k| {
        let (m, r, v) = (mass(k), arm(k), way(k));
        let l = r.cross(v) * m;
        [l.x, l.y, l.z, m * v.dot(v), m * r.dot(r), m]
    });
    let spin = Vec3::new(sums[0], sums[1], sums[2]);
    let (length, energy) = (spin.length(), sums[3]);
    let size = (sums[4] / sums[5]).sqrt();
    // Nothing to damp in a point, or where all is pinned (0/0).
    let has_size = size > R::ZERO;
    if !has_size {
        return;
    }
    let torque = unit(spin);
    let mut couples = Couples::none();
    if length > R::ZERO {
        for round in 0..COUPLES_ROUNDS {
            let price = couples.price(round, torque);
            let mut extremes = Extremes::none();
            for k in (0..count).filter(|&k| mass(k) > R::ZERO) {
                extremes.look(k, price.cross(arm(k) / size));
            }
            let (couple, gain) = extremes.best();
            let between = (arm(couple.head) - arm(couple.tail)) / size;
            couples.enter(round, couple, gain, between, torque);
            if couples.done {
                break;
            }
        }
    }
    couples.scale(length / size);
    let share = b.launch.weight * couples.share(length, b.launch.weight, energy, way, mass);
    for k in 0..count {
        let (i, m) = (first + k, mass(k));
        if m > R::ZERO {
            let offset = b.offsets.get(i);
            let change = (way(k) - couples.pull(k) / m) * share;
            b.offsets.set(i, (offset.xyz() - change).with_w(offset.w));
        }
    }
}
