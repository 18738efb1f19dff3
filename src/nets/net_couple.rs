//! The blocks beside the diagonal of Newton's system of a net: G W G'ᵀ for two constraints that share a body.
//!
//! G is a constraint's gradient for the body, −Rᵀ and Rᵀ for the ends of a segment, [b]× for its frame, and what
//! [`super::net_measure_bend`] found for joints. Blocks that elimination creates begin as nothing.

use super::{BLOCK, ROW};
use crate::math::{Mat3, Quat, Real, Vec3};
use crate::rods;

crate::kernel! {
    "nets/net_couple" => net_couple per Invocation {
        read net_blocks: uint4,         // row, column; …
        read net_couplings: uint4,      // 1 particle, 2 frame; body; roles of row and column
        read net_rows: real4,           // …; gradients
        read positions: real4,          // xyz [m], w = 1/mass [1/kg]
        read rod_rest: real4,           // …; inverse inertia [1/(kg m²)]
        write net_factors: real4,       // E; …
    }
}

/// The kinds of bodies in `net_couplings`.
pub const PARTICLE: u32 = 1;
pub const FRAME: u32 = 2;

#[inline(always)]
fn net_couple<R: Real>(b: &Bindings<R>, id: u32) {
    let n = b.launch.first + id;
    let [row, column, ..] = b.net_blocks[n as usize];
    let [kind, body, first, second] = b.net_couplings[n as usize];
    let block = match kind {
        PARTICLE => {
            let [r, c] = [row, column].map(|c| Quat::from_vec4(b.net_rows[(ROW * c + 5) as usize]));
            let relative = |axis: Vec3<R>| r.conjugate().rotate(c.rotate(axis));
            let o = R::ZERO;
            let w = b.positions[body as usize].w;
            let w = if first == second { w } else { -w };
            let axes = [Vec3::new(w, o, o), Vec3::new(o, w, o), Vec3::new(o, o, w)].map(relative);
            Mat3::new(axes[0], axes[1], axes[2])
        }
        FRAME => {
            let weights = b.rod_rest[(rods::REST * body + 3) as usize].xyz();
            gradient(b, row, first).scale_columns(weights) * gradient(b, column, second).transpose()
        }
        _ => Mat3::ZERO,
    };
    super::store(b.net_factors, BLOCK * n, block);
}

/// ∂C/∂φ of a constraint for a frame in a role.
#[inline(always)]
fn gradient<R: Real>(b: &Bindings<R>, constraint: u32, role: u32) -> Mat3<R> {
    let at = |vector: u32| b.net_rows[(ROW * constraint + vector) as usize].xyz();
    match role {
        0 => Mat3::cross(at(6)),
        1 => Mat3::new(-at(5), -at(6), -at(7)),
        _ => Mat3::new(at(8), at(9), at(10)),
    }
}
