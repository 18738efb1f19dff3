//! A time series of VTU files and the PVD collection that lists them.
//!
//! The collection is rewritten atomically after each frame, so ParaView opens a run that is still going, or
//! that was killed, and sees every frame written so far. The frames lie next to the collection as
//! `stem_000000.vtu`, `stem_000001.vtu`, …

use std::{
    fs,
    io::{ErrorKind, Write},
    path::{Path, PathBuf},
};

use super::{
    AtomicFile, ExportError, Snapshot,
    vtu::{escape_attribute, write_vtu},
};

/// Writes numbered VTU files and keeps their collection up to date.
#[derive(Debug)]
pub struct VtuSeries {
    path: PathBuf,
    stem: String,
    frames: Vec<Frame>,
}

#[derive(Debug, PartialEq)]
struct Frame {
    time: f64,
    /// Relative to the collection, as XML attribute text.
    file: String,
}

impl VtuSeries {
    /// Starts a new collection at `path` (`out/run.pvd`); an older one is replaced at the first frame.
    pub fn create(path: impl AsRef<Path>) -> Result<Self, ExportError> {
        let path = path.as_ref().to_owned();
        let Some(stem) = path.file_stem() else {
            return Err(ExportError::content(&path, "is not the name of a file"));
        };
        let Some(stem) = stem.to_str().map(str::to_owned) else {
            return Err(ExportError::content(&path, "the name is not UTF-8, which the collection has to be"));
        };
        Ok(Self { path, stem, frames: Vec::new() })
    }

    /// Continues the collection at `path` from a run resumed at `time` [s]: frames up to and at that time
    /// stay, later ones are forgotten and their files overwritten. Without a collection, starts a new one.
    pub fn resume(path: impl AsRef<Path>, time: f64) -> Result<Self, ExportError> {
        let mut series = Self::create(path)?;
        let text = match fs::read_to_string(&series.path) {
            Ok(text) => text,
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(series),
            Err(e) => return Err(ExportError::io(&series.path, "read")(e)),
        };
        series.frames = read_frames(&series.path, &text)?;
        series.frames.retain(|frame| frame.time <= time);
        Ok(series)
    }

    /// How many frames the collection lists.
    pub fn frame_count(&self) -> usize {
        self.frames.len()
    }

    /// The time of the last frame [s].
    pub fn last_time(&self) -> Option<f64> {
        self.frames.last().map(|frame| frame.time)
    }

    /// Writes the snapshot as the next frame, then the collection. Frames at or after its time are replaced.
    ///
    /// Returns the path of the frame.
    pub fn add(&mut self, snapshot: &Snapshot) -> Result<PathBuf, ExportError> {
        snapshot.check()?;
        let kept = self.frames.iter().take_while(|f| f.time < snapshot.time);
        let number = kept.count();
        let name = format!("{}_{number:06}.vtu", self.stem);
        let path = self.path.with_file_name(&name);
        write_vtu(&path, snapshot)?;
        self.frames.truncate(number);
        self.frames.push(Frame { time: snapshot.time, file: escape_attribute(&name) });
        self.write_collection()?;
        Ok(path)
    }

    fn write_collection(&self) -> Result<(), ExportError> {
        AtomicFile::write_with(&self.path, |file| {
            file.write_all(
                b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
                <VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n\
                <Collection>\n",
            )?;
            for Frame { time, file: name } in &self.frames {
                writeln!(file, "<DataSet timestep=\"{time}\" part=\"0\" file=\"{name}\"/>")?;
            }
            file.write_all(b"</Collection>\n</VTKFile>\n")
        })
    }
}

/// The frames of a collection written by this module: one `DataSet` per line.
fn read_frames(path: &Path, text: &str) -> Result<Vec<Frame>, ExportError> {
    let mut frames: Vec<Frame> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if !line.contains("<DataSet") {
            continue;
        }
        let time = attribute(line, "timestep").and_then(|t| t.parse::<f64>().ok());
        let (Some(time), Some(file)) = (time, attribute(line, "file")) else {
            return Err(ExportError::resume(
                path,
                format!(
                    "line {} is not a frame as written here; move the file away to start a new one",
                    number + 1
                ),
            ));
        };
        if frames.last().is_some_and(|last| last.time >= time) {
            return Err(ExportError::resume(
                path,
                format!(
                    "the times do not increase at line {}; move the file away to start a new one",
                    number + 1
                ),
            ));
        }
        frames.push(Frame { time, file: file.to_owned() });
    }
    if frames.is_empty() && !text.contains("<Collection>") {
        return Err(ExportError::resume(path, "is not a PVD collection; move it away to start a new one"));
    }
    Ok(frames)
}

fn attribute<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let start = line.find(&format!(" {name}=\""))? + name.len() + 3;
    let length = line[start..].find('"')?;
    Some(&line[start..start + length])
}
