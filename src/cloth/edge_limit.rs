//! The baseline of strain limits: an edge that is longer than its limit is shortened along itself.
//!
//!   Δxᵢ = wᵢ/(wᵢ + wⱼ) (|d| − (1 + ε) L) d/|d|        d = xⱼ − xᵢ
//!
//! Provot 1995. It knows neither weft nor warp nor shear: one limit serves all edges, and which strains it stops depends
//! on how the mesh lies. It is here to compare with.

use crate::math::Real;
use std::sync::atomic::Ordering;

crate::kernel! {
    "cloth/edge_limit" => edge_limit per Invocation {
        read limit_edges: uint2,        // particles
        read limit_edge_rest: real2,    // L [m], ε
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        write offsets: real4,           // xyz [m], w = the solver's 1/mass
        atomic limit_violations: uint,  // by iteration
    }
}

#[inline(always)]
fn edge_limit<R: Real>(b: &Bindings<R>, id: u32) {
    let iteration = b.launch.index as usize;
    if iteration > 0 && b.limit_violations[iteration - 1].load(Ordering::Relaxed) == 0 {
        return;
    }
    let e = (b.launch.first + id) as usize;
    let [i, j] = b.limit_edges[e];
    let [rest, highest] = b.limit_edge_rest[e];
    let (x, y) = (b.positions[i as usize], b.positions[j as usize]);
    let (o, p) = (b.offsets.get(i), b.offsets.get(j));
    let d = (y.xyz() - x.xyz()) + (p.xyz() - o.xyz());
    let length = d.length();
    let beyond = length / rest - R::ONE - highest;
    let w = x.w + y.w;
    let violated = beyond > b.launch.weight && w > R::ZERO;
    if !violated {
        return;
    }
    b.limit_violations[iteration].fetch_add(1, Ordering::Relaxed);
    let change = d * (beyond * rest / (length * w));
    if x.w > R::ZERO {
        b.offsets.set(i, (o.xyz() + change * x.w).with_w(o.w));
    }
    if y.w > R::ZERO {
        b.offsets.set(j, (p.xyz() - change * y.w).with_w(p.w));
    }
}
