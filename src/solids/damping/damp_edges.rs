//! Dampers along edges: what the neighbours of a particle do to its velocity in one sweep.
//!
//!   Δvᵢ = −Σⱼ k (vᵢ − vⱼ)        k = γ dt/mᵢ (spring)   or   γ c m_red/mᵢ (M1, with the reduced mass)
//!
//! PROJECTED takes the part along the edge only, which keeps angular momentum. γ = `launch.weight`, in kg/s for springs.

use super::{PROJECTED, REDUCED, radial};
use crate::math::{Real, Vec3};

crate::kernel! {
    "solids/damping/damp_edges" => damp_edges per Invocation {
        read damp_edge_starts: uint,    // where each particle's neighbours begin, and one end
        read damp_neighbours: uint,     // particles
        read damp_masses: real,         // [kg]
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read residuals: real4,          // xyz [m]
        read offsets: real4,            // xyz [m]
        write damp_changes: real4,      // xyz [m]
    }
}

#[inline(always)]
fn damp_edges<R: Real>(b: &Bindings<R>, id: u32) {
    let i = (b.launch.first + id) as usize;
    let range = |p: usize| b.damp_edge_starts[p] as usize..b.damp_edge_starts[p + 1] as usize;
    let degree = |p: usize| R::of((b.damp_edge_starts[p + 1] - b.damp_edge_starts[p]) as f64);
    let (x, r, o) = (b.positions[i].xyz(), b.residuals[i].xyz(), b.offsets[i].xyz());
    let mass = b.damp_masses[i];
    let mut change = Vec3::ZERO;
    if b.positions[i].w > R::ZERO {
        for &j in &b.damp_neighbours[range(i)] {
            let j = j as usize;
            let s = b.residuals[j].xyz();
            let edge = (x - b.positions[j].xyz()) + (r - s);
            let relative = (o - b.offsets[j].xyz()) - (r - s);
            let pull = if b.launch.flags & PROJECTED != 0 { radial(edge, relative) } else { relative };
            let k = if b.launch.flags & REDUCED != 0 {
                let other = b.damp_masses[j];
                b.launch.weight * other / ((mass + other) * degree(i).max(degree(j)))
            } else {
                b.launch.weight * b.launch.dt / mass
            };
            change -= pull * k;
        }
    }
    b.damp_changes.set(i as u32, change.with_w(R::ZERO));
}
