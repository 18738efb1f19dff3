//! The inverse of a whole small matrix: the coarsest level of a body, by Gauss's and Jordan's elimination in one workgroup.
//!
//! Without an exchange of rows, which a symmetric matrix that is not negative does not need. What hardly resists is left out, as in
//! [`super::grid_invert`].

use super::grid_invert::reciprocal;
use super::rows::{SLICE, first_value};
use crate::math::Real;

/// Rows of blocks that a tail has at most.
pub const MOST_ROWS: u32 = 32;

crate::kernel! {
    "integrate/tail_invert" => tail_invert per Workgroup {
        read slice_starts: uint,        // where each slice's blocks begin, in groups of 32, and one end
        read columns: uint,             // row of each block's column
        read values: real,              // nine per block
        read tails: uint4,              // first row, rows, first number of the inverse
        write tail_inverses: real,      // by rows of numbers
    }
}

#[inline(always)]
fn tail_invert<R: Real>(b: &Bindings<R>, tail: u32) {
    const MOST: usize = 3 * MOST_ROWS as usize;
    let [first, rows, start, _] = b.tails[tail as usize];
    let n = 3 * rows as usize;
    let mut a = [[R::ZERO; MOST]; MOST];
    for row in first..first + rows {
        let slice = (row / SLICE) as usize;
        for k in b.slice_starts[slice]..b.slice_starts[slice + 1] {
            let place = SLICE * k + row % SLICE;
            let column = b.columns[place as usize];
            let value = first_value(place);
            for c in 0..9 {
                // What pads a slice stands where the diagonal is, and adds nothing.
                let (i, j) = (3 * (row - first) as usize + c / 3, 3 * (column - first) as usize + c % 3);
                a[i][j] += b.values[value + c * SLICE as usize];
            }
        }
    }
    let diagonal: [R; MOST] = std::array::from_fn(|i| a[i][i]);
    for p in 0..n {
        let d = reciprocal(a[p][p], diagonal[p]);
        let row = a[p];
        for (i, line) in a.iter_mut().enumerate().take(n) {
            let factor = line[p] * d;
            if i != p {
                for (x, y) in line[..n].iter_mut().zip(&row[..n]) {
                    *x -= factor * *y;
                }
                line[p] = -factor;
            } else {
                for x in &mut line[..n] {
                    *x *= d;
                }
                line[p] = d;
            }
        }
    }
    for (i, line) in a.iter().enumerate().take(n) {
        for (j, value) in line.iter().enumerate().take(n) {
            b.tail_inverses.set(start + (i * n + j) as u32, *value);
        }
    }
}
