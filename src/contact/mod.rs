//! Contact: what touches what, and the shapes that bodies may not enter.

pub mod distance_field;
mod triangle_tree;
