//! Kernels and their twins, and that every kernel builds.

mod build;
mod images;
mod lanes;
mod primitives;
mod watch;
