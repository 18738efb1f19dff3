//! The program as its users call it.

mod bench;
mod check;
mod program;
mod resume;
mod run;
