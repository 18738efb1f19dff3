//! sinew: a GPU solver for cloth, ropes, nets and soft solids, with a CPU backend that runs the same passes.
//!
//! A [`Scene`] is what the user wrote, in a TOML file or in code; [`Checked`] is a valid one with its geometry. A [`Simulation`] runs
//! it on a [`Backend`] and tells what came out as [`Measures`], positions and files.
//!
//! ```
//! use sinew::{Checked, Kinds, Options, Precision, Simulation};
//!
//! let text = r#"
//!     format = 1
//!
//!     [[rod]]
//!     name = "rope"
//!     from = [0, 2, 0]
//!     to = [1, 2, 0]
//!     segments = 20
//!     start = "pinned"
//! "#;
//! let scene = Checked::parse(text, "rope.toml", "", &Kinds::standard())?;
//! let mut simulation = Simulation::new(&scene, &Options::cpu(Precision::F32))?;
//! for _ in 0..30 {
//!     simulation.step()?;
//! }
//! let lowest = simulation.positions()?.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
//! assert!(lowest < 1.9, "it swings down");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The same scene in code, of the structs in [`scene`], which have defaults:
//!
//! ```
//! use sinew::glam::DVec3;
//! use sinew::Scene;
//! use sinew::scene::{Hold, Rod, RodEnd, RodShape};
//!
//! let rope = Rod {
//!     name: "rope".into(),
//!     shape: RodShape::Line { from: DVec3::new(0.0, 2.0, 0.0), to: DVec3::new(1.0, 2.0, 0.0), segments: 20 },
//!     start: RodEnd { hold: Hold::Pinned, ..RodEnd::default() },
//!     ..Rod::default()
//! };
//! let scene = Scene { rod: vec![rope], ..Scene::default() };
//! assert!(scene.to_toml()?.contains("[[rod]]"));
//! # Ok::<(), sinew::SceneError>(())
//! ```
//!
//! What is not listed on this page serves the program, the tests and the benches, and may change at any time.

#[doc(hidden)]
pub mod attach;
#[doc(hidden)]
pub mod bonds;
#[doc(hidden)]
pub mod checkpoint;
#[doc(hidden)]
pub mod cloth;
#[doc(hidden)]
pub mod cloud;
#[doc(hidden)]
pub mod clusters;
#[doc(hidden)]
pub mod compute;
#[doc(hidden)]
pub mod constraints;
#[doc(hidden)]
pub mod contact;
#[doc(hidden)]
pub mod export;
#[doc(hidden)]
pub mod frames;
#[doc(hidden)]
pub mod identify;
#[doc(hidden)]
pub mod integrate;
#[doc(hidden)]
pub mod joints;
#[doc(hidden)]
pub mod limits;
#[doc(hidden)]
pub mod loads;
#[doc(hidden)]
pub mod magnets;
#[doc(hidden)]
pub mod math;
#[doc(hidden)]
pub mod measure;
#[doc(hidden)]
pub mod meshing;
#[doc(hidden)]
pub mod model;
#[doc(hidden)]
pub mod nets;
#[doc(hidden)]
pub mod particles;
#[doc(hidden)]
pub mod plan;
mod prepare;
#[doc(hidden)]
pub mod primitives;
#[doc(hidden)]
pub mod reflect;
#[doc(hidden)]
pub mod register;
#[doc(hidden)]
pub mod render;
#[doc(hidden)]
pub mod rigid;
#[doc(hidden)]
pub mod rods;
#[doc(hidden)]
pub mod scan;
pub mod scene;
pub mod scenes;
mod simulation;
#[doc(hidden)]
pub mod solids;
#[doc(hidden)]
pub mod solver;
#[doc(hidden)]
pub mod step;
#[cfg(feature = "viewer")]
#[doc(hidden)]
pub mod viewer;

pub use checkpoint::CheckpointError;
pub(crate) use compute::kernel;
pub use compute::{AdapterChoice, ComputeError};
pub use export::{ExportError, write_ply, write_vtu};
pub use glam;
pub use math::Precision;
pub use measure::Measures;
pub use model::ModelError;
pub use scene::{Checked, Kind, Kinds, Scene, SceneError, json_schema};
pub use simulation::{
    Backend, DeviceState, Imbalance, JoinForce, Magnetism, Options, Place, Plausibility, Reaction,
    RunningBody, Simulation, SimulationError, Support, Warning,
};
#[doc(hidden)]
pub use solver::kernels;
pub use wgpu;
