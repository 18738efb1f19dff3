//! A TOML document with a memory of where everything was written.
//!
//! serde's own errors name a line but neither the body nor the key that was meant, so tables are walked by hand:
//! [`Table`] checks its keys when it is opened and reports type errors at the value itself.

use std::path::Path;

use glam::DVec3;
use toml::Spanned;
use toml::de::{DeArray, DeString, DeTable, DeValue};

use super::error::{Place, SceneError, SceneErrorKind, Step, hint};
use crate::limits::excerpt;

type Result<T> = std::result::Result<T, SceneError>;
type Span = std::ops::Range<usize>;

/// The text of a scene and what it is called in messages.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub text: &'a str,
    pub file: &'a Path,
    /// The folder at which relative paths start.
    pub base: &'a Path,
    /// Colours besides those of the library.
    pub colours: &'a [&'static str],
}

impl<'a> Source<'a> {
    pub fn parse(self) -> Result<DeTable<'a>> {
        let refused = |e: toml::de::Error| {
            let span = e.span().unwrap_or(0..0);
            let mut message = e.message().trim().replace('\n', "; ");
            // The parser says "duplicate key" and leaves the key to its span.
            if let Some(word) = self.text.get(span.clone())
                && message.ends_with("key")
            {
                message += &format!(" `{}`", excerpt(word));
            }
            self.place(SceneError::new(SceneErrorKind::Syntax, message), &span)
        };
        DeTable::parse(self.text).map(Spanned::into_inner).map_err(refused)
    }

    /// Adds file, line and column to an error.
    pub fn place(self, mut error: SceneError, span: &Span) -> SceneError {
        let before = self.text.get(..span.start).unwrap_or(self.text);
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
        error.place = Some(Box::new(Place { file: self.file.to_owned(), position: Some((line, column)) }));
        error
    }

    /// Adds the place that an error's path leads to, or as far as the path exists in the text.
    pub fn locate(self, error: SceneError, root: &DeTable<'_>) -> SceneError {
        let mut span = 0..0;
        let mut found: Option<&Spanned<DeValue>> = None;
        for step in &error.path {
            let next = match (found.map(Spanned::get_ref), step) {
                (None, Step::Key(key)) => root.get(*key),
                (Some(DeValue::Table(table)), Step::Key(key)) => table.get(*key),
                (Some(DeValue::Array(array)), Step::Index(index)) => array.get(*index),
                _ => None,
            };
            let Some(value) = next else { break };
            span = value.span();
            found = Some(value);
        }
        self.place(error, &span)
    }
}

/// A table whose keys are known to be valid.
pub struct Table<'a> {
    source: Source<'a>,
    entries: &'a DeTable<'a>,
    span: Span,
    /// How messages name this table; empty at the top level.
    subject: String,
}

impl<'a> Table<'a> {
    /// Opens a table, refusing keys that are not in `keys`.
    pub(super) fn open(
        source: Source<'a>,
        entries: &'a DeTable<'a>,
        span: Span,
        subject: String,
        keys: &[&str],
    ) -> Result<Self> {
        let table = Self { source, entries, span, subject };
        let unknown =
            entries.keys().filter(|k| !keys.contains(&k.get_ref().as_ref())).min_by_key(|k| k.span().start);
        match unknown {
            None => Ok(table),
            Some(key) => {
                let word = excerpt(key.get_ref());
                let hint = hint(&word, keys.iter().copied());
                Err(table.error(SceneErrorKind::Key, &key.span(), format!("unknown key `{word}`{hint}")))
            }
        }
    }

    /// The one key of `choices` that is present.
    pub fn one_of(&self, choices: &[&'static str]) -> Result<&'static str> {
        let mut present: Vec<(Span, &'static str)> = Vec::new();
        for (key, _) in self.entries {
            if let Some(choice) = choices.iter().find(|c| **c == key.get_ref().as_ref()) {
                present.push((key.span(), choice));
            }
        }
        present.sort_by_key(|(span, _)| span.start);
        let all = choices.iter().map(|c| format!("`{c}`")).collect::<Vec<_>>().join(", ");
        match present.as_slice() {
            [(_, key)] => Ok(key),
            [] => Err(self.error(SceneErrorKind::Key, &self.span, format!("needs one of {all}"))),
            [(_, first), (span, second), ..] => Err(self.error(
                SceneErrorKind::Key,
                span,
                format!("has both `{first}` and `{second}`; choose one of {all}"),
            )),
        }
    }

    /// Refuses the first of `keys` that is present, because of `reason`.
    pub fn refuse(&self, keys: &[&str], reason: &str) -> Result<()> {
        for key in keys {
            if let Some((key, _)) = self.entries.get_key_value(*key) {
                let message = format!("`{}` {reason}", key.get_ref());
                return Err(self.error(SceneErrorKind::Key, &key.span(), message));
            }
        }
        Ok(())
    }

    pub fn missing(&self, key: &str) -> SceneError {
        self.error(SceneErrorKind::Key, &self.span, format!("missing key `{key}`"))
    }

    pub fn number(&self, key: &str) -> Result<Option<f64>> {
        self.get(key).map(|v| self.as_number(key, v)).transpose()
    }

    pub fn integer<T: TryFrom<i64>>(&self, key: &str) -> Result<Option<T>> {
        self.get(key).map(|v| self.as_integer(key, v)).transpose()
    }

    pub fn string(&self, key: &str) -> Result<Option<&'a str>> {
        self.get(key).map(|v| self.as_string(key, v)).transpose()
    }

    pub fn numbers<const N: usize>(&self, key: &str) -> Result<Option<[f64; N]>> {
        self.get(key).map(|v| self.as_tuple(key, v, "numbers", |e| self.as_number(key, e))).transpose()
    }

    pub fn integers<const N: usize>(&self, key: &str) -> Result<Option<[u32; N]>> {
        self.get(key).map(|v| self.as_tuple(key, v, "whole numbers", |e| self.as_integer(key, e))).transpose()
    }

    pub fn vector_list(&self, key: &str) -> Result<Option<Vec<DVec3>>> {
        self.list(key, |v| {
            self.as_tuple(key, v, "numbers", |e| self.as_number(key, e)).map(DVec3::from_array)
        })
    }

    pub fn number_list(&self, key: &str) -> Result<Option<Vec<f64>>> {
        self.list(key, |v| self.as_number(key, v))
    }

    pub fn integer_list(&self, key: &str) -> Result<Option<Vec<u32>>> {
        self.list(key, |v| self.as_integer(key, v))
    }

    pub fn tuple_list<const N: usize>(&self, key: &str) -> Result<Option<Vec<[u32; N]>>> {
        self.list(key, |v| self.as_tuple(key, v, "whole numbers", |e| self.as_integer(key, e)))
    }

    /// A word that stands for a value.
    pub fn choice<T: Copy>(&self, key: &str, choices: &[(&'static str, T)]) -> Result<Option<T>> {
        self.get(key).map(|v| self.as_choice(key, v, choices)).transpose()
    }

    /// Colours besides those of the library.
    pub fn colours(&self) -> &'a [&'static str] {
        self.source.colours
    }

    pub fn choice_list<T: Copy>(&self, key: &str, choices: &[(&'static str, T)]) -> Result<Option<Vec<T>>> {
        self.list(key, |v| self.as_choice(key, v, choices))
    }

    /// `true` or `false`.
    pub fn flag(&self, key: &str) -> Result<Option<bool>> {
        match self.get(key) {
            None => Ok(None),
            Some(v) => match v.get_ref() {
                DeValue::Boolean(value) => Ok(Some(*value)),
                _ => Err(self.wrong_type(key, "`true` or `false`", v)),
            },
        }
    }

    /// A number, or `false` for none.
    pub fn number_or_false(&self, key: &str) -> Result<Option<Option<f64>>> {
        match self.get(key) {
            None => Ok(None),
            Some(v) if matches!(v.get_ref(), DeValue::Boolean(false)) => Ok(Some(None)),
            Some(v) if matches!(v.get_ref(), DeValue::Integer(_) | DeValue::Float(_)) => {
                self.as_number(key, v).map(|x| Some(Some(x)))
            }
            Some(v) => Err(self.wrong_type(key, "a number or `false`", v)),
        }
    }

    /// The table at `key`, opened with its own list of keys.
    pub fn table(&self, key: &str, keys: &[&str]) -> Result<Option<Table<'a>>> {
        self.get(key)
            .map(|v| match v.get_ref() {
                DeValue::Table(t) => Table::open(self.source, t, v.span(), self.below(key), keys),
                _ => Err(self.wrong_type(key, "a table", v)),
            })
            .transpose()
    }

    /// The same error, in this table.
    pub fn place(&self, error: SceneError) -> SceneError {
        self.source.place(error, &self.span)
    }

    /// The folder at which relative paths start.
    pub fn base(&self) -> &'a Path {
        self.source.base
    }

    /// Whether there is a `key`.
    pub fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// Whether `key` holds a string rather than something else.
    pub fn is_string(&self, key: &str) -> bool {
        self.get(key).is_some_and(|v| v.get_ref().is_str())
    }

    /// Every table of the array of tables at `key`; `subject` names one from its index and its `name`.
    pub fn tables(
        &self,
        key: &str,
        limit: usize,
        keys: &[&str],
        subject: impl Fn(usize, Option<&str>) -> String,
    ) -> Result<Vec<Table<'a>>> {
        let Some(value) = self.get(key) else {
            return Ok(Vec::new());
        };
        let Some(array) = value.get_ref().as_array() else {
            return Err(self.wrong_type(key, &format!("an array of tables (`[[{key}]]`)"), value));
        };
        self.check_length(key, value, array, limit)?;
        let tables = array.iter().enumerate().map(|(i, v)| match v.get_ref() {
            DeValue::Table(t) => {
                let name = t.get("name").and_then(|n| n.get_ref().as_str());
                let subject = self.below(&subject(i, name));
                Table::open(self.source, t, v.span(), subject, keys)
            }
            _ => Err(self.wrong_type(key, "an array of tables", v)),
        });
        tables.collect()
    }

    fn below(&self, what: &str) -> String {
        if self.subject.is_empty() { what.to_owned() } else { format!("{}: {what}", self.subject) }
    }

    fn get(&self, key: &str) -> Option<&'a Spanned<DeValue<'a>>> {
        self.entries.get(key)
    }

    fn error(&self, kind: SceneErrorKind, span: &Span, message: String) -> SceneError {
        let mut error = SceneError::new(kind, message);
        error.subject = self.subject.clone();
        self.source.place(error, span)
    }

    fn wrong_type(&self, key: &str, wanted: &str, value: &Spanned<DeValue>) -> SceneError {
        let found = match value.get_ref() {
            DeValue::String(s) => format!("the string \"{}\"", excerpt(s)),
            DeValue::Integer(i) => format!("the number {}", excerpt(&i.to_string())),
            DeValue::Float(x) => format!("the number {}", excerpt(x.as_str())),
            DeValue::Boolean(b) => format!("`{b}`"),
            DeValue::Datetime(_) => "a date".to_owned(),
            DeValue::Array(a) => format!("an array of {}", a.len()),
            DeValue::Table(_) => "a table".to_owned(),
        };
        self.error(SceneErrorKind::Type, &value.span(), format!("`{key}` must be {wanted}, not {found}"))
    }

    fn list<T>(
        &self,
        key: &str,
        read: impl Fn(&'a Spanned<DeValue<'a>>) -> Result<T>,
    ) -> Result<Option<Vec<T>>> {
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        match value.get_ref() {
            // The 1 MiB of a scene file bounds every list in it.
            DeValue::Array(a) => a.iter().map(read).collect::<Result<Vec<T>>>().map(Some),
            _ => Err(self.wrong_type(key, "an array", value)),
        }
    }

    fn check_length(&self, key: &str, value: &Spanned<DeValue>, array: &DeArray, limit: usize) -> Result<()> {
        if array.len() > limit {
            let message = format!("`{key}` has {} entries; the limit is {limit}", array.len());
            return Err(self.error(SceneErrorKind::Limit, &value.span(), message));
        }
        Ok(())
    }

    fn as_number(&self, key: &str, value: &Spanned<DeValue>) -> Result<f64> {
        let parsed = match value.get_ref() {
            DeValue::Integer(i) => i64::from_str_radix(i.as_str(), i.radix()).ok().map(|i| i as f64),
            DeValue::Float(x) => {
                let is_word = x.as_str().contains(['i', 'n']);
                x.as_str().parse().ok().filter(|x: &f64| x.is_finite() || is_word)
            }
            DeValue::String(text) if quotient(text).is_some() => quotient(text),
            _ => return Err(self.wrong_type(key, "a number", value)),
        };
        parsed.ok_or_else(|| {
            self.error(
                SceneErrorKind::Value,
                &value.span(),
                format!("`{key}` is a number too large to represent"),
            )
        })
    }

    fn as_integer<T: TryFrom<i64>>(&self, key: &str, value: &Spanned<DeValue>) -> Result<T> {
        let DeValue::Integer(i) = value.get_ref() else {
            return Err(self.wrong_type(key, "a whole number", value));
        };
        i64::from_str_radix(i.as_str(), i.radix()).ok().and_then(|i| T::try_from(i).ok()).ok_or_else(|| {
            let message = format!("`{key}` is {}, which is out of range", excerpt(&i.to_string()));
            self.error(SceneErrorKind::Value, &value.span(), message)
        })
    }

    fn as_string<'b>(&self, key: &str, value: &'b Spanned<DeValue<'a>>) -> Result<&'b str> {
        match value.get_ref() {
            DeValue::String(s) => Ok(DeString::as_ref(s)),
            _ => Err(self.wrong_type(key, "a string", value)),
        }
    }

    fn as_choice<T: Copy>(
        &self,
        key: &str,
        value: &Spanned<DeValue>,
        choices: &[(&'static str, T)],
    ) -> Result<T> {
        let DeValue::String(word) = value.get_ref() else {
            return Err(self.wrong_type(key, "a string", value));
        };
        match choices.iter().find(|(name, _)| *name == word.as_ref()) {
            Some((_, choice)) => Ok(*choice),
            None => {
                let word = excerpt(word);
                let hint = hint(&word, choices.iter().map(|(name, _)| *name));
                let message = format!("`{key}` cannot be \"{word}\"{hint}");
                Err(self.error(SceneErrorKind::Value, &value.span(), message))
            }
        }
    }

    fn as_tuple<T, const N: usize>(
        &self,
        key: &str,
        value: &'a Spanned<DeValue<'a>>,
        of: &str,
        read: impl Fn(&'a Spanned<DeValue<'a>>) -> Result<T>,
    ) -> Result<[T; N]> {
        let wrong = || self.wrong_type(key, &format!("an array of {N} {of}"), value);
        let array = value.get_ref().as_array().ok_or_else(wrong)?;
        let values = array.iter().take(N + 1).map(read).collect::<Result<Vec<T>>>()?;
        values.try_into().map_err(|_| wrong())
    }
}

/// The number that `"1/60"` stands for.
fn quotient(text: &str) -> Option<f64> {
    let (above, below) = text.split_once('/')?;
    let [above, below] = [above, below].map(|number| number.trim().parse::<f64>().ok());
    let quotient = above? / below?;
    quotient.is_finite().then_some(quotient)
}
