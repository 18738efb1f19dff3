//! One Jacobi iteration, gathered per particle: what its links ask for, and Chebyshev acceleration. `gather` adds what
//! other constraints ask for.
//!
//!   oᵢ' = ω (oᵢ + wᵢ Σ n Δλ − oᵢ⁻) + oᵢ⁻        λ' = ω (λ + Δλ − λ⁻) + λ⁻
//!
//! Wang 2015 (Chebyshev), ω = 1 for plain Jacobi. The sum is that of [`super::jacobi_links`].

use super::iterate::KEEP;
use super::jacobi_links::{Multipliers, Neighbourhood};
use crate::math::{Lanes, Real, Vec4};
use crate::particles::World;

crate::kernel! {
    "constraints/distance_jacobi" => distance_jacobi, lanes distance_jacobi_lanes, per Invocation {
        uniform world: World,
        read distance_starts: uint,       // where each slice's cells begin, and one end
        read distance_slots: uint4,       // four j
        read distance_rest: real4,        // four L [m]; four α stretched, four compressed [m/N]
        read distance_lambdas: real4,     // four λ [N s²]
        write distance_lambdas_next: real4, // this iterate; holds the one before
        read positions: real4,            // xyz [m], w = 1/mass [1/kg]
        read offsets: real4,              // xyz [m], w = the solver's 1/mass
        write offsets_next: real4,        // this iterate; holds the one before
    }
}

impl<R: Real> Bindings<'_, R> {
    #[inline(always)]
    fn neighbourhood(&self) -> Neighbourhood<'_, R> {
        Neighbourhood {
            world: self.world,
            dt: self.launch.dt,
            starts: self.distance_starts,
            slots: self.distance_slots,
            rest: self.distance_rest,
            positions: self.positions,
            offsets: self.offsets,
        }
    }
}

#[inline(always)]
fn distance_jacobi<R: Real>(b: &Bindings<R>, i: u32) {
    let sum = b.neighbourhood().sum(i, &Alone(b));
    let oi = b.offsets[i as usize];
    let mut next = (oi.xyz() + sum * b.positions[i as usize].w).with_w(oi.w);
    if b.launch.weight != R::ONE {
        next = b.offsets_next.get(i).towards(next, b.launch.weight);
        next.w = oi.w;
    }
    b.offsets_next.set(i, next);
}

/// As [`distance_jacobi`], line by line, for several neighbouring particles of a slice.
#[inline(always)]
fn distance_jacobi_lanes<L: Lanes>(b: &Bindings<f32>, i: u32) {
    let neighbourhood = b.neighbourhood();
    let [xi, oi] = neighbourhood.own::<L>(i);
    let sum = neighbourhood.sum_lanes(i, [xi, oi], &Abreast(b));
    let mut next = (oi.xyz() + sum * xi.w).with_w(oi.w);
    if b.launch.weight != 1.0 {
        next = b.offsets_next.load_vectors::<L>(i, 1).towards(next, L::splat(b.launch.weight));
        next.w = oi.w;
    }
    b.offsets_next.store_vectors(i, 1, next);
}

/// The multipliers of one particle's links.
struct Alone<'a, R: Real>(&'a Bindings<'a, R>);

impl<R: Real> Multipliers<R> for Alone<'_, R> {
    #[inline(always)]
    fn of(&self, cell: u32) -> Vec4<R> {
        if self.0.launch.index > 0 { self.0.distance_lambdas[cell as usize] } else { Vec4::ZERO }
    }
    #[inline(always)]
    fn keep(&self, cell: u32, mut next: Vec4<R>) {
        let b = self.0;
        if b.launch.flags & KEEP == 0 {
            return;
        }
        if b.launch.weight != R::ONE {
            let before = if b.launch.index > 1 { b.distance_lambdas_next.get(cell) } else { Vec4::ZERO };
            next = before.towards(next, b.launch.weight);
        }
        b.distance_lambdas_next.set(cell, next);
    }
}

/// As [`Alone`], line by line, for several particles.
struct Abreast<'a>(&'a Bindings<'a, f32>);

impl<L: Lanes> Multipliers<L> for Abreast<'_> {
    #[inline(always)]
    fn of(&self, cell: u32) -> Vec4<L> {
        if self.0.launch.index > 0 { L::strided(self.0.distance_lambdas, cell, 1) } else { Vec4::ZERO }
    }
    #[inline(always)]
    fn keep(&self, cell: u32, mut next: Vec4<L>) {
        let b = self.0;
        if b.launch.flags & KEEP == 0 {
            return;
        }
        if b.launch.weight != 1.0 {
            let mut before = Vec4::ZERO;
            if b.launch.index > 1 {
                before = b.distance_lambdas_next.load_vectors(cell, 1);
            }
            next = before.towards(next, L::splat(b.launch.weight));
        }
        b.distance_lambdas_next.store_vectors(cell, 1, next);
    }
}
