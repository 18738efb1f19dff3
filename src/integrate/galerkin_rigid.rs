//! The blocks of a coarse level's matrix whose unknowns are rigid motions: four per pair of nodes, of translations and rotations.
//!
//!   u = w (t + ω × d)        A_tt = Σ w w A        A_tω = −Σ w w A [d]×        A_ωω = −Σ w w [d]× A [d]×
//!
//! d are the arms of `grid_arms`. Fine nodes that are rigid motions themselves (`launch.flags` is [`RIGID`]) add what their own
//! rotations do, which are w ω.

use super::galerkin::load;
use super::pcg_assemble::{store, store_both};
use super::rows::SLICE;
use crate::math::{Mat3, Real};

/// The flag of fine nodes that are rigid motions.
pub const RIGID: u32 = 1;

crate::kernel! {
    "integrate/galerkin_rigid" => galerkin_rigid per Invocation {
        read block_starts: uint,        // where the list of each pair of nodes begins, and one end
        read block_entries: uint,       // place of the fine block, weight of its row, weight of its column
        read block_places: uint2,       // of the pair's first block and of its transpose
        read weights: real,             // w
        read arms: real4,               // d, xyz [m]
        read fine_values: real,         // nine per block
        write values: real,             // nine per block
    }
}

/// The places of a pair's blocks: of rows and columns translation (0) or rotation (1), from that of the first.
#[inline(always)]
pub fn part(place: u32, row: u32, column: u32) -> u32 {
    place + row + SLICE * column
}

#[inline(always)]
fn galerkin_rigid<R: Real>(b: &Bindings<R>, id: u32) {
    let (mut tt, mut tr, mut rt, mut rr) = (Mat3::ZERO, Mat3::ZERO, Mat3::ZERO, Mat3::ZERO);
    for s in b.block_starts[id as usize]..b.block_starts[id as usize + 1] {
        let [place, row, column] = [0, 1, 2].map(|k| b.block_entries[3 * s as usize + k]);
        let w = b.weights[row as usize] * b.weights[column as usize];
        let left = Mat3::cross(b.arms[row as usize].xyz());
        let right = Mat3::cross(-b.arms[column as usize].xyz());
        let fine = load(b.fine_values, place).scale(w);
        let mut turned = fine * right;
        let mut across = left * fine;
        let mut both = left * turned;
        if b.launch.flags & RIGID != 0 {
            let own = |row: u32, column: u32| load(b.fine_values, part(place, row, column)).scale(w);
            let (columns, rows) = (own(0, 1), own(1, 0));
            turned = turned + columns;
            across = across + rows;
            both = both + left * columns + rows * right + own(1, 1);
        }
        tt = tt + fine;
        tr = tr + turned;
        rt = rt + across;
        rr = rr + both;
    }
    let [place, other] = b.block_places[id as usize];
    store_both(b.values, [place, other], tt);
    store_both(b.values, [part(place, 1, 1), part(other, 1, 1)], rr);
    // A pair of equal nodes is symmetric as a whole.
    let rt = if place == other { tr.transpose() } else { rt };
    store(b.values, part(place, 0, 1), tr);
    store(b.values, part(place, 1, 0), rt);
    if place != other {
        store(b.values, part(other, 1, 0), tr.transpose());
        store(b.values, part(other, 0, 1), rt.transpose());
    }
}
