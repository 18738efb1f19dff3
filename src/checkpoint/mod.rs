//! The state of a simulation, kept on the host or in a file.
//!
//! A [`State`] is what changes while a model runs: the buffers of `Role::State`, the steps done and where the clock
//! started. Scratch is written before it is read, the model is made from the scene and the parameters in `world`
//! (gravity, wind, damping, …) belong to whoever runs: a cloth may settle under one wind and be continued
//! under another. On the same backend and machine, run 2N steps = run N, save, load, run N, bit for bit. A state of one
//! f32 backend is also one of the other, which then rounds in its own way.
//!
//! A body that was cut is no longer that of the scene. So a state has the journal of all cuts, and putting it back makes them
//! again on the scene's model before anything else.
//!
//! Of tables whose rows the device counts, a state has the rows in use: how much room there was does not matter.
//!
//! The watch's alarms are not part of it: a state with an alarm cannot be had, so that a run that blew up never
//! replaces the last good checkpoint, and putting a state back clears them.

mod file;
mod fingerprint;
mod journal;
mod led;

pub use fingerprint::{Fingerprint, StateBuffer};
pub use led::Led;

use crate::compute::Data;
use crate::export::ExportError;
use crate::math::Precision;
use crate::scene::Cut;
use std::io;
use std::path::{Path, PathBuf};

/// The version of the file format that this library writes and reads.
pub const FORMAT: u32 = 4;

/// Everything that changes while a model runs, at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    pub(crate) fingerprint: Fingerprint,
    pub(crate) journal: Vec<Cut>,
    /// What a program leads, and where to.
    pub(crate) led: Vec<Led>,
    pub(crate) steps: u64,
    /// The time at clock 0 [s].
    pub(crate) start: f64,
    /// As the fingerprint's buffers.
    pub(crate) contents: Vec<Data>,
}

impl State {
    /// Steps done.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Memory of its contents.
    pub fn bytes(&self) -> usize {
        let bytes = |data: &Data| match data {
            Data::Reals(values) => 8 * values.len(),
            Data::Uints(values) => 4 * values.len(),
        };
        self.contents.iter().map(bytes).sum()
    }

    /// What the state belongs to.
    pub fn fingerprint(&self) -> &Fingerprint {
        &self.fingerprint
    }

    /// Writes a checkpoint. A file of that name stays as it was until the new one is complete.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), CheckpointError> {
        file::write(path.as_ref(), self)
    }

    /// Everything that had been cut by then, in order.
    pub fn journal(&self) -> &[Cut] {
        &self.journal
    }

    /// Reads a checkpoint of what has this fingerprint. Nothing in the file is trusted.
    pub fn load(path: impl AsRef<Path>, expected: &Fingerprint) -> Result<Self, CheckpointError> {
        Self::load_cut(path, |_| Ok(expected.clone()))
    }

    /// As [`State::load`], of what has a fingerprint that depends on what had been cut.
    pub fn load_cut(
        path: impl AsRef<Path>,
        expected: impl FnOnce(&[Cut]) -> Result<Fingerprint, CheckpointError>,
    ) -> Result<Self, CheckpointError> {
        file::read(path.as_ref(), expected)
    }
}

/// Why a checkpoint cannot be written, read or used. `origin` is the file, or says that there was none.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    #[error(transparent)]
    Write(#[from] ExportError),
    #[error("{}: cannot {operation} the checkpoint: {source}", path.display())]
    Read { path: PathBuf, operation: &'static str, source: io::Error },
    #[error("{}: {problem}; a checkpoint is a file that a run has saved", path.display())]
    Foreign { path: PathBuf, problem: &'static str },
    #[error(
        "{}: the checkpoint has format {found} and this program reads format {FORMAT}; \
         resume with the version that saved it, or run the scene from its beginning", path.display()
    )]
    Version { path: PathBuf, found: u32 },
    #[error(
        "{}: the checkpoint is damaged, {problem}; use another one, or run the scene from its beginning",
        path.display()
    )]
    Damaged { path: PathBuf, problem: String },
    #[error(
        "{origin}: the state is of a run in {}, and this one computes in {}; resume with `--precision {}`{}",
        found.name(), wanted.name(), found.name(),
        if *found == Precision::F64 { " and `--backend cpu`" } else { "" }
    )]
    Precision { origin: String, found: Precision, wanted: Precision },
    #[error(
        "{origin}: the state is of another scene: {}; resume it with the scene it was saved from",
        differences.join("; ")
    )]
    OtherScene { origin: String, differences: Vec<String> },
}
