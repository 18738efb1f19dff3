//! Magnets: rigid bodies and segments of rods with moments, in each other's fields and in those of the scene.
//!
//! A magnet is cells in a tree ([`tree`]); pairs of magnets act on each other ([`pair_nodes`]), the scene's fields on each cell
//! ([`field_cells`]). What comes of it is added up in a fixed order and given to particles and frames.

pub mod advice;
pub mod chunk_loads;
pub mod drive_sources;
pub mod field;
pub mod field_cells;
pub mod lines;
pub mod measure;
pub mod pair_nodes;
pub mod place_nodes;
pub mod push_magnets;
mod setup;
pub mod sources;
pub mod sum_loads;
pub mod tree;
pub mod turn_segments;
pub mod twist_bodies;

pub use setup::Family;
