//! The product of a sparse matrix and a vector, one row of blocks per invocation: A x, or what is left of the right side, b − A x.

use super::cg_direction::DONE;
use super::rows::{SLICE, first_value};
use crate::math::{Lane, Lanes, Places, Real, Vec3, Vec4};

/// The flag of b − A x.
pub const REMAINDER: u32 = 1;

crate::kernel! {
    "integrate/matrix_product" => matrix_product, lanes matrix_product_lanes, per Invocation {
        read slice_starts: uint,        // where each slice's blocks begin, in groups of 32, and one end
        read columns: uint,             // row of `guess` of each block
        read values: real,              // nine per block
        read right: real4,              // b
        read guess: real4,              // x
        read cg_counts: uint,           // done, iterations
        write result: real4,
    }
}

/// The row of blocks times a vector.
#[inline(always)]
pub fn row_times<R: Real>(starts: &[u32], columns: &[u32], values: &[R], x: &[Vec4<R>], row: u32) -> Vec3<R> {
    let slice = (row / SLICE) as usize;
    let mut sum = Vec3::ZERO;
    for k in starts[slice]..starts[slice + 1] {
        let place = SLICE * k + row % SLICE;
        let x = x[columns[place as usize] as usize];
        let first = first_value(place);
        let v = |c: usize| values[first + c * SLICE as usize];
        sum += Vec3::new(
            v(0) * x.x + v(1) * x.y + v(2) * x.z,
            v(3) * x.x + v(4) * x.y + v(5) * x.z,
            v(6) * x.x + v(7) * x.y + v(8) * x.z,
        );
    }
    sum
}

/// As [`row_times`] for neighbouring rows of one slice.
#[inline(always)]
pub fn rows_times<L: Lanes>(
    starts: &[u32],
    columns: &[u32],
    values: &[f32],
    x: &[Vec4<f32>],
    row: u32,
) -> Vec3<L> {
    let slice = (row / SLICE) as usize;
    let mut sum = Vec3::<L>::ZERO;
    for k in starts[slice]..starts[slice + 1] {
        let place = SLICE * k + row % SLICE;
        let columns = &columns[place as usize..place as usize + L::COUNT];
        let x: Vec4<L> = L::gather(x, &Places::new::<L>(x.len(), |lane| columns[lane]));
        let values = &values[first_value(place)..];
        let v = |c: usize| L::load(&values[c * SLICE as usize..]);
        let first = v(0) * x.x + v(1) * x.y + v(2) * x.z;
        let second = v(3) * x.x + v(4) * x.y + v(5) * x.z;
        let third = v(6) * x.x + v(7) * x.y + v(8) * x.z;
        sum += Vec3::new(first, second, third);
    }
    sum
}

#[inline(always)]
fn matrix_product<R: Real>(b: &Bindings<R>, i: u32) {
    if b.cg_counts[DONE] != 0 {
        return;
    }
    let product = row_times(b.slice_starts, b.columns, b.values, b.guess, i);
    let remains = b.launch.flags & REMAINDER != 0;
    let result = if remains { b.right[i as usize].xyz() - product } else { product };
    b.result.set(i, result.with_w(R::ZERO));
}

#[inline(always)]
fn matrix_product_lanes<L: Lanes>(b: &Bindings<f32>, i: u32) {
    if b.cg_counts[DONE] != 0 {
        return;
    }
    if !i.is_multiple_of(L::COUNT as u32) {
        (i..i + L::COUNT as u32).for_each(|i| matrix_product(b, i));
        return;
    }
    let mut result = rows_times::<L>(b.slice_starts, b.columns, b.values, b.guess, i);
    if b.launch.flags & REMAINDER != 0 {
        result = L::strided(b.right, i, 1).xyz() - result;
    }
    b.result.store_vectors(i, 1, result.with_w(<L as Lane>::ZERO));
}
