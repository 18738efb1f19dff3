//! Every family of constraints: what its law says, and the same on both backends.

mod fixture;
mod laws;
mod parity;
