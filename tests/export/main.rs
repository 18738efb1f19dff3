//! What a run leaves on disk.

mod atomic;
mod csv;
mod files;
mod pictures;
mod usda;
