//! The text of a scene file as it grows, and how values look in it.

use super::super::{SceneError, SceneErrorKind};
use super::Result;
use glam::DVec3;
use std::fmt::Write;
use std::path::Path;

/// Lines of TOML.
#[derive(Default)]
pub struct Text {
    pub lines: String,
    /// Whether numbers that have their default values are written too.
    pub whole: bool,
}

impl Text {
    pub fn table(&mut self, header: &str) {
        let _ = writeln!(self.lines, "\n{header}");
    }

    pub fn line(&mut self, key: &str, value: impl std::fmt::Display) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.lines, "{key} = {value}");
    }

    pub fn differs(&mut self, key: &str, value: impl std::fmt::Display, is_default: bool) {
        if !is_default {
            self.line(key, value);
        }
    }

    pub fn number(&mut self, key: &str, value: f64, default: f64) {
        self.differs(key, real(value), value == default && !self.whole);
    }

    pub fn vector(&mut self, key: &str, value: DVec3, default: DVec3) {
        self.differs(key, vector(value), value == default && !self.whole);
    }
}

/// The shortest text that reads back as the same number.
pub fn real(x: f64) -> String {
    format!("{x:?}")
}

pub fn list(values: &[f64]) -> String {
    array(values.iter().map(|x| real(*x)))
}

pub fn vector(v: DVec3) -> String {
    list(&v.to_array())
}

pub fn array(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

/// A table on one line.
pub fn inline(entries: impl IntoIterator<Item = (&'static str, String)>) -> String {
    let entries: Vec<_> = entries.into_iter().map(|(key, value)| format!("{key} = {value}")).collect();
    format!("{{ {} }}", entries.join(", "))
}

pub fn tuples<const N: usize>(list: &[[u32; N]]) -> String {
    array(list.iter().map(|tuple| format!("{tuple:?}")))
}

pub fn path(file: &Path) -> Result<String> {
    let text = file.to_str().ok_or_else(|| {
        SceneError::new(SceneErrorKind::File, format!("the path {} is not UTF-8", file.display()))
    })?;
    Ok(quoted(text))
}

/// A basic string of TOML.
pub fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
