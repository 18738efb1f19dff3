//! What the nodes of a coarse net have moved moves those of the next finer one: dᵢ = Σ w d.

use super::carried;
use crate::math::Real;

crate::kernel! {
    "cloth/coarse/coarse_carry" => coarse_carry per Invocation {
        read coarse_starts: uint,       // where the shares of each row begin, and one end
        read coarse_shares: uint2,      // node of the coarser net, bits of w
        write coarse_moves: real4,      // d of each node, xyz [m]
    }
}

#[inline(always)]
fn coarse_carry<R: Real>(b: &Bindings<R>, id: u32) {
    let row = b.launch.first + id;
    let sum = carried(b.coarse_starts, b.coarse_shares, |node| b.coarse_moves.get(node), row as usize);
    b.coarse_moves.set(row, sum.with_w(R::ZERO));
}
