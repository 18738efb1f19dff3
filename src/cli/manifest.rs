//! `manifest.jsonl` in the output folder: what the run is, and every file it has written.
//!
//! A line is either a JSON object that describes the run (the last one counts; a resumed run adds its own) or a JSON
//! string, the path of a file inside the folder, appended before that file is first written. A run removes and replaces
//! only what is listed. The file stays locked while a run goes on: the lock ends with the process, so a killed run
//! leaves none behind.

use super::outputs::OutputArgs;
use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;

pub const MANIFEST: &str = "manifest.jsonl";

/// The most bytes worth reading: paths of ten million frames.
const MOST_BYTES: u64 = 1 << 30;

/// What a run is.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct Described {
    /// The version of the program.
    pub sinew: String,
    pub scene: String,
    /// The scene as it ran, with the settings of the command line, as TOML; empty if it cannot be written.
    pub toml: String,
    /// As given by --seconds.
    pub seconds: Option<f64>,
    pub frames_per_second: f64,
    pub outputs: OutputArgs,
}

/// The run and the files that a manifest lists.
#[derive(Debug, Default)]
pub struct Contents {
    pub run: Option<Described>,
    pub files: BTreeSet<String>,
    /// Bytes of whole lines.
    length: u64,
}

impl Contents {
    /// What the manifest of a folder says; nothing where there is none.
    pub fn read(folder: &Path) -> anyhow::Result<Self> {
        let path = folder.join(MANIFEST);
        match File::open(&path) {
            Ok(mut file) => Self::parse(&mut file, &path),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                Ok(Self::default())
            }
            Err(error) => Err(error).with_context(|| format!("reading {}", path.display())),
        }
    }

    fn parse(file: &mut File, path: &Path) -> anyhow::Result<Self> {
        let mut text = String::new();
        file.take(MOST_BYTES)
            .read_to_string(&mut text)
            .with_context(|| format!("reading {}", path.display()))?;
        let mut contents = Self::default();
        for (number, line) in text.split_inclusive('\n').enumerate() {
            // A line that a kill cut off names a file that has not been written.
            if !line.ends_with('\n') {
                break;
            }
            if let Ok(name) = serde_json::from_str::<String>(line) {
                contents.files.insert(name);
            } else if let Ok(run) = serde_json::from_str::<Described>(line) {
                contents.run = Some(run);
            } else {
                bail!(
                    "{}:{}: this line is not of a run's manifest; choose another folder with --out",
                    path.display(),
                    number + 1
                );
            }
            contents.length += line.len() as u64;
        }
        Ok(contents)
    }
}

/// The manifest of a run under way.
#[derive(Debug)]
pub struct Manifest {
    file: File,
    contents: Contents,
}

impl Manifest {
    /// Opens and locks the manifest of a folder, which has to exist.
    pub fn open(folder: &Path) -> anyhow::Result<Self> {
        let path = folder.join(MANIFEST);
        let failed = || format!("opening {}; choose another folder with --out", path.display());
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .with_context(failed)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => bail!(
                "another run is writing to {}; wait for it, or choose another folder with --out",
                folder.display()
            ),
            // Some network file systems have no locks. A run there is better than none.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let contents = Contents::parse(&mut file, &path)?;
        file.set_len(contents.length).with_context(failed)?;
        file.seek(SeekFrom::End(0)).with_context(failed)?;
        Ok(Self { file, contents })
    }

    pub fn contents(&self) -> &Contents {
        &self.contents
    }

    /// Forgets everything and begins with another run.
    pub fn begin(&mut self, run: &Described) -> anyhow::Result<()> {
        self.file.set_len(0).and_then(|()| self.file.rewind()).context("clearing the manifest")?;
        self.contents = Contents::default();
        self.describe(run)
    }

    /// Adds what the run is now, if that has changed.
    pub fn describe(&mut self, run: &Described) -> anyhow::Result<()> {
        if self.contents.run.as_ref() != Some(run) {
            self.append(run)?;
            self.contents.run = Some(run.clone());
        }
        Ok(())
    }

    /// Lists a file that is about to be written.
    pub fn list(&mut self, name: &str) -> anyhow::Result<()> {
        if !self.contents.files.contains(name) {
            self.append(&name)?;
            self.contents.files.insert(name.into());
        }
        Ok(())
    }

    fn append(&mut self, line: &impl Serialize) -> anyhow::Result<()> {
        let line = serde_json::to_string(line)? + "\n";
        self.file.write_all(line.as_bytes()).with_context(|| format!("writing {MANIFEST}"))
    }
}
