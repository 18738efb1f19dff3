//! Local damping: every tetrahedron slows its own corners towards its own motion.
//!
//! A corner has m/N of its particle's mass, N the tetrahedra around it; the impulses of all of them add up. γ = `launch.weight`.

use super::couples::{of_points, unit};
use super::{CENTRE, COUPLES, RIGID, inertia, radial, spin};
use crate::math::{Real, Vec3};

crate::kernel! {
    "solids/damping/damp_tets" => damp_tets per Invocation {
        read damp_corners: uint4,       // particles
        read damp_starts: uint,         // where each particle's corners begin, and one end
        read damp_masses: real,         // [kg]
        read positions: real4,          // xyz [m]
        read residuals: real4,          // xyz [m]
        read offsets: real4,            // xyz [m]
        write damp_impulses: real4,     // dt Δ(m v) of each corner [kg m]
    }
}

#[inline(always)]
fn damp_tets<R: Real>(b: &Bindings<R>, id: u32) {
    let t = b.launch.first + id;
    let particles = b.damp_corners[t as usize].map(|p| p as usize);
    let clusters = |p: usize| R::of((b.damp_starts[p + 1] - b.damp_starts[p]) as f64);
    let m = particles.map(|p| b.damp_masses[p] / clusters(p));
    // Relative to the first corner, so that nothing is lost far away or at speed.
    let (x0, r0) = (b.positions[particles[0]].xyz(), b.residuals[particles[0]].xyz());
    let way = |p: usize| b.offsets[p].xyz() - b.residuals[p].xyz();
    let base = way(particles[0]);
    let x = particles.map(|p| (b.positions[p].xyz() - x0) + (b.residuals[p].xyz() - r0));
    let v = particles.map(|p| way(p) - base);
    let mass = m[0] + m[1] + m[2] + m[3];
    let mean = |q: [Vec3<R>; 4]| (q[0] * m[0] + q[1] * m[1] + q[2] * m[2] + q[3] * m[3]) / mass;
    let (centre, drift) = (mean(x), mean(v));
    let (r, mut v) = (x.map(|x| x - centre), v.map(|v| v - drift));
    if b.launch.flags & RIGID != 0 {
        let (mut diagonal, mut off, mut momentum) = (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
        for c in 0..4 {
            let (d, o) = inertia(m[c], r[c]);
            diagonal += d;
            off += o;
            momentum += r[c].cross(v[c]) * m[c];
        }
        let omega = spin(diagonal, off, momentum);
        for c in 0..4 {
            v[c] -= omega.cross(r[c]);
        }
    } else if b.launch.flags & CENTRE != 0 {
        for c in 0..4 {
            v[c] = radial(r[c], v[c]);
        }
        let left = mean(v);
        for v in &mut v {
            *v -= left;
        }
    } else if b.launch.flags & COUPLES != 0 {
        v = spared(b.launch.weight, m, r, v);
    }
    for c in 0..4 {
        let impulse = v[c] * (-(b.launch.weight * m[c]));
        b.damp_impulses.set(4 * t + c as u32, impulse.with_w(R::ZERO));
    }
}

/// v − c/m of the couples c that keep the spin, times the share that leaves the least kinetic energy.
#[inline(always)]
fn spared<R: Real>(gamma: R, m: [R; 4], r: [Vec3<R>; 4], v: [Vec3<R>; 4]) -> [Vec3<R>; 4] {
    let (mut momentum, mut energy, mut square, mut mass) = (Vec3::ZERO, R::ZERO, R::ZERO, R::ZERO);
    for c in 0..4 {
        momentum += r[c].cross(v[c]) * m[c];
        energy += m[c] * v[c].dot(v[c]);
        square += m[c] * r[c].dot(r[c]);
        mass += m[c];
    }
    let (length, size) = (momentum.length(), (square / mass).sqrt());
    if !(length > R::ZERO && size > R::ZERO) {
        return v;
    }
    let mut couples = of_points(&r.map(|r| r / size), unit(momentum));
    couples.scale(length / size);
    let share = couples.share(length, gamma, energy, |c| v[c as usize], |c| m[c as usize]);
    [0, 1, 2, 3].map(|c| (v[c] - couples.pull(c as u32) / m[c]) * share)
}
