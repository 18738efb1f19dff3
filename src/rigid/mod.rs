//! Rigid bodies: one particle, the centre of mass, and one frame, the principal axes.
//!
//! The particle moves and the frame turns as all others do. What is their own is the free rotation of an uneven inertia
//! ([`predict_bodies`]), contact with colliders ([`touch_colliders`]), and the surface that is drawn ([`place_surface`]).

pub mod gather_bodies;
pub mod kick_bodies;
pub mod measure;
pub mod motion;
pub mod move_bodies;
pub mod place_surface;
pub mod predict_bodies;
mod setup;
pub mod spin;
pub mod touch_colliders;
mod touching;

pub use setup::Family;
