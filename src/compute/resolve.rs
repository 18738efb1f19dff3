//! Writes how many rows a counted table has into the slots of the passes over it, so that kernels find them in
//! `launch.count` as always.
//!
//! A slot is 256 bytes of the column `launches`: the pass's `launch`, and from word 8 on its number of workgroups. Both
//! backends read it. The status keeps the most rows that were ever wanted: if they exceed the capacity, the list was too
//! short and the host repeats the step with more room.
//!
//! `resolve_slots` has two elements for each slot: (slot, rows of a block, elements for each block, elements of a
//! workgroup) and, where the pass takes only part of the rows, the entries of `counts` at which the part begins and ends,
//! then workgroups in a row of the dispatch. A part never ends at entry 0, which says that there is none.

use crate::math::Real;

crate::kernel! {
    "compute/resolve" => resolve per Invocation {
        read counts: uint,
        read resolve_slots: uint4,
        write status: uint,
        write launches: uint,
    }
}

/// Words of a slot: WebGPU's largest required alignment of uniforms.
pub(super) const SLOT: u32 = 64;
/// The word of the first element.
pub(super) const FIRST: u32 = 0;
/// The word of the number of elements.
pub(super) const COUNT: u32 = 1;
/// The first of the three words of the number of workgroups.
pub(super) const DISPATCH: u32 = 8;

#[inline(always)]
fn resolve<R: Real>(b: &Bindings<R>, k: u32) {
    let wanted = match b.launch.flags {
        0 => b.counts[b.launch.index as usize],
        slot => match b.launches.get((slot - 1) * SLOT + COUNT) {
            // The scan of no rows writes no total.
            0 => 0,
            end => b.counts[end as usize],
        },
    };
    let rows = wanted.min(b.status.get(b.launch.base));
    if k == 0 {
        b.status.set(b.launch.base + 1, b.status.get(b.launch.base + 1).max(wanted));
    }
    let place = 2 * (b.launch.first + k) as usize;
    let [slot, block, per_block, per_group] = b.resolve_slots[place];
    let [from, to, per_row, _] = b.resolve_slots[place + 1];
    let slot = slot * SLOT;
    let mut count = rows;
    if to > 0 {
        let first = b.counts[from as usize].min(rows);
        count = b.counts[to as usize].min(rows) - first;
        b.launches.set(slot + FIRST, first);
    }
    let elements = count.div_ceil(block) * per_block;
    let groups = elements.div_ceil(per_group);
    b.launches.set(slot + COUNT, elements);
    b.launches.set(slot + DISPATCH, groups.min(per_row));
    b.launches.set(slot + DISPATCH + 1, groups.div_ceil(per_row));
    b.launches.set(slot + DISPATCH + 2, 1);
}
