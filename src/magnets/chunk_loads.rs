//! Adds up the loads of a few rows: all rows of a pair, or of a magnet in the fields of the scene, in pieces that side by side fill a machine.

use crate::math::{Real, Vec3};

/// Rows of a chunk.
pub const CHUNK: usize = 64;

crate::kernel! {
    "magnets/chunk_loads" => chunk_loads per Invocation {
        read magnet_chunks: uint2,      // rows: first, end
        read magnet_loads: real4,       // three of a row
        write chunk_sums: real4,        // three of a chunk
    }
}

#[inline(always)]
fn chunk_loads<R: Real>(b: &Bindings<R>, id: u32) {
    let [first, end] = b.magnet_chunks[id as usize];
    let mut sums = [Vec3::ZERO; 3];
    for row in first..end {
        sums = [0, 1, 2].map(|k| sums[k] + b.magnet_loads[3 * row as usize + k].xyz());
    }
    for (k, sum) in (3 * id..).zip(sums) {
        b.chunk_sums.set(k, sum.with_w(R::ZERO));
    }
}
