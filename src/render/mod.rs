//! One renderer for the window and for PNG frames.
//!
//! Pictures are drawn straight from the solver's position buffer; nothing is read back. Stripes of rods and values that
//! colours show are made on the device too, before the frame ([`Presenter`]). A frame is
//!
//!   surface, collider   positions made safe, smooth normals, bounds            (compute)
//!   fit                 the key light and the sky directions around the bounds  (compute)
//!   shadow maps         depth from the key light and from each sky direction
//!   sky, ground_sky     light of the open sky on every vertex and on the floor; in drafts of dense meshes all light (compute)
//!   picture             mesh, capsules, ground, backdrop; 4 samples a pixel; tone curve
//!
//! The ambient light is real visibility of the sky dome, gathered where it varies slowly (vertices and a small
//! floor texture), so that it costs almost nothing per pixel and has no noise. Light adds up in linear units and
//! is developed with a filmic curve in the same shader that computed it, so edges are averaged as they are shown.
//!
//! Limits: a line is a chain of capsules, not a bent tube; cloth has no thickness; the sharp edges of a solid's
//! skin are shaded smooth; transparency and reflections are not drawn.

mod camera;
mod coarse;
mod collider;
mod device_values;
mod drawing;
mod error;
mod film;
mod geometry;
mod held_elements;
mod look;
mod offscreen;
mod overlays;
mod presenter;
mod read_back;
mod renderer;
mod scalars;
mod scene_drawing;
mod shader;
mod stages;
mod strain_elements;
mod stripes;
mod turned_rods;
mod view;

pub use camera::Camera;
pub use collider::{Collider, ColliderShape};
pub use drawing::Drawing;
pub use error::RenderError;
pub use film::{Film, FilmError};
pub use geometry::{BodyLook, Geometry, Line, Material, PALETTE, Point};
pub use look::{Colouring, Look, Quality, Theme};
pub use offscreen::Offscreen;
pub use overlays::Overlays;
pub use presenter::{Presented, Presenter};
pub use read_back::ReadBack;
pub use renderer::{Canvas, Renderer};
pub use scalars::Legend;
pub use scene_drawing::SceneDrawing;
