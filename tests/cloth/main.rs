//! Sheets as finite elements.

mod bending;
mod drape;
mod elements;
mod implicit;
mod laws;
mod limiters;
mod limits;
mod sheet;
