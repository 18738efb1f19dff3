//! The blocks of a coarse level's matrix whose unknowns are rigid motions: four per pair of nodes, of translations and rotations.
//!
//!   u = w (t + ω × d)        A_tt = Σ w w A        A_tω = −Σ w w A [d]×        A_ωω = −Σ w w [d]× A [d]×
//!
//! d are the arms of `grid_arms`. Fine nodes that are rigid motions themselves (`launch.flags` is [`RIGID`]) add what their own
//! rotations do, which are w ω.

use super::galerkin::load;
use super::pcg_assemble::{store, store_both};
use super::rows::SLICE;
use crate::math::{Mat3, Real, Vec3};

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

/// A [−d]×.
#[inline(always)]
fn turned<R: Real>(a: Mat3<R>, d: Vec3<R>) -> Mat3<R> {
    Mat3::new(a.z * d.y - a.y * d.z, a.x * d.z - a.z * d.x, a.y * d.x - a.x * d.y)
}

/// [d]× A.
#[inline(always)]
fn crossed<R: Real>(d: Vec3<R>, a: Mat3<R>) -> Mat3<R> {
    Mat3::new(d.cross(a.x), d.cross(a.y), d.cross(a.z))
}

/// Entries of one fine row stand together: it is multiplied from the right by each of them and from the left once.
#[inline(always)]
fn galerkin_rigid<R: Real>(b: &Bindings<R>, id: u32) {
    let entry = |s: u32, k: u32| b.block_entries[(3 * s + k) as usize];
    let (mut tt, mut tr, mut rt, mut rr) = (Mat3::ZERO, Mat3::ZERO, Mat3::ZERO, Mat3::ZERO);
    let mut s = b.block_starts[id as usize];
    let end = b.block_starts[id as usize + 1];
    while s < end {
        let row = entry(s, 1);
        // What the row does to translations and rotations of the column's node.
        let (mut t, mut r) = ([Mat3::ZERO; 2], [Mat3::ZERO; 2]);
        while s < end && entry(s, 1) == row {
            let (place, column) = (entry(s, 0), entry(s, 2) as usize);
            let (w, d) = (b.weights[column], b.arms[column].xyz());
            let fine = load(b.fine_values, place).scale(w);
            t = [t[0] + fine, t[1] + turned(fine, d)];
            if b.launch.flags & RIGID != 0 {
                let own = |row: u32, column: u32| load(b.fine_values, part(place, row, column)).scale(w);
                let below = own(1, 0);
                t[1] = t[1] + own(0, 1);
                r = [r[0] + below, r[1] + turned(below, d) + own(1, 1)];
            }
            s += 1;
        }
        let (w, d) = (b.weights[row as usize], b.arms[row as usize].xyz());
        tt = tt + t[0].scale(w);
        tr = tr + t[1].scale(w);
        rt = rt + (crossed(d, t[0]) + r[0]).scale(w);
        rr = rr + (crossed(d, t[1]) + r[1]).scale(w);
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
