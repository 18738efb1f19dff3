//! The particles of a sheet follow the nodes of its finest coarse net: oᵢ ← oᵢ + Σ w d. Where nothing was too long, not a bit changes.

use super::carried;
use crate::math::Real;

crate::kernel! {
    "cloth/coarse/coarse_move" => coarse_move per Invocation {
        read coarse_starts: uint,       // where the shares of each row begin, and one end
        read coarse_shares: uint2,      // node of the coarser net, bits of w
        read coarse_particles: uint,    // of each row
        read coarse_moves: real4,       // d of each node, xyz [m]
        read positions: real4,          // w = 1/mass [1/kg]
        write offsets: real4,           // xyz [m], w = the solver's 1/mass
    }
}

#[inline(always)]
fn coarse_move<R: Real>(b: &Bindings<R>, id: u32) {
    let row = (b.launch.first + id) as usize;
    let particle = b.coarse_particles[row];
    let moves = b.coarse_moves;
    let sum = carried(b.coarse_starts, b.coarse_shares, |node| moves[node as usize], row);
    if b.positions[particle as usize].w == R::ZERO || sum.dot(sum) == R::ZERO {
        return;
    }
    let offset = b.offsets.get(particle);
    b.offsets.set(particle, (offset.xyz() + sum).with_w(offset.w));
}
