//! Pictures.

mod gallery;
mod offscreen;
mod scenes;
