//! Rods as a tool of analysis: states of rest by minimising the energy, in f64 on the host.
//!
//! [`System`] is what the energy depends on, from a [`crate::model::Model`] or put together by hand; [`equilibrium`] goes
//! downhill from its state with Newton's method. The second derivatives are exact, so the number of their negative
//! eigenvalues tells whether a state buckles ([`unstable_modes`]) and the lowest of them, with the masses, how it swings
//! ([`vibrations`]). [`follow`] raises loads in steps and goes along with clamps that move, and [`buckling`] raises the forces until a state gives way.

pub mod envelope;
mod newton;
mod numbering;
mod path;
mod system;

pub use newton::{Equilibrium, Limits, Vibrations, equilibrium, unstable_modes, vibrations};
pub use path::{Buckling, Followed, MOST_LOAD, MOST_LOAD_STEPS, Passed, buckling, follow, last_key};
pub use system::{Joint, Law, Segment, System, Torque};
