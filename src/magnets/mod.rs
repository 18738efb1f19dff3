//! Magnets: rigid bodies with a moment, in each other's fields and in that of the scene.

pub mod load_magnets;
pub mod measure;
pub mod pair_magnets;
mod setup;

pub use setup::Family;
