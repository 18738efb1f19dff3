//! Coarse links: a position-based sheet is pulled together over long ways before its own links are solved.
//!
//! A sweep over links of neighbours carries a pull by a few particles, so that a fine sheet stretches unless it takes many substeps. Every second
//! thread of a grid, of these every second, and so on, are the lines of coarser nets; their nodes are particles of the
//! sheet, and their links have the length of the threads between them. Such a link can only be too long where threads are, and what is too short
//! is left alone: a sheet that hangs slack moves by no bit.
//!
//! Before the first iteration of a substep the nets are gone through from the coarsest to the finest: `coarse_pull` shortens what is too
//! long, `coarse_carry` gives the moves of the nodes to those of the next net, by weights that sum to one, and `coarse_move` in the end to all particles.
//! With masses Wᵀ m of the nodes a free sheet keeps its momentum.

pub mod coarse_carry;
pub mod coarse_move;
pub mod coarse_pull;
mod nets;
mod setup;

pub use setup::Family;

use crate::compute::Kernel;
use crate::math::{Real, Vec3, Vec4};

/// The kernels of this folder.
pub static KERNELS: &[&Kernel] = &[&coarse_carry::KERNEL, &coarse_move::KERNEL, &coarse_pull::KERNEL];

/// Σ w d of a row over what it takes from a coarser net.
#[inline(always)]
fn carried<R: Real>(
    starts: &[u32],
    shares: &[[u32; 2]],
    moves: impl Fn(u32) -> Vec4<R>,
    row: usize,
) -> Vec3<R> {
    let mut sum = Vec3::ZERO;
    for s in starts[row]..starts[row + 1] {
        let [node, weight] = shares[s as usize];
        sum += moves(node).xyz() * R::of(f64::from(f32::from_bits(weight)));
    }
    sum
}
