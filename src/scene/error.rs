//! What is wrong with a scene, and where.

use std::fmt;
use std::path::PathBuf;

/// Why a scene was refused: `scenes/net.toml:14: cloth `flag`: unknown key `densty`; did you mean `density`?`
///
/// A scene made in code has no file and no line; its errors start with the body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SceneError {
    /// What sort of mistake it is.
    pub kind: SceneErrorKind,
    /// Where in the file, if there is one.
    pub place: Option<Box<Place>>,
    /// The table in question: ``cloth `flag`: pin 2``; empty at the top level.
    pub subject: String,
    /// What is wrong and what would help.
    pub message: String,
    /// The keys that lead to the value in question, from the top level down.
    pub(super) path: Vec<Step>,
}

/// A sort of mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SceneErrorKind {
    /// A file could not be read.
    File,
    /// The text is no TOML.
    Syntax,
    /// A key is unknown, missing, or in conflict with another.
    Key,
    /// A value has the wrong type.
    Type,
    /// A value is out of its range.
    Value,
    /// A name, index or selection refers to nothing.
    Reference,
    /// More was asked for than [`crate::limits`] allows.
    Limit,
    /// A mesh is malformed.
    Mesh,
}

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file, as it was named by the caller.
    pub file: PathBuf,
    /// Line and column, both from 1, unless the whole file is meant.
    pub position: Option<(usize, usize)>,
}

/// One step from a table or array to a value inside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Key(&'static str),
    Index(usize),
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{}:", place.file.display())?;
            if let Some((line, _)) = place.position {
                write!(f, "{line}:")?;
            }
            write!(f, " ")?;
        }
        if !self.subject.is_empty() {
            write!(f, "{}: ", self.subject)?;
        }
        write!(f, "{}", self.message)
    }
}

impl std::error::Error for SceneError {}

impl SceneError {
    pub(super) fn new(kind: SceneErrorKind, message: impl Into<String>) -> Self {
        Self { kind, place: None, subject: String::new(), message: message.into(), path: Vec::new() }
    }

    /// A value of `key` is out of its range.
    pub(super) fn value(key: &'static str, message: impl fmt::Display) -> Self {
        Self::at(SceneErrorKind::Value, key, message)
    }

    /// Something is wrong at `key`.
    pub(super) fn at(kind: SceneErrorKind, key: &'static str, message: impl fmt::Display) -> Self {
        let mut error = Self::new(kind, format!("`{key}` {message}"));
        error.path = vec![Step::Key(key)];
        error
    }

    /// The error is about an entry of the array at the front of the path.
    pub(super) fn index(mut self, index: usize) -> Self {
        self.path.insert(1.min(self.path.len()), Step::Index(index));
        self
    }

    /// The error happened inside the table `key`.
    pub(super) fn inside(mut self, key: &'static str) -> Self {
        self.path.insert(0, Step::Key(key));
        self.prefix(key);
        self
    }

    /// The error happened inside entry `index` of the array of tables `key`, called ``what``.
    pub(super) fn inside_entry(mut self, key: &'static str, index: usize, what: &str) -> Self {
        self.path.splice(0..0, [Step::Key(key), Step::Index(index)]);
        self.prefix(what);
        self
    }

    fn prefix(&mut self, what: &str) {
        self.subject =
            if self.subject.is_empty() { what.to_owned() } else { format!("{what}: {}", self.subject) };
    }
}

/// The candidate that `word` was probably meant to be.
pub(super) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    /// Below this similarity a hint would confuse more than help.
    const SIMILAR: f64 = 0.6;
    candidates
        .into_iter()
        .map(|c| (strsim::normalized_damerau_levenshtein(word, c), c))
        .filter(|(similarity, _)| *similarity >= SIMILAR)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, c)| c)
}

/// "; did you mean `x`?", or the choices if none is near.
pub(super) fn hint<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str> + Clone) -> String {
    match nearest(word, candidates.clone()) {
        Some(c) => format!("; did you mean `{c}`?"),
        None => {
            let choices: Vec<String> = candidates.into_iter().map(|c| format!("`{c}`")).collect();
            if choices.is_empty() { String::new() } else { format!("; choose from {}", choices.join(", ")) }
        }
    }
}
