//! Paths of a round robot on the floor of a scene, around its soft bodies or through them, whichever costs less.
//!
//!   C = α Ĉ/J₀ + (1 − α) L/L₀        Ĉ = ∫ ΔE ds
//!
//! L is the length of a path and ΔE the energy that soft bodies have above their rest while the robot is among them (Frank, Stachniss, Schmedding,
//! Teschner, Burgard 2009). It is simulated once per body for lines through it ([`Lines`]) and looked up for every edge of a probabilistic
//! roadmap ([`Roadmap`]; Kavraki, Švestka, Latombe, Overmars 1996). Floors are planes across y; places on them are (x, z).

mod file;
mod lines;
mod roadmap;
mod room;
mod sweep;

pub use file::{PlanError, PlanFile};
pub use lines::Lines;
pub use roadmap::{Path, Roadmap, Sampling};
pub use room::{Obstacle, Room, obstacles};
pub use sweep::{Robot, sweep};
