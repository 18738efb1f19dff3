//! Newton's system of a net, eliminated round by round and solved.
//!
//!   Dⱼ = Aⱼⱼ − Σ Eⱼₖ Uⱼₖ      Eᵢⱼ = Aᵢⱼ − Σ Eᵢₖ Uⱼₖ      Uᵢⱼ = Dⱼ⁻¹ Eᵢⱼᵀ      zⱼ = Dⱼ⁻¹ (rⱼ − Σ Eⱼₖ zₖ)      Δλⱼ = zⱼ − Σ Uᵢⱼ Δλᵢ
//!
//! block L D Lᵀ with the order and the products of [`super::elimination`]: k runs over columns eliminated before
//! j, and the columns of one round know nothing of each other. One workgroup solves one net: its threads share a round, on a
//! device as on the CPU.

use super::{BLOCK, ROW};
use crate::math::{Mat3, Real, Vec3, Vec4};
use crate::rods::ldl::Ldl;
use rayon::prelude::*;
use std::ops::Range;

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

/// Products of blocks in a round, or blocks that are substituted, from which on it is worth waking another core.
pub const WORTH: u32 = 4096;

/// The net's number is the workgroup's. `launch.base` and `launch.index` are the first of a net's rounds and their end.
#[inline(always)]
fn net_eliminate<R: Real>(b: &Bindings<R>, group: u32) {
    let [first, last] = b.net_systems[(b.launch.first + group) as usize];
    let (start, end) = ((first + b.launch.base).min(last), (first + b.launch.index).min(last));
    if b.launch.flags & BACK != 0 {
        for round in (start..end).rev() {
            let [column, columns_end, block, blocks_end] = b.net_rounds[round as usize];
            share(b, column..columns_end, blocks_end - block, substitute);
        }
        return;
    }
    for round in start..end {
        let [column, columns_end, block, blocks_end] = b.net_rounds[round as usize];
        let products = |list: &[[u32; 4]]| match list {
            [] => 0,
            [first, ..] => list[list.len() - 1][3] - first[2],
        };
        let columns = products(&b.net_columns[column as usize..columns_end as usize]);
        let blocks = products(&b.net_blocks[block as usize..blocks_end as usize]);
        share(b, column..columns_end, columns, eliminate_diagonal);
        share(b, block..blocks_end, blocks, eliminate_block);
    }
}

/// The columns or blocks of one round on all cores if there is work enough, else one after the other.
#[inline(always)]
fn share<'a, R: Real>(b: &Bindings<'a, R>, range: Range<u32>, work: u32, act: fn(&Bindings<'a, R>, u32)) {
    struct Round<'b, 'a, R: Real>(&'b Bindings<'a, R>);
    // SAFETY: what is worked on in one round writes its own elements and reads what earlier rounds have written, as the
    // invocations of a workgroup between two barriers.
    unsafe impl<R: Real> Sync for Round<'_, '_, R> {}
    impl<'a, R: Real> Round<'_, 'a, R> {
        fn run(&self, act: fn(&Bindings<'a, R>, u32), n: u32) {
            act(self.0, n);
        }
    }
    if work < WORTH {
        range.for_each(|n| act(b, n));
    } else {
        let round = Round(b);
        range.into_par_iter().for_each(|n| round.run(act, n));
    }
}

/// m − a u of one column, with the matrix `a` by columns as they stand in memory: their fourth numbers are 0, so that four are worked on at
/// once.
#[inline(always)]
fn less_product<R: Real>(m: Vec4<R>, a: &[Vec4<R>; 3], u: Vec4<R>) -> Vec4<R> {
    Vec4::new(
        m.x - (a[0].x * u.x + a[1].x * u.y + a[2].x * u.z),
        m.y - (a[0].y * u.x + a[1].y * u.y + a[2].y * u.z),
        m.z - (a[0].z * u.x + a[1].z * u.y + a[2].z * u.z),
        m.w - (a[0].w * u.x + a[1].w * u.y + a[2].w * u.z),
    )
}

#[inline(always)]
fn columns<R: Real>(b: &Bindings<R>, at: u32) -> [Vec4<R>; 3] {
    [b.net_factors.get(at), b.net_factors.get(at + 1), b.net_factors.get(at + 2)]
}

#[inline(always)]
fn matrix<R: Real>(b: &Bindings<R>, at: u32) -> Mat3<R> {
    let [x, y, z] = columns(b, at);
    Mat3::new(x.xyz(), y.xyz(), z.xyz())
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
    let [mut x, mut y, mut z] = columns(b, BLOCK * n);
    for &[first, second] in &b.net_products[start as usize..end as usize] {
        let (a, u) = (columns(b, BLOCK * first), columns(b, BLOCK * second + 3));
        x = less_product(x, &a, u[0]);
        y = less_product(y, &a, u[1]);
        z = less_product(z, &a, u[2]);
    }
    b.net_factors.set(BLOCK * n, x);
    b.net_factors.set(BLOCK * n + 1, y);
    b.net_factors.set(BLOCK * n + 2, z);
    let e = Mat3::new(x.xyz(), y.xyz(), z.xyz());
    let row = ROW * column;
    let factor = Ldl { inverse_pivots: b.net_rows.get(row + 1).xyz(), lower: b.net_rows.get(row + 2).xyz() };
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
