//! Pictures.

mod gallery;
mod offscreen;
mod presenter;
mod scenes;
