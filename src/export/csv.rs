//! Series of scalars over time: one row per moment, appended while the run goes.
//!
//! The header is written atomically; each row is one write of one complete line, and a row that could not be
//! written whole is cut off again. A process killed in the middle of a write can still leave half a line;
//! [`Series::resume`] drops it.

use std::{
    fs::{self, File, OpenOptions},
    io::{ErrorKind, Write},
    path::{Path, PathBuf},
};

use super::{AtomicFile, ExportError};

/// A CSV file that grows by rows. The first column is the time.
#[derive(Debug)]
pub struct Series {
    path: PathBuf,
    file: File,
    column_count: usize,
    /// Bytes of complete lines.
    length: u64,
}

impl Series {
    /// Starts a new table, replacing an older one. The first column has to be the time.
    pub fn create(path: impl AsRef<Path>, columns: &[&str]) -> Result<Self, ExportError> {
        let path = path.as_ref();
        check_columns(path, columns)?;
        let header = header_line(columns);
        AtomicFile::write_with(path, |file| file.write_all(header.as_bytes()))?;
        Self::open(path, columns, header.len() as u64)
    }

    /// Continues a table from a run resumed at `time`: rows up to and at that time stay, later ones and an
    /// unfinished last line are dropped. Without a table, starts a new one.
    pub fn resume(path: impl AsRef<Path>, columns: &[&str], time: f64) -> Result<Self, ExportError> {
        let path = path.as_ref();
        check_columns(path, columns)?;
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(e) if e.kind() == ErrorKind::NotFound => return Self::create(path, columns),
            Err(e) => return Err(ExportError::io(path, "read")(e)),
        };
        let header = header_line(columns);
        let Some(rows) = text.strip_prefix(&header) else {
            return Err(ExportError::resume(
                path,
                format!(
                    "has other columns than this run, which writes `{}`; move it away to start a new one",
                    header.trim_end()
                ),
            ));
        };
        let mut kept = header.clone();
        for row in rows.split_inclusive('\n').filter(|row| row.ends_with('\n')) {
            let first = row.split(',').next().unwrap_or_default().trim();
            let Ok(row_time) = first.parse::<f64>() else {
                return Err(ExportError::resume(
                    path,
                    format!(
                        "a row begins with `{first}`, not with a time; move the file away to start a new one"
                    ),
                ));
            };
            if row_time <= time {
                kept.push_str(row);
            }
        }
        AtomicFile::write_with(path, |file| file.write_all(kept.as_bytes()))?;
        Self::open(path, columns, kept.len() as u64)
    }

    fn open(path: &Path, columns: &[&str], length: u64) -> Result<Self, ExportError> {
        let file = OpenOptions::new().append(true).open(path).map_err(ExportError::io(path, "open"))?;
        Ok(Self { path: path.to_owned(), file, column_count: columns.len(), length })
    }

    /// Appends one row. Numbers are written so that reading them gives the same bits back.
    pub fn push(&mut self, row: &[f64]) -> Result<(), ExportError> {
        if row.len() != self.column_count {
            return Err(ExportError::content(
                &self.path,
                format!("{} values for {} columns", row.len(), self.column_count),
            ));
        }
        let values: Vec<String> = row.iter().map(|&v| number(v)).collect();
        let line = values.join(",") + "\n";
        if let Err(e) = self.file.write_all(line.as_bytes()) {
            // A full disk takes part of a line; cut it off so that the file stays a table.
            let _ = self.file.set_len(self.length);
            return Err(ExportError::io(&self.path, "append a row")(e));
        }
        self.length += line.len() as u64;
        Ok(())
    }
}

/// Shortest text that reads back exactly; exponents where plain digits would be long.
fn number(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 || (1e-4..1e15).contains(&size) || !value.is_finite() {
        format!("{value}")
    } else {
        format!("{value:e}")
    }
}

fn check_columns(path: &Path, columns: &[&str]) -> Result<(), ExportError> {
    if columns.is_empty() {
        return Err(ExportError::content(path, "a table needs a time column"));
    }
    Ok(())
}

fn header_line(columns: &[&str]) -> String {
    let cells: Vec<String> = columns.iter().map(|c| quoted(c)).collect();
    cells.join(",") + "\n"
}

/// A cell by RFC 4180, except that line breaks become spaces: a row stays one line.
fn quoted(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}
