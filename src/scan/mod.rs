//! A virtual depth camera: scans of simulated bodies, with the truth known.

mod bumps;
mod camera;
mod surfaces;

pub use bumps::{bumpy_ball, head};
pub use camera::{DepthCamera, Pose, Seen, Sensor, around};
pub use surfaces::Surfaces;
