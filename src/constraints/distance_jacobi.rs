//! One Jacobi iteration, gathered per particle: what its links ask for, what the other constraints asked for, and
//! Chebyshev acceleration.
//!
//!   oᵢ' = ω (oᵢ + wᵢ Σ n Δλ + …  − oᵢ⁻) + oᵢ⁻        λ' = ω (λ + Δλ − λ⁻) + λ⁻
//!
//! Wang 2015 (Chebyshev), ω = 1 for plain Jacobi. Both ends of a link keep their own copy of its λ and compute the
//! same Δλ from the same numbers, so nobody waits for anybody and momentum is conserved. The denominator of Δλ uses
//! masses split among a particle's n constraints (W = n w, kept in `offsets.w`), the correction the true mass: the
//! same as averaging the corrections of split particles, stable for relaxation below 2 (Tonge et al. 2012).

use super::distance::{project, unpack};
use super::iterate::KEEP;
use crate::math::{Real, Vec3, Vec4};
use crate::particles::World;

/// There are other constraints, whose corrections are in `gathered`.
pub const GATHERED: u32 = 4;

crate::kernel! {
    "constraints/distance_jacobi" => distance_jacobi per Invocation {
        uniform world: World,
        read distance_starts: uint,
        read distance_slots: uint,        // j | material << 23
        read distance_materials: real2,   // α/g stretched, compressed [m/N]
        write distance_states: real4,     // L [m], g, λ, λ before
        read gathered: real4,             // xyz [m], of other constraints
        read positions: real4,            // xyz [m], w = 1/mass [1/kg]
        read offsets: real4,              // xyz [m], w = the solver's 1/mass
        write offsets_next: real4,        // this iterate; holds the one before
    }
}

#[inline(always)]
fn distance_jacobi<R: Real>(b: &Bindings<R>, i: u32) {
    let xi = b.positions[i as usize];
    let oi = b.offsets[i as usize];
    let keep = b.launch.flags & KEEP != 0;
    let mut sum = Vec3::ZERO;
    for s in b.distance_starts[i as usize]..b.distance_starts[i as usize + 1] {
        let (j, material) = unpack(b.distance_slots[s as usize]);
        let (xj, oj) = (b.positions[j as usize], b.offsets[j as usize]);
        let d = (xj.xyz() - xi.xyz()) + (oj.xyz() - oi.xyz());
        let state = b.distance_states.get(s);
        let (lambda, before) = if b.launch.index == 0 { (R::ZERO, R::ZERO) } else { (state.z, state.w) };
        let compliances = b.distance_materials[material as usize].map(|alpha| alpha * state.y);
        let (push, dl) = project(d, oi.w + oj.w, state.x, compliances, lambda, b.world.dt);
        sum -= push * b.world.relaxation;
        if keep {
            let next = b.launch.weight * (lambda + dl * b.world.relaxation - before) + before;
            b.distance_states.set(s, Vec4::new(state.x, state.y, next, lambda));
        }
    }
    sum = sum * xi.w;
    if b.launch.flags & GATHERED != 0 {
        sum += b.gathered[i as usize].xyz();
    }
    let mut next = oi.xyz() + sum;
    if b.launch.weight != R::ONE {
        let before = b.offsets_next.get(i).xyz();
        next = (next - before) * b.launch.weight + before;
    }
    b.offsets_next.set(i, next.with_w(oi.w));
}
