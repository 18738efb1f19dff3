//! Sums of blocks of at most 4,096 rows of a body, of what a search asks.

use crate::math::Real;
use crate::primitives::reduce::block_sum;

crate::kernel! {
    "integrate/search_sum" => search_sum per Workgroup {
        read dot_blocks: uint2,         // rows: first, end
        read merits: real,              // ΔΦ [kg m²]
        write dot_parts: real,          // one per block
    }
}

#[inline(always)]
fn search_sum<R: Real>(b: &Bindings<R>, block: u32) {
    let [first, end] = b.dot_blocks[block as usize];
    let merits = &b.merits[first as usize..end as usize];
    b.dot_parts.set(block, block_sum(merits.len(), |i| merits[i]));
}
