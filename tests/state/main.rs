//! The state of a simulation: saved, repeated, lost and changed by hand.

mod carry;
mod checkpoint;
mod determinism;
mod device_lost;
mod driving;
mod epochs;
mod futures;
mod interactive;
mod scene;
mod tape;
mod tears;
