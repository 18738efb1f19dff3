//! The window: see a scene, pull it, change it while it runs.
//!
//! Two threads. The main thread owns window, user interface and pictures and never waits for a simulation. The
//! [`worker`] owns the simulation, on whichever backend, and takes commands between steps: a step that lasts longer
//! than a frame delays what it shows and never the window.
//!
//! With the GPU backend the picture is drawn from the solver's own buffers on the shared device, and what else it needs
//! of the state is made there ([`crate::render::Presenter`]). A picture may fall between two submissions of a long step:
//! positions change only at the end of a substep, in one dispatch, so that it always shows a whole one. With the CPU
//! backend the worker uploads positions with every state it publishes.
//!
//! All input goes through egui, also that of a [`script`], so that tests take the way of a user.

mod app;
mod camera;
mod canvas;
mod edit;
mod edit_keys;
mod gallery;
mod graphics;
mod help;
mod marks;
mod overlay;
mod panel;
mod pick;
mod pick_element;
mod plots;
mod script;
mod state;
mod thumbnails;
mod undo;
mod units;
mod watched_file;
mod worker;

use crate::compute::{AdapterChoice, ComputeError};
use crate::render::RenderError;
use crate::scene::Checked;
use crate::{Backend, Precision};
use std::path::PathBuf;

/// What to open.
pub struct Request {
    /// The scene, or none for the gallery alone.
    pub scene: Option<Opened>,
    pub backend: Backend,
    pub precision: Precision,
    pub adapter: AdapterChoice,
    /// Input to play instead of waiting for a user, for tests.
    pub script: Option<PathBuf>,
}

/// A scene and where it came from.
#[derive(Clone)]
pub struct Opened {
    pub name: String,
    pub scene: Checked,
    /// The file to watch; none for built-in scenes.
    pub file: Option<PathBuf>,
}

/// Why there is no window.
#[derive(Debug, thiserror::Error)]
pub enum ViewerError {
    #[error(
        "there is no display to open a window on ({0}); `sinew run <scene> --png` draws frames without one"
    )]
    NoDisplay(String),
    #[error("the window could not be made: {0}")]
    Window(String),
    #[error(transparent)]
    Compute(#[from] ComputeError),
    #[error(transparent)]
    Render(#[from] RenderError),
    #[error("script {file}, line {line}: {problem}")]
    Script { file: PathBuf, line: usize, problem: String },
}

/// Opens a window and returns when it is closed.
pub fn open(request: Request) -> Result<(), ViewerError> {
    app::run(request)
}
