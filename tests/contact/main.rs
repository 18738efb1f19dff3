//! Contact with colliders and between bodies.

mod bodies;
mod capstan;
mod driven;
mod fast;
mod friction;
mod incline;
mod laws;
mod parity;
mod responses;
mod rest;
mod runs;
mod scene;
mod series;
mod start;
