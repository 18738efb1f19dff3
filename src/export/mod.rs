//! Results out: PLY, VTU, USDA, PNG, video, plots and CSV, from plain arrays.
//!
//! Nothing here knows about the solver. A caller fills a [`Snapshot`] in the user's own numbering and hands
//! it to a writer. Every file is written under a temporary name and renamed when complete ([`AtomicFile`]),
//! so a run killed at any moment leaves whole files only.

mod animation;
mod atomic;
mod colour;
mod csv;
mod error;
mod number;
mod plot;
mod ply;
mod png;
mod pvd;
mod snapshot;
mod usda;
mod video;
mod vti;
mod vtu;

pub use animation::Animation;
pub use atomic::AtomicFile;
pub use colour::{colour_bar, colour_bar_on, colour_map, draw_line, linear_from_srgb, srgb_from_linear};
pub use csv::Series;
pub use error::ExportError;
pub use number::si;
pub use plot::{Line, Marks, Plot, Reference, Scale};
pub use ply::write_ply;
pub use png::{Image, encode_png, write_png};
pub use pvd::VtuSeries;
pub use snapshot::{BodyRange, CellField, Field, Snapshot, Values};
pub use usda::{Furniture, StageCamera, StageObstacle, StageShape, StageTexture, UsdaOptions, UsdaWriter};
pub use video::{Video, VideoOutcome};
pub use vti::{VectorGrid, write_vti};
pub use vtu::write_vtu;
