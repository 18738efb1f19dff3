//! Moves every clustered particle by the mean of what its clusters ask for.
//!
//!   oᵢ ← oᵢ + Σ δᵢ/nᵢ        over the n clusters of the particle
//!
//! Each cluster counts 1/n of the particle's mass, so that the mean conserves the momentum of all clusters together, whatever their
//! overlap. A particle's list is walked in one order, so two runs agree to the bit.

use crate::math::{Real, Vec3};

crate::kernel! {
    "clusters/cluster_gather" => cluster_gather per Invocation {
        read clustered: uint,           // particles that are members of clusters
        read clustered_starts: uint,    // where the memberships of each begin, and one end
        read clustered_slots: uint,     // their members' places
        read member_pulls: real4,       // δ [m]; Λ [m]
        read positions: real4,          // w = 1/mass [1/kg]
        write offsets: real4,           // xyz [m], w = the solver's 1/mass
    }
}

#[inline(always)]
fn cluster_gather<R: Real>(b: &Bindings<R>, id: u32) {
    let row = (b.launch.first + id) as usize;
    let particle = b.clustered[row];
    if b.positions[particle as usize].w == R::ZERO {
        return;
    }
    let (start, end) = (b.clustered_starts[row], b.clustered_starts[row + 1]);
    let mut sum = Vec3::ZERO;
    for s in start..end {
        sum += b.member_pulls[(super::cluster_match::PULL * b.clustered_slots[s as usize]) as usize].xyz();
    }
    let offset = b.offsets.get(particle);
    b.offsets.set(particle, (offset.xyz() + sum / R::of(f64::from(end - start))).with_w(offset.w));
}
