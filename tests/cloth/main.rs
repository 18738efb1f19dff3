//! Sheets as finite elements.

mod bending;
mod blocks;
mod coarse;
mod drape;
mod elements;
mod implicit;
mod laws;
mod limit_elements;
mod limiters;
mod limits;
mod multigrid;
mod newton;
mod robust;
mod sheet;
