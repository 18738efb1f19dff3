//! The blocks of a coarse level's matrix whose unknowns are translations: Wᵀ A W, each block the sum of its list.
//!
//! The weights depend on the mesh alone, so that their products are part of the list.

use super::pcg_assemble::store_both;
use super::rows::{SLICE, first_value};
use crate::math::{Mat3, Real, Vec3};

crate::kernel! {
    "integrate/galerkin" => galerkin per Invocation {
        read block_starts: uint,        // where each coarse block's list begins, and one end
        read block_entries: uint,       // places of fine blocks
        read block_weights: real,       // products of weights
        read block_places: uint2,       // of the coarse block and of its transpose
        read fine_values: real,         // nine per block
        write values: real,             // nine per block
    }
}

/// A block of a matrix.
#[inline(always)]
pub fn load<R: Real>(values: &[R], place: u32) -> Mat3<R> {
    let first = first_value(place);
    let v = |c: usize| values[first + c * SLICE as usize];
    Mat3::new(Vec3::new(v(0), v(3), v(6)), Vec3::new(v(1), v(4), v(7)), Vec3::new(v(2), v(5), v(8)))
}

#[inline(always)]
fn galerkin<R: Real>(b: &Bindings<R>, id: u32) {
    let mut sum = Mat3::ZERO;
    for s in b.block_starts[id as usize]..b.block_starts[id as usize + 1] {
        let fine = load(b.fine_values, b.block_entries[s as usize]);
        sum = sum + fine.scale(b.block_weights[s as usize]);
    }
    store_both(b.values, b.block_places[id as usize], sum);
}
