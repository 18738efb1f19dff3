//! Magnets: rigid bodies, segments of rods, triangles and tetrahedra with moments, in each other's fields and in those of the scene.
//!
//! A magnet is cells in a tree ([`tree`]); pairs of magnets act on each other ([`pair_nodes`]), the scene's fields on each cell
//! ([`field_cells`]); moments of cloth and solids bend them ([`soft`]). Moments of iron and of superconductors are found first ([`induction`]). What comes of it is added up in a fixed order and given to particles and frames.

pub mod advice;
pub mod bend_soft;
pub mod chunk_loads;
pub mod demagnetisation;
pub mod drive_sources;
pub mod field;
pub mod field_cells;
mod induce;
pub mod induce_decide;
pub mod induce_fields;
pub mod induce_guess;
pub mod induce_image;
pub mod induce_moments;
pub mod induce_places;
pub mod induce_rest;
pub mod induce_sides;
pub mod induce_step;
pub mod induce_turn;
pub mod induction;
pub mod lines;
pub mod measure;
pub mod pair_nodes;
pub mod pair_soft;
pub mod place_nodes;
pub mod place_soft;
pub mod push_magnets;
pub mod push_soft;
mod setup;
pub mod soft;
mod soft_setup;
pub mod sources;
pub mod sum_loads;
pub mod tree;
pub mod turn_segments;
pub mod twist_bodies;

pub use induce::COUNTS as INDUCTION_COUNTS;
pub use setup::Family;
