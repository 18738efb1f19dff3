//! One Jacobi iteration, gathered per particle: what its links ask for, and Chebyshev acceleration. `gather` adds what
//! other constraints ask for.
//!
//!   oᵢ' = ω (oᵢ + wᵢ Σ n Δλ − oᵢ⁻) + oᵢ⁻        λ' = ω (λ + Δλ − λ⁻) + λ⁻
//!
//! Wang 2015 (Chebyshev), ω = 1 for plain Jacobi. Both ends of a link keep their own copy of its λ and compute the
//! same Δλ from the same numbers, so nobody waits for anybody and momentum is conserved. The denominator of Δλ uses
//! masses split among a particle's n constraints (W = n w, kept in `offsets.w`), the correction the true mass: the
//! same as averaging the corrections of split particles, stable for relaxation below 2 (Tonge et al. 2012).

use super::distance::{DistanceMaterials, compliances, project, unpack};
use super::iterate::KEEP;
use super::slices::SLICE;
use crate::math::{Lanes, Places, Real, Vec3, Vec4};
use crate::particles::World;

crate::kernel! {
    "constraints/distance_jacobi" => distance_jacobi, lanes distance_jacobi_lanes, per Invocation {
        uniform world: World,
        uniform distance_materials: DistanceMaterials,
        read distance_starts: uint,       // where each slice's cells begin, and one end
        read distance_slots: uint4,       // four of j | material << 23
        read distance_rest: real4,        // four L [m]; four shape factors g
        read distance_lambdas: real4,     // four λ [N s²]
        write distance_lambdas_next: real4, // this iterate; holds the one before
        read positions: real4,            // xyz [m], w = 1/mass [1/kg]
        read offsets: real4,              // xyz [m], w = the solver's 1/mass
        write offsets_next: real4,        // this iterate; holds the one before
    }
}

#[inline(always)]
fn distance_jacobi<R: Real>(b: &Bindings<R>, i: u32) {
    let xi = b.positions[i as usize];
    let oi = b.offsets[i as usize];
    let accelerated = b.launch.weight != R::ONE;
    let mut sum = Vec3::ZERO;
    for cell in cells(b.distance_starts, i) {
        let slots = b.distance_slots[cell as usize];
        let rest_lengths = b.distance_rest[2 * cell as usize].to_array();
        let factors = b.distance_rest[2 * cell as usize + 1].to_array();
        let mut lambdas = [R::ZERO; 4];
        if b.launch.index > 0 {
            lambdas = b.distance_lambdas[cell as usize].to_array();
        }
        let mut next = lambdas;
        for s in 0..4 {
            let (j, material) = unpack(slots[s]);
            let (xj, oj) = (b.positions[j as usize], b.offsets[j as usize]);
            let d = (xj.xyz() - xi.xyz()) + (oj.xyz() - oi.xyz());
            let alphas = b.distance_materials.compliances[material as usize].map(|alpha| alpha * factors[s]);
            let (push, dl) = project(d, oi.w + oj.w, rest_lengths[s], alphas, lambdas[s], b.world.dt);
            sum -= push * b.world.relaxation;
            next[s] += dl * b.world.relaxation;
        }
        if b.launch.flags & KEEP != 0 {
            let mut next = Vec4::from_array(next);
            if accelerated {
                let before = if b.launch.index > 1 { b.distance_lambdas_next.get(cell) } else { Vec4::ZERO };
                next = before.towards(next, b.launch.weight);
            }
            b.distance_lambdas_next.set(cell, next);
        }
    }
    let mut next = (oi.xyz() + sum * xi.w).with_w(oi.w);
    if accelerated {
        next = b.offsets_next.get(i).towards(next, b.launch.weight);
        next.w = oi.w;
    }
    b.offsets_next.set(i, next);
}

/// The cells of four slots that belong to a particle.
#[inline(always)]
fn cells(starts: &[u32], i: u32) -> impl Iterator<Item = u32> {
    let (slice, lane) = ((i / SLICE) as usize, i % SLICE);
    (starts[slice]..starts[slice + 1]).step_by(SLICE as usize).map(move |cell| cell + lane)
}

/// As [`distance_jacobi`], line by line, for several neighbouring particles of a slice.
#[inline(always)]
fn distance_jacobi_lanes<L: Lanes>(b: &Bindings<f32>, i: u32) {
    let own = Places::new::<L>(b.positions.len().min(b.offsets.len()), |lane| i + lane as u32);
    let xi: Vec4<L> = L::gather(b.positions, &own);
    let oi: Vec4<L> = L::gather(b.offsets, &own);
    let accelerated = b.launch.weight != 1.0;
    let (dt, relaxation) = (L::splat(b.world.dt), L::splat(b.world.relaxation));
    let weight = L::splat(b.launch.weight);
    let mut sum = Vec3::ZERO;
    for cell in cells(b.distance_starts, i) {
        let slots = &b.distance_slots[cell as usize..cell as usize + L::COUNT];
        let rest = &b.distance_rest[2 * cell as usize..2 * (cell as usize + L::COUNT)];
        let rest_lengths = L::vectors(|lane| &rest[2 * lane]).to_array();
        let factors = L::vectors(|lane| &rest[2 * lane + 1]).to_array();
        let mut lambdas = [L::ZERO; 4];
        if b.launch.index > 0 {
            let block = &b.distance_lambdas[cell as usize..cell as usize + L::COUNT];
            lambdas = L::vectors(|lane| &block[lane]).to_array();
        }
        let mut next = lambdas;
        for s in 0..4 {
            let j = Places::new::<L>(b.positions.len(), |lane| unpack(slots[lane][s]).0);
            let (xj, oj): (Vec4<L>, Vec4<L>) = (L::gather(b.positions, &j), L::gather(b.offsets, &j));
            let d = (xj.xyz() - xi.xyz()) + (oj.xyz() - oi.xyz());
            let alphas = compliances(b.distance_materials, factors[s], |lane| unpack(slots[lane][s]).1);
            let (push, dl) = project(d, oi.w + oj.w, rest_lengths[s], alphas, lambdas[s], dt);
            sum -= push * relaxation;
            next[s] = next[s] + dl * relaxation;
        }
        if b.launch.flags & KEEP != 0 {
            let mut next = Vec4::from_array(next);
            if accelerated {
                let mut before = Vec4::ZERO;
                if b.launch.index > 1 {
                    before = b.distance_lambdas_next.load_vectors(cell, 1);
                }
                next = before.towards(next, weight);
            }
            b.distance_lambdas_next.store_vectors(cell, 1, next);
        }
    }
    let mut next = (oi.xyz() + sum * xi.w).with_w(oi.w);
    if accelerated {
        next = b.offsets_next.gather::<L>(&own).towards(next, weight);
        next.w = oi.w;
    }
    b.offsets_next.store_vectors(i, 1, next);
}
