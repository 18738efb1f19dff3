//! Soft solids: tetrahedral finite elements.

pub mod mesh;
