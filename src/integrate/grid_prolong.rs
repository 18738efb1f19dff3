//! What a coarse level has found moves the fine one: x ← x + W y, with w (t + ω × d) of a rigid motion.

use super::grid_restrict::ARM;
use crate::math::Real;

crate::kernel! {
    "integrate/grid_prolong" => grid_prolong per Invocation {
        read weight_starts: uint,       // where each fine row's weights begin, and one end
        read weight_rows: uint,         // coarse row and whether the weight has an arm
        read weights: real,             // w
        read arms: real4,               // d, xyz [m]
        read coarse: real4,             // y
        write guess: real4,             // x
    }
}

#[inline(always)]
fn grid_prolong<R: Real>(b: &Bindings<R>, i: u32) {
    let mut sum = b.guess.get(i).xyz();
    for s in b.weight_starts[i as usize]..b.weight_starts[i as usize + 1] {
        let row = b.weight_rows[s as usize];
        let place = (row & !ARM) as usize;
        let mut y = b.coarse[place].xyz();
        if row & ARM != 0 {
            y += b.coarse[place + 1].xyz().cross(b.arms[s as usize].xyz());
        }
        sum += y * b.weights[s as usize];
    }
    b.guess.set(i, sum.with_w(R::ZERO));
}
