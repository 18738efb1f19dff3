//! Nets: rods that share points, with elastic joints where they meet.
//!
//! The segments of a net have frames and strains like those of a rod ([`crate::rods`]), and their frames stand in the same
//! list. What differs is who meets whom: any number of segments at a point, joints between any two frames ([`joint`]), loops.
//! Junctions are knots, frames of their own to which the segments are fixed by half of their length each, so that a rod
//! through a junction is as stiff as one without; or, as in Spillmann & Teschner 2009, joints between every two segments.
//!
//! Four ways to solve: [`net_eliminate`] solves all constraints of a net at once; [`net_stretch`] and [`net_bend`] project
//! them one by one, in colours; [`net_ask_stretch`], [`net_ask_bend`] and [`net_gather`] side by side, each with a share of
//! the masses. The fourth, [`corde_net_joint`] with what [`crate::rods::corde`] does for segments, has no constraints: explicit forces and
//! torques at small steps.
//!
//! Spillmann & Teschner, Cosserat Nets, 2009.

pub mod band;
pub mod corde_net_joint;
pub mod direct;
mod dissection;
pub mod elimination;
mod gather;
pub mod joint;
pub mod net_answer;
pub mod net_ask_bend;
pub mod net_ask_stretch;
pub mod net_bend;
pub mod net_couple;
pub mod net_eliminate;
pub mod net_gather;
pub mod net_measure_bend;
pub mod net_measure_stretch;
pub mod net_stretch;
pub(crate) mod prepare;
mod products;
pub mod reference;
pub mod setup;

pub use setup::Family;

use crate::compute::{Kernel, Shared};
use crate::math::{Mat3, Real, Vec4};

/// The kernels of this family.
pub static KERNELS: &[&Kernel] = &[
    &corde_net_joint::KERNEL,
    &net_answer::KERNEL,
    &net_ask_bend::KERNEL,
    &net_ask_stretch::KERNEL,
    &net_bend::KERNEL,
    &net_couple::KERNEL,
    &net_eliminate::KERNEL,
    &net_gather::KERNEL,
    &net_measure_bend::KERNEL,
    &net_measure_stretch::KERNEL,
    &net_stretch::KERNEL,
];

/// Vectors per joint in `net_rest`: the offsets of both frames, 2 s₀ with the share of the first frame, α with that of the
/// second.
pub const REST: u32 = 4;
/// Vectors per constraint in `net_work`, segments before joints: λ, and what it asks of its two sides.
pub const WORK: u32 = 3;
/// The bit of a slot in `net_slots` whose push counts negative.
pub const OPPOSITE: u32 = 1 << 31;
/// Vectors per constraint in `net_rows`: λ; the block on the diagonal, then its factors; the right hand side, then Δλ; and
/// the gradients: q and b of a segment, those of both frames of a joint.
pub const ROW: u32 = 11;
/// Vectors per block in `net_factors`: E and U, by columns.
pub const BLOCK: u32 = 6;

/// Writes a matrix as three vectors.
#[inline(always)]
fn store<R: Real>(target: Shared<'_, Vec4<R>>, at: u32, m: Mat3<R>) {
    target.set(at, m.x.with_w(R::ZERO));
    target.set(at + 1, m.y.with_w(R::ZERO));
    target.set(at + 2, m.z.with_w(R::ZERO));
}
