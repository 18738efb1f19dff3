//! Whether each body's search has ended: where the incremental potential is no higher than at its start. What is not a number is not
//! lower. Passes of bodies whose search has ended return at once; nothing is read back.

use crate::math::Real;

crate::kernel! {
    "integrate/search_decide" => search_decide per Invocation {
        read group_blocks: uint2,       // blocks of each body: first, end
        read dot_parts: real,           // ΔΦ [kg m²], one per block
        write group_searches: uint2,    // whether the body's search has ended, halvings of all substeps
    }
}

#[inline(always)]
fn search_decide<R: Real>(b: &Bindings<R>, group: u32) {
    let [ended, halvings] = b.group_searches.get(group);
    if b.launch.index > 0 && ended != 0 {
        return;
    }
    let [first, end] = b.group_blocks[group as usize];
    let mut sum = R::ZERO;
    for part in &b.dot_parts[first as usize..end as usize] {
        sum += *part;
    }
    let is_lower = sum <= R::ZERO;
    b.group_searches.set(group, if is_lower { [1, halvings] } else { [0, halvings.wrapping_add(1)] });
}
