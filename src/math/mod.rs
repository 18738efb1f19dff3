//! Vectors and quaternions over a scalar type: the twins are written once and run in f32 and in f64.
//!
//! A small module rather than nalgebra: the twins need a dozen operations on plain `repr(C)` values that can
//! be viewed as the buffers' memory, and the crate then builds in seconds. Host geometry stays with glam.

pub mod dual;
pub mod eigen;
mod hinge;
pub mod lane;
#[cfg(target_arch = "x86_64")]
mod lane_x86;
mod mat;
mod precision;
mod quat;
pub mod random;
mod real;
mod vec;

pub use hinge::Hinge;
pub use lane::{Lane, Lanes, Places, Spread, Width};
pub use mat::Mat3;
pub use precision::Precision;
pub use quat::Quat;
pub use real::Real;
pub use vec::{Vec3, Vec4};
