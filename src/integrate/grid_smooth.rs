//! One step of damped block-Jacobi: x + S (b − A x), with S of `grid_scale`.

use super::cg_block::multiply;
use super::cg_direction::DONE;
use super::matrix_product::{row_times, rows_times};
use crate::math::{Lane, Lanes, Real, Vec3, Vec4};

crate::kernel! {
    "integrate/grid_smooth" => grid_smooth, lanes grid_smooth_lanes, per Invocation {
        read slice_starts: uint,        // where each slice's blocks begin, in groups of 32, and one end
        read columns: uint,             // row of `guess` of each block
        read values: real,              // nine per block
        read smoothers: real4,          // S: xx, yy, zz; xy, yz, zx, two per row
        read right: real4,              // b
        read guess: real4,              // x
        read cg_counts: uint,           // done, iterations
        write result: real4,
    }
}

#[inline(always)]
fn grid_smooth<R: Real>(b: &Bindings<R>, i: u32) {
    if b.cg_counts[DONE] != 0 {
        return;
    }
    let product = row_times(b.slice_starts, b.columns, b.values, b.guess, i);
    let left = b.right[i as usize].xyz() - product;
    let smoother = [b.smoothers[2 * i as usize].xyz(), b.smoothers[2 * i as usize + 1].xyz()];
    let result = b.guess[i as usize].xyz() + multiply(smoother, left);
    b.result.set(i, result.with_w(R::ZERO));
}

#[inline(always)]
fn grid_smooth_lanes<L: Lanes>(b: &Bindings<f32>, i: u32) {
    if b.cg_counts[DONE] != 0 {
        return;
    }
    if !i.is_multiple_of(L::COUNT as u32) {
        (i..i + L::COUNT as u32).for_each(|i| grid_smooth(b, i));
        return;
    }
    let product = rows_times::<L>(b.slice_starts, b.columns, b.values, b.guess, i);
    let v: Vec3<L> = L::strided(b.right, i, 1).xyz() - product;
    let d: Vec4<L> = L::strided(b.smoothers, 2 * i, 2);
    let o: Vec4<L> = L::strided(b.smoothers, 2 * i + 1, 2);
    let x: Vec4<L> = L::strided(b.guess, i, 1);
    // As `multiply`, term by term.
    let step = Vec3::new(
        d.x * v.x + o.x * v.y + o.z * v.z,
        o.x * v.x + d.y * v.y + o.y * v.z,
        o.z * v.x + o.y * v.y + d.z * v.z,
    );
    b.result.store_vectors(i, 1, (x.xyz() + step).with_w(<L as Lane>::ZERO));
}
