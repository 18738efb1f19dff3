//! The program as its users call it.

mod acquisition;
mod believable;
mod bench;
mod check;
mod docs;
mod hostile;
mod identify;
mod kept;
mod planning;
mod program;
mod reactions;
mod resume;
mod run;
mod statics;
