//! Contact with colliders and between bodies.

mod bodies;
mod friction;
mod laws;
mod parity;
mod rest;
mod runs;
mod scene;
