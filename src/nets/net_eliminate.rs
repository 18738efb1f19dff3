//! Newton's system of a net, eliminated round by round and solved.
//!
//!   Dⱼ = Aⱼⱼ − Σ Eⱼₖ Uⱼₖ      Eᵢⱼ = Aᵢⱼ − Σ Eᵢₖ Uⱼₖ      Uᵢⱼ = Dⱼ⁻¹ Eᵢⱼᵀ      zⱼ = Dⱼ⁻¹ (rⱼ − Σ Eⱼₖ zₖ)      Δλⱼ = zⱼ − Σ Uᵢⱼ Δλᵢ
//!
//! block L D Lᵀ with the order and the products of [`crate::model::net_elimination`]: k runs over columns eliminated before
//! j, and the columns of one round know nothing of each other. One workgroup solves one net: its threads share a round.

use super::{BLOCK, ROW};
use crate::math::{Mat3, Real, Vec3};
use crate::rods::ldl::Ldl;

crate::kernel! {
    "nets/net_eliminate" => net_eliminate per Workgroup {
        read net_systems: uint2,        // first round, end
        read net_rounds: uint4,         // first column, end; first block, end
        read net_columns: uint4,        // constraint; first block; first product, end
        read net_blocks: uint4,         // row, column; first product, end
        read net_products: uint2,       // blocks (i, k), (j, k)
        write net_factors: real4,       // E, U
        write net_rows: real4,          // …; A, then 1/D and L; r, then z, then Δλ; …
    }
}

/// The flag of a pass that substitutes, from the last of its rounds to the first.
pub const BACK: u32 = 1;
/// Columns or blocks that are worked on side by side.
pub const LANES: u32 = 64;

/// The net's number is the workgroup's. `launch.base` and `launch.index` are the first of a net's rounds and their end.
#[inline(always)]
fn net_eliminate<R: Real>(b: &Bindings<R>, group: u32) {
    let [first, last] = b.net_systems[(b.launch.first + group) as usize];
    let (start, end) = ((first + b.launch.base).min(last), (first + b.launch.index).min(last));
    if b.launch.flags & BACK != 0 {
        for round in (start..end).rev() {
            let [column, columns_end, ..] = b.net_rounds[round as usize];
            for j in column..columns_end {
                substitute(b, j);
            }
        }
        return;
    }
    for round in start..end {
        let [column, columns_end, block, blocks_end] = b.net_rounds[round as usize];
        for j in column..columns_end {
            eliminate_diagonal(b, j);
        }
        for n in block..blocks_end {
            eliminate_block(b, n);
        }
    }
}

#[inline(always)]
fn matrix<R: Real>(b: &Bindings<R>, at: u32) -> Mat3<R> {
    let column = |i: u32| b.net_factors.get(at + i).xyz();
    Mat3::new(column(0), column(1), column(2))
}

/// Dⱼ, and zⱼ.
#[inline(always)]
fn eliminate_diagonal<R: Real>(b: &Bindings<R>, j: u32) {
    let [constraint, _, start, end] = b.net_columns[j as usize];
    let row = ROW * constraint;
    let column = |i: u32| b.net_rows.get(row + 1 + i).xyz();
    let mut d = Mat3::new(column(0), column(1), column(2));
    let scale = Vec3::new(d.x.x, d.y.y, d.z.z);
    let mut y = b.net_rows.get(row + 4).xyz();
    for &[block, _] in &b.net_products[start as usize..end as usize] {
        let e = matrix(b, BLOCK * block);
        d = d - e * matrix(b, BLOCK * block + 3);
        y -= e.apply(b.net_rows.get(ROW * b.net_blocks[block as usize][1] + 4).xyz());
    }
    let factor = Ldl::new(d, scale);
    b.net_rows.set(row + 1, factor.inverse_pivots.with_w(R::ZERO));
    b.net_rows.set(row + 2, factor.lower.with_w(R::ZERO));
    b.net_rows.set(row + 4, factor.solve(y).with_w(R::ZERO));
}

/// Eᵢⱼ and Uᵢⱼ.
#[inline(always)]
fn eliminate_block<R: Real>(b: &Bindings<R>, n: u32) {
    let [_, column, start, end] = b.net_blocks[n as usize];
    let mut e = matrix(b, BLOCK * n);
    for &[first, second] in &b.net_products[start as usize..end as usize] {
        e = e - matrix(b, BLOCK * first) * matrix(b, BLOCK * second + 3);
    }
    let row = ROW * column;
    let factor = Ldl { inverse_pivots: b.net_rows.get(row + 1).xyz(), lower: b.net_rows.get(row + 2).xyz() };
    super::store(b.net_factors, BLOCK * n, e);
    super::store(b.net_factors, BLOCK * n + 3, factor.solve_columns(e.transpose()));
}

/// Δλⱼ.
#[inline(always)]
fn substitute<R: Real>(b: &Bindings<R>, j: u32) {
    let [constraint, start, ..] = b.net_columns[j as usize];
    let end = b.net_columns[j as usize + 1][1];
    let row = ROW * constraint;
    let mut x = b.net_rows.get(row + 4).xyz();
    for n in start..end {
        let later = b.net_rows.get(ROW * b.net_blocks[n as usize][0] + 4).xyz();
        x -= matrix(b, BLOCK * n + 3).apply(later);
    }
    b.net_rows.set(row + 4, x.with_w(R::ZERO));
}
