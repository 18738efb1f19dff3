//! Keys as data: what the manual, the schema and editors are told.

use super::{Meta, Rule};

/// What a value looks like in a file.
#[derive(Debug, Clone, PartialEq)]
pub enum Type {
    Number,
    Whole,
    /// `true` or `false`.
    Flag,
    Text,
    /// One of some words.
    Word(Vec<&'static str>),
    /// A list, of a given length if there is one.
    Array(Box<Type>, Option<usize>),
    Table(Description),
    /// An array of at most so many tables.
    List(Description, usize),
    Either(Vec<Type>),
    /// `false`.
    No,
}

/// A key.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub name: &'static str,
    /// SI; empty for pure numbers.
    pub unit: &'static str,
    /// What it means, in one sentence.
    pub doc: &'static str,
    pub rule: Rule,
    pub required: bool,
    pub kind: Type,
    /// The default as it would be written.
    pub default: Option<String>,
    /// The default in words, where it is not a value.
    pub note: &'static str,
}

impl Entry {
    pub(in crate::scene) fn new(meta: &Meta, kind: Type, default: Option<String>) -> Self {
        let Meta { name, unit, doc, rule, required, default: note, .. } = *meta;
        let default = default.filter(|_| !required && note.is_empty());
        Self { name, unit, doc, rule, required, kind, default, note }
    }
}

/// The keys of a table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Description {
    pub entries: Vec<Entry>,
    /// Of each of these lists, exactly one key must be there.
    pub one_of: Vec<Vec<Alternative>>,
    /// Of each of these lists, at most one key may be there.
    pub at_most_one: Vec<Vec<&'static str>>,
}

/// One of several keys of which exactly one must be there.
#[derive(Debug, Clone, PartialEq)]
pub struct Alternative {
    pub key: &'static str,
    pub doc: &'static str,
    /// Keys that must be there with it.
    pub needs: Vec<&'static str>,
    /// Keys that may be there with it.
    pub beside: Vec<&'static str>,
    /// The table that it holds.
    pub table: Option<Description>,
    /// The key of the table that a string stands for.
    pub short: Option<&'static str>,
}

impl Alternative {
    /// Whether it is the key of a name, or has it beside it.
    pub fn has(&self, name: &str) -> bool {
        self.key == name || self.beside.contains(&name)
    }
}

impl Description {
    /// The key of a name.
    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name == name)
    }

    pub(super) fn extend(&mut self, other: Self) {
        self.entries.extend(other.entries);
        self.one_of.extend(other.one_of);
        self.at_most_one.extend(other.at_most_one);
    }
}
