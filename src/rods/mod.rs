//! Elastic rods after Cosserat: a chain of particles with a material frame on every segment.
//!
//! The particles carry the centre line, one unit quaternion per segment carries the cross-sections. Stretch and shear live
//! on the segments, bending and twist on the joints between them, in SI units from E, G, the radius and the lengths
//! ([`strain`]). Three ways to solve, chosen per body: [`solve_chain`] solves all constraints of a rod at once, by a block
//! elimination along it, so that steel converges in an iteration or two; [`stretch_shear`] and [`bend_twist`] project them
//! one by one, every second at a time, and [`walk_rods`] does the same in one pass; [`project_rods`] and
//! [`gather_rods`] all at once, each with a share of the masses. The fourth, [`corde`], has no constraints: explicit forces and
//! torques at small steps.
//!
//! Spillmann & Teschner 2007 (CoRdE) for the model; Kugelstadt & Schömer 2016 and Deul, Kugelstadt, Weiler, Bender 2018
//! for position-based rods.

pub mod bend_twist;
pub mod block;
pub mod corde;
pub mod corde_joint;
pub mod corde_kick;
pub mod corde_segment;
pub mod corde_spin;
pub mod corde_turn;
pub mod gather_rods;
pub mod ldl;
pub(crate) mod loaded;
pub mod measure;
mod parts;
pub(crate) mod prepare;
pub mod project_rods;
pub mod release_rods;
pub mod setup;
pub mod solve_chain;
pub mod stable_step;
pub mod statics;
pub mod strain;
pub mod stretch_shear;
pub mod walk;
pub mod walk_rods;

pub use setup::Family;

use crate::compute::Kernel;

/// The kernels of this family.
pub static KERNELS: &[&Kernel] = &[
    &bend_twist::KERNEL,
    &corde_joint::KERNEL,
    &corde_kick::KERNEL,
    &corde_segment::KERNEL,
    &corde_spin::KERNEL,
    &corde_turn::KERNEL,
    &gather_rods::KERNEL,
    &project_rods::KERNEL,
    &release_rods::KERNEL,
    &solve_chain::KERNEL,
    &stretch_shear::KERNEL,
    &walk_rods::KERNEL,
];

/// Vectors per frame in `rod_rest`: (l, α of shear, α of stretch, gyroscopic factor if explicit), C₀ of the joint to the next frame, its α, and the inverse
/// inertia with the frame's gyroscopic factor if not.
pub const REST: u32 = 4;
/// Vectors per frame in `rod_work`: λ of the segment and of the joint, b, (s, c), and a row of the elimination for each.
pub const WORK: u32 = 16;
/// The flag in `rod_segments` of a frame that has a joint to the next.
pub const JOINT: u32 = 1;
/// The flag of the first segment of a rod.
pub const FIRST: u32 = 2;
