//! What an element leaves of its stiffness for the matrix: factors, from which any of its 3×3 blocks is made.
//! Twin of `shaders/common/factors.wgsl`.
//!
//! A stiffness does not act on translations, so that the blocks of one corner, the origin, are minus the sums of the others':
//!
//! - [`Kind::Triangle`]: the blocks of corners 1 and 2; corner 0 is the origin.
//! - [`Kind::Fold`]: the gradients g₁, g₂ and g₄ with the stiffness k, K = k g gᵀ; the third corner is the origin.
//! - [`Kind::Frame`]: the rotated gradients w of corners 1 to 3 with λ and μ, K = λ w_a w_bᵀ + μ (w_b w_aᵀ + w_a·w_b).
//! - [`Kind::Tetrahedron`]: the blocks of corners 1 to 3 of any law.
//!
//! Factors have been multiplied by τ², and damping is in them.

use crate::compute::Shared;
use crate::math::{Mat3, Real, Vec3, Vec4};

/// How factors make blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Triangle = 0,
    Fold = 1,
    Frame = 2,
    Tetrahedron = 3,
}

impl Kind {
    /// Vectors that an element leaves.
    pub fn length(self) -> u32 {
        match self {
            Self::Triangle => 7,
            Self::Fold | Self::Frame => 3,
            Self::Tetrahedron => 15,
        }
    }
}

/// Bits of an entry below the place of its factors: two of the kind, two of each corner.
pub const PLACE_SHIFT: u32 = 6;

/// An entry of a block's list: where the factors are, and which corners of the element.
pub fn entry(place: u32, kind: Kind, [a, b]: [u32; 2]) -> u32 {
    place << PLACE_SHIFT | (kind as u32) << 4 | a << 2 | b
}

/// Leaves the two vectors of a symmetric block.
#[inline(always)]
pub fn store_symmetric<R: Real>(
    factors: Shared<'_, Vec4<R>>,
    place: u32,
    [diagonal, off]: [Vec3<R>; 2],
    w: R,
) {
    factors.set(place, diagonal.with_w(w));
    factors.set(place + 1, off.with_w(R::ZERO));
}

/// Leaves the three columns of a block.
#[inline(always)]
pub fn store_block<R: Real>(factors: Shared<'_, Vec4<R>>, place: u32, m: Mat3<R>) {
    factors.set(place, m.x.with_w(R::ZERO));
    factors.set(place + 1, m.y.with_w(R::ZERO));
    factors.set(place + 2, m.z.with_w(R::ZERO));
}

/// y nᵀ.
#[inline(always)]
fn dyad<R: Real>(y: Vec3<R>, n: Vec3<R>) -> Mat3<R> {
    Mat3::new(y * n.x, y * n.y, y * n.z)
}

#[inline(always)]
fn symmetric<R: Real>(factors: &[Vec4<R>], place: usize) -> Mat3<R> {
    let (d, o) = (factors[place], factors[place + 1]);
    Mat3::new(Vec3::new(d.x, o.x, o.z), Vec3::new(o.x, d.y, o.y), Vec3::new(o.z, o.y, d.z))
}

#[inline(always)]
fn full<R: Real>(factors: &[Vec4<R>], place: usize) -> Mat3<R> {
    Mat3::new(factors[place].xyz(), factors[place + 1].xyz(), factors[place + 2].xyz())
}

/// The block of corners i and j, neither of them the origin, of an element with `corners` others: by rows of the upper triangle.
#[inline(always)]
fn stored<R: Real>(factors: &[Vec4<R>], place: usize, corners: u32, i: u32, j: u32) -> Mat3<R> {
    let (low, high) = (i.min(j), i.max(j));
    // Of three corners: 11 at 0, 12 at 2, 13 at 5, 22 at 8, 23 at 10, 33 at 13.
    let before = match (corners, low) {
        (3, 2) => 8,
        (3, 3) => 13,
        _ => 5 * (low - 1),
    };
    if low == high {
        return symmetric(factors, place + before as usize);
    }
    let block = full(factors, place + (before + 2 + 3 * (high - low - 1)) as usize);
    if i < j { block } else { block.transpose() }
}

/// The sum over the corners that stand for a and b.
#[inline(always)]
fn dense<R: Real>(factors: &[Vec4<R>], place: usize, corners: u32, a: u32, b: u32) -> Mat3<R> {
    let mut sum = Mat3::ZERO;
    for i in 1..=corners {
        for j in 1..=corners {
            if (a == 0 || a == i) && (b == 0 || b == j) {
                let block = stored(factors, place, corners, i, j);
                sum = if (a == 0) == (b == 0) { sum + block } else { sum - block };
            }
        }
    }
    sum
}

/// The gradient of a corner of three vectors, of which `origin` is minus their sum.
#[inline(always)]
fn gradient<R: Real>(factors: &[Vec4<R>], place: usize, corner: u32, origin: u32) -> Vec3<R> {
    if corner == origin {
        return -(factors[place].xyz() + factors[place + 1].xyz() + factors[place + 2].xyz());
    }
    factors[place + (corner - u32::from(corner > origin)) as usize].xyz()
}

/// The block of an entry.
#[inline(always)]
pub fn block<R: Real>(factors: &[Vec4<R>], entry: u32) -> Mat3<R> {
    let place = (entry >> PLACE_SHIFT) as usize;
    let (a, b) = (entry >> 2 & 3, entry & 3);
    match entry >> 4 & 3 {
        0 => dense(factors, place, 2, a, b),
        1 => {
            let (g, h) = (gradient(factors, place, a, 2), gradient(factors, place, b, 2));
            dyad(g * factors[place].w, h)
        }
        2 => {
            let (v, w) = (gradient(factors, place, a, 0), gradient(factors, place, b, 0));
            let (lambda, mu) = (factors[place].w, factors[place + 1].w);
            let own = mu * v.dot(w) + if a == b { factors[place + 2].w } else { R::ZERO };
            dyad(v * lambda, w) + dyad(w * mu, v) + Mat3::diagonal(Vec3::new(own, own, own))
        }
        _ => {
            let own = if a == b { factors[place].w } else { R::ZERO };
            dense(factors, place, 3, a, b) + Mat3::diagonal(Vec3::new(own, own, own))
        }
    }
}
