//! Contact with colliders.

mod friction;
mod parity;
mod rest;
mod scene;
