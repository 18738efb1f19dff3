//! Kernels and their twins, and that every kernel builds.

mod build;
mod lanes;
mod primitives;
mod rooms;
mod tables;
mod toy_family;
mod watch;
