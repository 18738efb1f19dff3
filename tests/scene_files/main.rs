//! Scene files and the meshes that they name, good and bad.

mod attach;
mod errors;
mod fuzz;
mod geometry;
mod kinds;
mod manual;
mod round_trip;
mod schema;
