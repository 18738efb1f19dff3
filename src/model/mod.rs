//! A scene made ready to run: elements ordered, coloured and linked to their particles.

pub mod colouring;
pub mod hinges;
pub mod incidence;
pub mod ordering;
pub mod tethers;
