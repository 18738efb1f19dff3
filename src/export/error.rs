//! What can go wrong on the way to disk. Every message names the path or the moment, and what was attempted.

use std::{
    io,
    path::{Path, PathBuf},
};

/// A result that could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The operating system refused.
    #[error("{}: cannot {operation}: {source}", path.display())]
    Io { path: PathBuf, operation: &'static str, source: io::Error },
    /// The arrays handed over contradict each other.
    #[error("snapshot at {time} s: {problem}")]
    Snapshot { time: f64, problem: String },
    /// An existing file that should be continued is not one of ours, or belongs to another run.
    #[error("{}: {problem}", path.display())]
    Resume { path: PathBuf, problem: String },
    /// A picture, table or plot whose sizes do not fit.
    #[error("{}: {problem}", path.display())]
    Content { path: PathBuf, problem: String },
    /// ffmpeg ran and failed.
    #[error("{}: ffmpeg failed ({status}); its last lines:\n{last_lines}", path.display())]
    Ffmpeg { path: PathBuf, status: String, last_lines: String },
}

impl ExportError {
    /// For `map_err`: turns an I/O error into one that names the path and the operation.
    pub(crate) fn io(path: &Path, operation: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { path: path.to_owned(), operation, source }
    }

    pub(crate) fn resume(path: &Path, problem: impl Into<String>) -> Self {
        Self::Resume { path: path.to_owned(), problem: problem.into() }
    }

    pub(crate) fn content(path: &Path, problem: impl Into<String>) -> Self {
        Self::Content { path: path.to_owned(), problem: problem.into() }
    }
}
