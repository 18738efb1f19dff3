//! Frames: what turns, beside particles, which move.
//!
//! A frame is an orientation with an inertia. The segments of rods and nets have one each, and so has whatever else turns: a
//! rigid body is a particle and a frame. Families contribute their frames as rows of one table ([`Frames`]) and refer to them by
//! number. During a substep the orientation stays fixed and everything works on the small *turn* ([`turn`]), as it works on
//! the displacements of particles.

pub mod drive_frames;
pub mod finish_frames;
pub mod load_frames;
pub mod predict_frames;
pub mod release_frames;
pub mod second_finish_frames;
pub mod second_predict_frames;
mod setup;
pub mod turn;

pub use setup::{Drive, Family, Frame, Frames, Release};
