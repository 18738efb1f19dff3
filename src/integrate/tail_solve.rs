//! The coarsest level of a body is solved by the inverse of its matrix.

use crate::math::{Real, Vec3};

crate::kernel! {
    "integrate/tail_solve" => tail_solve per Workgroup {
        read tails: uint4,              // first row, rows, first number of the inverse
        read tail_inverses: real,       // by rows of numbers
        read right: real4,              // b
        write result: real4,            // x
    }
}

#[inline(always)]
fn tail_solve<R: Real>(b: &Bindings<R>, tail: u32) {
    let [first, rows, start, _] = b.tails[tail as usize];
    let n = 3 * rows as usize;
    for row in 0..rows {
        let number = |c: usize| {
            let line = &b.tail_inverses[start as usize + (3 * row as usize + c) * n..][..n];
            let mut sum = R::ZERO;
            for (block, right) in line.chunks_exact(3).zip(&b.right[first as usize..]) {
                sum += block[0] * right.x + block[1] * right.y + block[2] * right.z;
            }
            sum
        };
        b.result.set(first + row, Vec3::new(number(0), number(1), number(2)).with_w(R::ZERO));
    }
}
