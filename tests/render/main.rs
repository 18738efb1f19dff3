//! Pictures.

mod built_in;
mod easel;
mod gallery;
mod offscreen;
mod presenter;
mod scenes;
mod values;
