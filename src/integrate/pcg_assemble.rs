//! The blocks of the matrix κ M + τ² K + τ D on and above its diagonal, each the sum of its list of factors, and their
//! transposes below, κ each particle's share of its mass.
//!
//! A block has one list and one order of sums, and what stands below the diagonal is a copy: the matrix is symmetric to the bit. Of a
//! particle that cannot move nothing is left.

use super::factors::block;
use super::rows::{SLICE, first_value};
use crate::compute::Shared;
use crate::math::{Mat3, Real, Vec3};

crate::kernel! {
    "integrate/pcg_assemble" => pcg_assemble per Invocation {
        read block_starts: uint,        // where each block's list begins, and one end
        read block_entries: uint,       // factors and corners
        read block_places: uint2,       // of the block and of its transpose
        read columns: uint,             // particle of each block's column, by its place
        read corner_blocks: real4,      // factors
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read inertial: real4,           // w = κ
        write values: real,             // [kg], nine per block
    }
}

/// Replaces a block, by rows.
#[inline(always)]
pub fn store<R: Real>(values: Shared<'_, R>, place: u32, m: Mat3<R>) {
    let first = first_value(place) as u32;
    for (row, column) in [(0, m.x), (1, m.y), (2, m.z)].map(|(c, v)| (c, [v.x, v.y, v.z])) {
        for (k, value) in (0u32..).zip(column) {
            values.set(first + SLICE * (3 * k + row), value);
        }
    }
}

/// Replaces a block and its transpose, or a block on the diagonal by its upper half.
#[inline(always)]
pub fn store_both<R: Real>(values: Shared<'_, R>, [place, other]: [u32; 2], m: Mat3<R>) {
    if place == other {
        let Mat3 { x, y, z } = m;
        let (xy, yz, zx) = (y.x, z.y, z.x);
        let symmetric = Mat3::new(Vec3::new(x.x, xy, zx), Vec3::new(xy, y.y, yz), Vec3::new(zx, yz, z.z));
        store(values, place, symmetric);
        return;
    }
    store(values, place, m);
    store(values, other, m.transpose());
}

#[inline(always)]
fn pcg_assemble<R: Real>(b: &Bindings<R>, id: u32) {
    let places = b.block_places[id as usize];
    // The transpose of a block has its row for a column.
    let [row, column] = places.map(|place| b.columns[place as usize] as usize);
    let (w, v) = (b.positions[row].w, b.positions[column].w);
    let mut sum = Mat3::ZERO;
    if w > R::ZERO && v > R::ZERO {
        if places[0] == places[1] {
            let mass = b.inertial[row].w / w;
            sum = Mat3::diagonal(Vec3::new(mass, mass, mass));
        }
        for s in b.block_starts[id as usize]..b.block_starts[id as usize + 1] {
            sum = sum + block(b.corner_blocks, b.block_entries[s as usize]);
        }
    }
    store_both(b.values, places, sum);
}
