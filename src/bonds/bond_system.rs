//! The blocks of the matrix beside the diagonal: what the motion of one cell of a bond does to the other.
//!
//!   e = uⱼ + θⱼ × aⱼ − uᵢ − θᵢ × aᵢ        φ = θⱼ − θᵢ        ½ eᵀ K_tt e + eᵀ K_tr φ + ½ φᵀ K_rr φ
//!
//! with aᵢ = −aⱼ half the way from centre to centre. Of a cell that cannot move, or not turn, nothing is left.

use super::bond_force::{ARM, BLOCK, MIXED, TURNING};
use super::cell_pose::POSE;
use crate::integrate::galerkin_rigid::part;
use crate::integrate::pcg_assemble::store;
use crate::math::{Mat3, Real, Vec3, Vec4};

crate::kernel! {
    "bonds/bond_system" => bond_system per Invocation {
        read bond_ends: uint4,          // cells i, j, law
        read bond_places: uint2,        // of the first block of rows i and columns j, and of rows j and columns i
        read bond_blocks: real4,        // twelve per bond
        read cell_poses: real4,         // three per cell
        write values: real,             // nine per block
    }
}

/// A matrix that a bond has left.
#[inline(always)]
pub fn matrix<R: Real>(blocks: &[Vec4<R>], bond: u32, first: u32) -> Mat3<R> {
    let column = |k: u32| blocks[(BLOCK * bond + first + k) as usize].xyz();
    Mat3::new(column(0), column(1), column(2))
}

/// The blocks tt, tr, rt and rr of rows of a cell at arm `a` and columns of one at arm `c`, for a bond whose sign is the same for both.
#[inline(always)]
pub fn blocks<R: Real>(list: &[Vec4<R>], bond: u32, a: Vec3<R>, c: Vec3<R>) -> [Mat3<R>; 4] {
    let [tt, tr, rr] = [0, MIXED, TURNING].map(|first| matrix(list, bond, first));
    // θ × c = right θ; the transpose of that of a is `up`.
    let (up, right) = (Mat3::cross(a), Mat3::cross(-c));
    let moved = tt * right + tr;
    let turned = tr.transpose();
    [tt, moved, up * tt + turned, up * moved + (turned * right + rr)]
}

#[inline(always)]
fn bond_system<R: Real>(b: &Bindings<R>, id: u32) {
    let [i, j, ..] = b.bond_ends[id as usize];
    let [place, other] = b.bond_places[id as usize];
    let arm = b.bond_blocks[(BLOCK * id + ARM) as usize].xyz();
    let found = blocks(b.bond_blocks, id, arm, -arm);
    let dt = b.launch.dt;
    let free = |cell: u32, k: u32| b.cell_poses[(POSE * cell + k) as usize].w > R::ZERO;
    for (k, block) in (0u32..).zip(found) {
        let (row, column) = (k >> 1, k & 1);
        let both = free(i, row) && free(j, column);
        let block = block.scale(R::select(both, -dt * dt, R::ZERO));
        store(b.values, part(place, row, column), block);
        store(b.values, part(other, column, row), block.transpose());
    }
}
