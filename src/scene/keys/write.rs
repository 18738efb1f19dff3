//! The entries of a table as they are written, and how they look in a file.

use std::fmt::Write;

/// The entries of a table, in the order of its keys.
#[derive(Default)]
pub struct Entries(Vec<(&'static str, Written)>);

pub(in crate::scene) enum Written {
    Text(String),
    Table(Entries),
    List { entries: Vec<Entries>, inline: bool },
}

impl Entries {
    pub(in crate::scene) fn push(&mut self, key: &'static str, value: Written) {
        self.0.push((key, value));
    }

    pub(in crate::scene) fn line(&mut self, key: &'static str, text: String) {
        self.push(key, Written::Text(text));
    }

    pub(in crate::scene) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(in crate::scene) fn extend(&mut self, other: Entries) {
        self.0.extend(other.0);
    }

    /// The whole file, of which this is the top level.
    pub(in crate::scene) fn file(&self) -> String {
        let mut text = String::new();
        self.section("", &mut text);
        text
    }

    /// A table on one line.
    fn inline(&self) -> String {
        let entries = self.0.iter().map(|(key, value)| format!("{key} = {}", value.inline()));
        let entries: Vec<_> = entries.collect();
        if entries.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", entries.join(", ")) }
    }

    /// A table below its header. Tables of the top level have headers of their own, others stand on one line.
    fn section(&self, path: &str, text: &mut String) {
        let has_header = |value: &Written| match value {
            Written::Text(_) => false,
            Written::Table(_) => path.is_empty(),
            Written::List { inline, .. } => !inline,
        };
        // Writing to a String cannot fail.
        for (key, value) in self.0.iter().filter(|(_, value)| !has_header(value)) {
            let _ = writeln!(text, "{key} = {}", value.inline());
        }
        for (key, value) in self.0.iter().filter(|(_, value)| has_header(value)) {
            let path = if path.is_empty() { (*key).to_owned() } else { format!("{path}.{key}") };
            match value {
                Written::Text(_) => {}
                Written::Table(entries) => {
                    let _ = writeln!(text, "\n[{path}]");
                    entries.section(&path, text);
                }
                Written::List { entries, .. } => {
                    for entries in entries {
                        let _ = writeln!(text, "\n[[{path}]]");
                        entries.section(&path, text);
                    }
                }
            }
        }
    }
}

impl Written {
    fn inline(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Table(entries) => entries.inline(),
            Self::List { entries, .. } => {
                let entries: Vec<_> = entries.iter().map(|e| format!("\n    {}", e.inline())).collect();
                format!("[{}\n]", entries.join(","))
            }
        }
    }
}
