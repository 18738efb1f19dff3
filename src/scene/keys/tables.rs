//! Keys with tables: one, perhaps none, or an array of them; and keys of a part that stand in the table of the whole.

use super::super::document::Table;
use super::super::{SceneError, SceneErrorKind};
use super::describe::{Description, Entry, Type};
use super::field::Field;
use super::write::{Entries, Written};
use super::{Check, Declared, Keys, Lens, Meta, Result, Visit, below};
use std::path::PathBuf;

/// A table, of which a string may stand for one key.
struct Sub<T, S> {
    lens: Lens<T, S>,
    short: Option<&'static str>,
}

/// Reads the table at `key`, or its short form. Returns whether there is one.
fn read_table<S: Declared>(
    short: Option<&str>,
    key: &str,
    table: &Table,
    target: impl FnOnce() -> S,
) -> Result<Option<S>> {
    if let Some(short) = short.filter(|_| table.is_string(key)) {
        let mut value = target();
        S::keys().read_short(short, key, table, &mut value)?;
        return Ok(Some(value));
    }
    let Some(inner) = table.table(key, &S::keys().names())? else { return Ok(None) };
    let mut value = target();
    S::keys().read(&inner, &mut value)?;
    Ok(Some(value))
}

fn table_type<S: Declared>(short: Option<&str>, plain: &S) -> Type {
    let description = S::keys().describe(plain);
    let short = short.and_then(|short| description.entry(short)).map(|entry| entry.kind.clone());
    match short {
        Some(short) => Type::Either(vec![short, Type::Table(description)]),
        None => Type::Table(description),
    }
}

impl<T: 'static, S: Declared> Field<T> for Sub<T, S> {
    fn read(&self, meta: &Meta, key: &str, table: &Table, target: &mut T) -> Result<()> {
        let place = (self.lens.get_mut)(target);
        match read_table(self.short, key, table, || place.clone())? {
            Some(value) => *place = value,
            None if meta.required => return Err(table.missing(key)),
            None => {}
        }
        Ok(())
    }

    fn check(&self, meta: &Meta, value: &T) -> Check {
        S::keys().check((self.lens.get)(value)).map_err(|e| e.inside(meta.name))
    }

    fn write(&self, meta: &Meta, value: &T, plain: &T, out: &mut Entries) -> Result<()> {
        let (value, plain) = ((self.lens.get)(value), (self.lens.get)(plain));
        if value != plain {
            out.push(meta.name, Written::Table(S::keys().write(value, plain)?));
        }
        Ok(())
    }

    fn describe(&self, meta: &Meta, plain: &T, out: &mut Description) {
        out.entries.push(Entry::new(meta, table_type(self.short, (self.lens.get)(plain)), None));
    }

    fn numbers(&self, meta: &Meta, at: &str, value: &mut T, visit: &mut Visit) {
        S::keys().numbers((self.lens.get_mut)(value), &below(at, meta.name), visit);
    }

    fn files(&self, value: &mut T, visit: &mut dyn FnMut(&mut PathBuf)) {
        S::keys().files((self.lens.get_mut)(value), visit);
    }
}

/// A table whose keys are of the whole, of which a string stands for the key `short`.
struct Group<T: 'static> {
    keys: Keys<T>,
    short: &'static str,
}

impl<T: Clone + PartialEq + Send + Sync + 'static> Field<T> for Group<T> {
    fn read(&self, _: &Meta, key: &str, table: &Table, target: &mut T) -> Result<()> {
        if table.is_string(key) {
            return self.keys.read_short(self.short, key, table, target);
        }
        match table.table(key, &self.keys.names())? {
            Some(inner) => self.keys.read(&inner, target),
            None => Ok(()),
        }
    }

    fn check(&self, meta: &Meta, value: &T) -> Check {
        self.keys.check(value).map_err(|e| e.inside(meta.name))
    }

    fn write(&self, meta: &Meta, value: &T, plain: &T, out: &mut Entries) -> Result<()> {
        let entries = self.keys.write(value, plain)?;
        if !entries.is_empty() {
            out.push(meta.name, Written::Table(entries));
        }
        Ok(())
    }

    fn describe(&self, meta: &Meta, plain: &T, out: &mut Description) {
        let description = self.keys.describe(plain);
        let short = description.entry(self.short).map(|entry| entry.kind.clone());
        let kinds = short.into_iter().chain([Type::Table(description)]).collect();
        out.entries.push(Entry::new(meta, Type::Either(kinds), None));
    }

    fn numbers(&self, meta: &Meta, at: &str, value: &mut T, visit: &mut Visit) {
        self.keys.numbers(value, &below(at, meta.name), visit);
    }
}

/// A table that may be left out.
struct Maybe<T, S>(Lens<T, Option<S>>);

impl<T: 'static, S: Declared> Field<T> for Maybe<T, S> {
    fn read(&self, _: &Meta, key: &str, table: &Table, target: &mut T) -> Result<()> {
        if let Some(value) = read_table(None, key, table, S::default)? {
            *(self.0.get_mut)(target) = Some(value);
        }
        Ok(())
    }

    fn check(&self, meta: &Meta, value: &T) -> Check {
        match (self.0.get)(value) {
            Some(value) => S::keys().check(value).map_err(|e| e.inside(meta.name)),
            None => Ok(()),
        }
    }

    fn write(&self, meta: &Meta, value: &T, _: &T, out: &mut Entries) -> Result<()> {
        if let Some(value) = (self.0.get)(value) {
            out.push(meta.name, Written::Table(S::keys().write(value, &S::default())?));
        }
        Ok(())
    }

    fn describe(&self, meta: &Meta, _: &T, out: &mut Description) {
        out.entries.push(Entry::new(meta, table_type(None, &S::default()), None));
    }

    fn numbers(&self, meta: &Meta, at: &str, value: &mut T, visit: &mut Visit) {
        if let Some(value) = (self.0.get_mut)(value) {
            S::keys().numbers(value, &below(at, meta.name), visit);
        }
    }

    fn files(&self, value: &mut T, visit: &mut dyn FnMut(&mut PathBuf)) {
        if let Some(value) = (self.0.get_mut)(value) {
            S::keys().files(value, visit);
        }
    }
}

/// An array of tables.
struct List<T, S> {
    lens: Lens<T, Vec<S>>,
    limit: usize,
    /// How messages name one: `pin` for "pin 1".
    called: &'static str,
    /// Whether it is written on one line.
    inline: bool,
}

impl<T: 'static, S: Declared> Field<T> for List<T, S> {
    fn read(&self, meta: &Meta, key: &str, table: &Table, target: &mut T) -> Result<()> {
        let called = self.called;
        let name = |i: usize, _: Option<&str>| format!("{called} {}", i + 1);
        let tables = table.tables(key, self.limit, &S::keys().names(), name)?;
        if tables.is_empty() && !meta.because.is_empty() {
            table.refuse(&[meta.name], meta.because)?;
        }
        let list = (self.lens.get_mut)(target);
        list.clear();
        for inner in &tables {
            let mut value = S::default();
            S::keys().read(inner, &mut value)?;
            list.push(value);
        }
        Ok(())
    }

    fn check(&self, meta: &Meta, value: &T) -> Check {
        let list = (self.lens.get)(value);
        if list.len() > self.limit {
            let message = format!("has {} entries; the limit is {}", list.len(), self.limit);
            return Err(SceneError::at(SceneErrorKind::Limit, meta.name, message));
        }
        list.iter().enumerate().try_for_each(|(i, value)| {
            let here = |e: SceneError| e.inside_entry(meta.name, i, &format!("{} {}", self.called, i + 1));
            S::keys().check(value).map_err(here)
        })
    }

    fn write(&self, meta: &Meta, value: &T, _: &T, out: &mut Entries) -> Result<()> {
        let list = (self.lens.get)(value);
        if !list.is_empty() {
            let plain = S::default();
            let entries = list.iter().map(|value| S::keys().write(value, &plain)).collect::<Result<_>>()?;
            out.push(meta.name, Written::List { entries, inline: self.inline });
        }
        Ok(())
    }

    fn describe(&self, meta: &Meta, _: &T, out: &mut Description) {
        let description = S::keys().describe(&S::default());
        out.entries.push(Entry::new(meta, Type::List(description, self.limit), None));
    }

    fn files(&self, value: &mut T, visit: &mut dyn FnMut(&mut PathBuf)) {
        (self.lens.get_mut)(value).iter_mut().for_each(|value| S::keys().files(value, visit));
    }
}

/// Keys of a part, in the table of the whole.
struct Flat<T, S>(Lens<T, S>);

impl<T: 'static, S: Declared> Field<T> for Flat<T, S> {
    fn names(&self, _: &Meta, names: &mut Vec<&'static str>) {
        names.extend(S::keys().names());
    }

    fn read(&self, _: &Meta, _: &str, table: &Table, target: &mut T) -> Result<()> {
        S::keys().read(table, (self.0.get_mut)(target))
    }

    fn check(&self, _: &Meta, value: &T) -> Check {
        S::keys().check((self.0.get)(value))
    }

    fn write(&self, _: &Meta, value: &T, plain: &T, out: &mut Entries) -> Result<()> {
        out.extend(S::keys().write((self.0.get)(value), (self.0.get)(plain))?);
        Ok(())
    }

    fn describe(&self, _: &Meta, plain: &T, out: &mut Description) {
        out.extend(S::keys().describe((self.0.get)(plain)));
    }

    fn numbers(&self, _: &Meta, at: &str, value: &mut T, visit: &mut Visit) {
        S::keys().numbers((self.0.get_mut)(value), at, visit);
    }

    fn files(&self, value: &mut T, visit: &mut dyn FnMut(&mut PathBuf)) {
        S::keys().files((self.0.get_mut)(value), visit);
    }
}

impl<T: 'static> Keys<T> {
    /// A table.
    pub fn table<S: Declared>(&mut self, name: &'static str, lens: Lens<T, S>) -> &mut Meta {
        self.add(name, Sub { lens, short: None })
    }

    /// A table, or a string that stands for its key `short`.
    pub fn short_table<S: Declared>(
        &mut self,
        name: &'static str,
        lens: Lens<T, S>,
        short: &'static str,
    ) -> &mut Meta {
        self.add(name, Sub { lens, short: Some(short) })
    }

    /// Keys of this table in one of their own, or a string that stands for the one called `short`.
    pub fn group(
        &mut self,
        name: &'static str,
        short: &'static str,
        declare: impl FnOnce(&mut Self),
    ) -> &mut Meta
    where
        T: Clone + PartialEq + Send + Sync,
    {
        let mut keys = Keys::new();
        declare(&mut keys);
        self.add(name, Group { keys, short })
    }

    /// A table that may be left out.
    pub fn maybe<S: Declared>(&mut self, name: &'static str, lens: Lens<T, Option<S>>) -> &mut Meta {
        self.add(name, Maybe(lens))
    }

    /// An array of at most `limit` tables, each `called` by its number.
    pub fn list<S: Declared>(
        &mut self,
        name: &'static str,
        lens: Lens<T, Vec<S>>,
        limit: usize,
        called: &'static str,
    ) -> &mut Meta {
        self.add(name, List { lens, limit, called, inline: false })
    }

    /// The same, written on one line.
    pub fn inline_list<S: Declared>(
        &mut self,
        name: &'static str,
        lens: Lens<T, Vec<S>>,
        limit: usize,
        called: &'static str,
    ) -> &mut Meta {
        self.add(name, List { lens, limit, called, inline: true })
    }

    /// The keys of a part, in the table of the whole.
    pub fn flat<S: Declared>(&mut self, lens: Lens<T, S>) {
        self.add("", Flat(lens));
    }
}
