//! Pictures.

mod built_in;
mod gallery;
mod offscreen;
mod presenter;
mod scenes;
