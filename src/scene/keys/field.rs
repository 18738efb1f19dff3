//! Keys with values: numbers, words, files, and hooks between them.

use super::super::document::Table;
use super::describe::{Description, Entry, Type};
use super::value::{Value, quoted};
use super::write::Entries;
use super::{Check, Keys, Lens, Meta, Result, Slot, Visit, below};
use std::path::PathBuf;

/// How a key of a `T` is read, checked, written and described.
pub(super) trait Field<T>: Send + Sync {
    fn names(&self, meta: &Meta, names: &mut Vec<&'static str>) {
        names.push(meta.name);
    }
    /// Reads what stands at `key`, which is the field's own name unless a short form stands for it.
    fn read(&self, meta: &Meta, key: &str, table: &Table, target: &mut T) -> Result<()>;
    fn check(&self, _meta: &Meta, _value: &T) -> Check {
        Ok(())
    }
    fn write(&self, _meta: &Meta, _value: &T, _plain: &T, _out: &mut Entries) -> Result<()> {
        Ok(())
    }
    fn describe(&self, meta: &Meta, plain: &T, out: &mut Description);
    fn numbers(&self, _meta: &Meta, _at: &str, _value: &mut T, _visit: &mut Visit) {}
    fn files(&self, _value: &mut T, _visit: &mut dyn FnMut(&mut PathBuf)) {}
    fn shape_key(&self, _value: &T) -> Option<&'static str> {
        None
    }
}

struct Leaf<T, V>(Lens<T, V>);

impl<T: 'static, V: Value> Field<T> for Leaf<T, V> {
    fn read(&self, meta: &Meta, key: &str, table: &Table, target: &mut T) -> Result<()> {
        match V::read(table, key)? {
            Some(value) => *(self.0.get_mut)(target) = value,
            None if meta.required => return Err(table.missing(key)),
            None => {}
        }
        Ok(())
    }

    fn check(&self, meta: &Meta, value: &T) -> Check {
        (self.0.get)(value).check(meta)
    }

    fn write(&self, meta: &Meta, value: &T, plain: &T, out: &mut Entries) -> Result<()> {
        let value = (self.0.get)(value);
        if (meta.required || value != (self.0.get)(plain))
            && let Some(text) = value.write()?
        {
            out.line(meta.name, text);
        }
        Ok(())
    }

    fn describe(&self, meta: &Meta, plain: &T, out: &mut Description) {
        let default = (self.0.get)(plain).write().ok().flatten();
        out.entries.push(Entry::new(meta, V::describe(), default));
    }

    fn numbers(&self, meta: &Meta, at: &str, value: &mut T, visit: &mut Visit) {
        (self.0.get_mut)(value).numbers(&below(at, meta.name), meta, visit);
    }

    fn files(&self, value: &mut T, visit: &mut dyn FnMut(&mut PathBuf)) {
        (self.0.get_mut)(value).files(visit);
    }
}

struct Choice<T, V: 'static> {
    lens: Lens<T, V>,
    words: &'static [(&'static str, V)],
}

impl<T: 'static, V: Copy + PartialEq + Send + Sync> Choice<T, V> {
    fn word(&self, value: V) -> Option<&'static str> {
        self.words.iter().find(|(_, named)| *named == value).map(|(word, _)| *word)
    }
}

impl<T: 'static, V: Copy + PartialEq + Send + Sync> Field<T> for Choice<T, V> {
    fn read(&self, meta: &Meta, key: &str, table: &Table, target: &mut T) -> Result<()> {
        match table.choice(key, self.words)? {
            Some(value) => *(self.lens.get_mut)(target) = value,
            None if meta.required => return Err(table.missing(key)),
            None => {}
        }
        Ok(())
    }

    fn write(&self, meta: &Meta, value: &T, plain: &T, out: &mut Entries) -> Result<()> {
        let (value, plain) = (*(self.lens.get)(value), *(self.lens.get)(plain));
        if (meta.required || value != plain)
            && let Some(word) = self.word(value)
        {
            out.line(meta.name, quoted(word));
        }
        Ok(())
    }

    fn describe(&self, meta: &Meta, plain: &T, out: &mut Description) {
        let words = self.words.iter().map(|(word, _)| *word).collect();
        let default = self.word(*(self.lens.get)(plain)).map(quoted);
        out.entries.push(Entry::new(meta, Type::Word(words), default));
    }

    fn numbers(&self, meta: &Meta, at: &str, value: &mut T, visit: &mut Visit) {
        let place = (self.lens.get_mut)(value);
        let words: Vec<_> = self.words.iter().map(|(word, _)| *word).collect();
        let Some(chosen) = self.words.iter().position(|(_, named)| named == place) else { return };
        let set = &mut |index: usize| *place = self.words[index].1;
        visit(&below(at, meta.name), meta, Slot::Word { words: &words, chosen, set });
    }
}

/// A key that is read and written in its own way.
struct Odd<T> {
    kind: Type,
    read: fn(&Table, &str, &mut T) -> Result<()>,
    write: fn(&T) -> Option<String>,
}

impl<T: 'static> Field<T> for Odd<T> {
    fn read(&self, _: &Meta, key: &str, table: &Table, target: &mut T) -> Result<()> {
        (self.read)(table, key, target)
    }

    fn write(&self, meta: &Meta, value: &T, _: &T, out: &mut Entries) -> Result<()> {
        if let Some(text) = (self.write)(value) {
            out.line(meta.name, text);
        }
        Ok(())
    }

    fn describe(&self, meta: &Meta, _: &T, out: &mut Description) {
        out.entries.push(Entry::new(meta, self.kind.clone(), None));
    }
}

type ReadHook<T> = Box<dyn Fn(&Table, &mut T) -> Result<()> + Send + Sync>;
type CheckHook<T> = Box<dyn Fn(&T) -> Check + Send + Sync>;

/// What declarations cannot say.
enum Hook<T> {
    Read(ReadHook<T>),
    Check(CheckHook<T>),
}

impl<T: 'static> Field<T> for Hook<T> {
    fn names(&self, _: &Meta, _: &mut Vec<&'static str>) {}

    fn read(&self, _: &Meta, _: &str, table: &Table, target: &mut T) -> Result<()> {
        if let Self::Read(read) = self { read(table, target) } else { Ok(()) }
    }

    fn check(&self, _: &Meta, value: &T) -> Check {
        if let Self::Check(check) = self { check(value) } else { Ok(()) }
    }

    fn describe(&self, _: &Meta, _: &T, _: &mut Description) {}
}

impl<T: 'static> Keys<T> {
    /// A value of the field's own type.
    pub fn value<V: Value>(&mut self, name: &'static str, lens: Lens<T, V>) -> &mut Meta {
        self.add(name, Leaf(lens))
    }

    /// A word that stands for a value.
    pub fn choice<V: Copy + PartialEq + Send + Sync>(
        &mut self,
        name: &'static str,
        lens: Lens<T, V>,
        words: &'static [(&'static str, V)],
    ) -> &mut Meta {
        self.add(name, Choice { lens, words })
    }

    /// A key that is read and written in its own way.
    pub(in crate::scene) fn odd(
        &mut self,
        name: &'static str,
        kind: Type,
        read: fn(&Table, &str, &mut T) -> Result<()>,
        write: fn(&T) -> Option<String>,
    ) -> &mut Meta {
        self.add(name, Odd { kind, read, write })
    }

    /// Something to do when the keys above have been read.
    pub(in crate::scene) fn reading(
        &mut self,
        read: impl Fn(&Table, &mut T) -> Result<()> + Send + Sync + 'static,
    ) {
        self.add("", Hook::Read(Box::new(read)));
    }

    /// Something to check when the values above have been checked.
    pub fn checking(&mut self, check: impl Fn(&T) -> Check + Send + Sync + 'static) {
        self.add("", Hook::Check(Box::new(check)));
    }
}
