//! Every family of constraints: what its law says, and the same on both backends.

mod clusters;
mod fixture;
mod laws;
mod parity;
