//! Exactly one of several keys: the shapes of bodies, the selectors of pins.

use super::super::document::Table;
use super::super::{SceneError, SceneErrorKind};
use super::describe::{Alternative, Description, Entry, Type};
use super::field::Field;
use super::write::{Entries, Written};
use super::{Check, Keys, Lens, Meta, Result, Visit, below};
use std::mem::discriminant;
use std::path::PathBuf;

/// The variants of an enum of which a table has one.
pub struct Variants<S: 'static> {
    list: Vec<Variant<S>>,
    in_code: Option<&'static str>,
}

/// One of them.
pub struct Variant<S: 'static> {
    key: &'static str,
    doc: &'static str,
    /// The key that its number of particles follows from.
    sized: &'static str,
    /// What its keys overwrite.
    start: fn() -> S,
    is: Option<fn(&S) -> bool>,
    /// Keys of the table that the key holds, if it holds one.
    inner: Option<Keys<S>>,
    /// The key of the table that a string stands for.
    short: Option<&'static str>,
    /// Keys that stand beside the table, or instead of it.
    beside: Keys<S>,
    refused: Vec<(&'static [&'static str], &'static str)>,
}

impl<S: 'static> Variants<S> {
    /// A variant whose key holds a table.
    pub fn table(
        &mut self,
        key: &'static str,
        doc: &'static str,
        start: fn() -> S,
        declare: impl FnOnce(&mut Keys<S>),
    ) -> &mut Variant<S> {
        let mut inner = Keys::new();
        declare(&mut inner);
        self.add(key, doc, start, Some(inner), Keys::new())
    }

    /// A variant whose keys, of which `key` is one, stand in the body's own table.
    pub fn beside(
        &mut self,
        key: &'static str,
        doc: &'static str,
        start: fn() -> S,
        declare: impl FnOnce(&mut Keys<S>),
    ) -> &mut Variant<S> {
        let mut beside = Keys::new();
        declare(&mut beside);
        self.add(key, doc, start, None, beside)
    }

    /// All other variants are made in code; messages about them name `key`.
    pub fn in_code(&mut self, key: &'static str) {
        self.in_code = Some(key);
    }

    fn add(
        &mut self,
        key: &'static str,
        doc: &'static str,
        start: fn() -> S,
        inner: Option<Keys<S>>,
        beside: Keys<S>,
    ) -> &mut Variant<S> {
        let variant = Variant {
            key,
            doc,
            sized: key,
            start,
            is: None,
            inner,
            short: None,
            beside,
            refused: Vec::new(),
        };
        self.list.push(variant);
        let last = self.list.len() - 1;
        &mut self.list[last]
    }

    fn of(&self, value: &S) -> Option<&Variant<S>> {
        self.list.iter().find(|variant| match variant.is {
            Some(is) => is(value),
            None => discriminant(value) == discriminant(&(variant.start)()),
        })
    }
}

impl<S: 'static> Variant<S> {
    /// A string may stand for this key of the table.
    pub fn short(&mut self, short: &'static str) -> &mut Self {
        self.short = Some(short);
        self
    }

    /// Messages about the number of particles name this key.
    pub fn sized(&mut self, key: &'static str) -> &mut Self {
        self.sized = key;
        self
    }

    /// Tells a variant from others of the same discriminant.
    pub fn when(&mut self, is: fn(&S) -> bool) -> &mut Self {
        self.is = Some(is);
        self
    }

    /// Keys beside the table.
    pub fn also(&mut self, declare: impl FnOnce(&mut Keys<S>)) -> &mut Self {
        declare(&mut self.beside);
        self
    }

    /// Keys of other variants that must not stand beside this one.
    pub fn refuse(&mut self, keys: &'static [&'static str], reason: &'static str) -> &mut Self {
        self.refused.push((keys, reason));
        self
    }

    /// Adds its keys. Which are required depends on the variant, and variants may share some.
    fn describe(&self, out: &mut Description) -> Alternative {
        let start = (self.start)();
        let table = self.inner.as_ref().map(|inner| inner.describe(&start));
        if let Some(description) = table.clone() {
            let short = self.short.and_then(|short| description.entry(short)).map(|e| e.kind.clone());
            let table = Type::Table(description);
            let kind = match short {
                Some(short) => Type::Either(vec![short, table]),
                None => table,
            };
            out.entries.push(Entry { doc: self.doc, ..Entry::new(&Meta::new(self.key), kind, None) });
        }
        let (mut needs, mut beside) = (Vec::new(), Vec::new());
        for entry in self.beside.describe(&start).entries {
            if entry.required && entry.name != self.key {
                needs.push(entry.name);
            }
            beside.push(entry.name);
            match out.entries.iter_mut().find(|known| known.name == entry.name) {
                Some(known) if known.kind != entry.kind => {
                    known.kind = Type::Either(vec![known.kind.clone(), entry.kind]);
                }
                Some(_) => {}
                None => out.entries.push(Entry { required: false, ..entry }),
            }
        }
        Alternative { key: self.key, doc: self.doc, needs, beside, table, short: self.short }
    }
}

struct OneOf<T, S: 'static> {
    lens: Lens<T, S>,
    variants: Variants<S>,
    /// If all keys may be left out: other keys that go with none of them.
    optional: Option<&'static [&'static str]>,
}

impl<T: 'static, S: Clone + PartialEq + Send + Sync> Field<T> for OneOf<T, S> {
    fn names(&self, _: &Meta, names: &mut Vec<&'static str>) {
        for variant in &self.variants.list {
            let own = variant.inner.as_ref().map(|_| variant.key);
            for name in own.into_iter().chain(variant.beside.names()) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
    }

    fn read(&self, _: &Meta, _: &str, table: &Table, target: &mut T) -> Result<()> {
        let keys: Vec<_> = self.variants.list.iter().map(|variant| variant.key).collect();
        if self.optional.is_some() && !keys.iter().any(|key| table.has(key)) {
            return Ok(());
        }
        let key = table.one_of(&keys)?;
        let variant = self.variants.list.iter().find(|variant| variant.key == key);
        let variant = variant.expect("the key is that of a variant");
        variant.refused.iter().try_for_each(|(keys, reason)| table.refuse(keys, reason))?;
        let mut value = (variant.start)();
        if let Some(inner) = &variant.inner {
            match variant.short.filter(|_| table.is_string(key)) {
                Some(short) => inner.read_short(short, key, table, &mut value)?,
                None => {
                    let opened = table.table(key, &inner.names())?;
                    inner.read(&opened.ok_or_else(|| table.missing(key))?, &mut value)?;
                }
            }
        }
        variant.beside.read(table, &mut value)?;
        *(self.lens.get_mut)(target) = value;
        Ok(())
    }

    fn check(&self, _: &Meta, value: &T) -> Check {
        let value = (self.lens.get)(value);
        let Some(variant) = self.variants.of(value) else { return Ok(()) };
        if let Some(inner) = &variant.inner {
            inner.check(value).map_err(|e| e.inside(variant.key))?;
        }
        variant.beside.check(value)
    }

    fn write(&self, _: &Meta, value: &T, plain: &T, out: &mut Entries) -> Result<()> {
        let (value, plain) = ((self.lens.get)(value), (self.lens.get)(plain));
        if self.optional.is_some() && value == plain {
            return Ok(());
        }
        let Some(variant) = self.variants.of(value) else {
            let key = self.variants.in_code.unwrap_or_default();
            let message = "was made in code; write it to a file first";
            return Err(SceneError::at(SceneErrorKind::Mesh, key, message));
        };
        let start = (variant.start)();
        if let Some(inner) = &variant.inner {
            out.push(variant.key, Written::Table(inner.write(value, &start)?));
        }
        out.extend(variant.beside.write(value, &start)?);
        Ok(())
    }

    fn describe(&self, _: &Meta, _: &T, out: &mut Description) {
        let alternatives = self.variants.list.iter().map(|variant| variant.describe(out)).collect();
        match self.optional {
            Some(others) => {
                let own = self.variants.list.iter().map(|variant| variant.key);
                out.at_most_one.push(own.chain(others.iter().copied()).collect());
            }
            None => out.one_of.push(alternatives),
        }
    }

    fn numbers(&self, _: &Meta, at: &str, value: &mut T, visit: &mut Visit) {
        let value = (self.lens.get_mut)(value);
        let Some(variant) = self.variants.of(value) else { return };
        if let Some(inner) = &variant.inner {
            inner.numbers(value, &below(at, variant.key), visit);
        }
        variant.beside.numbers(value, at, visit);
    }

    fn files(&self, value: &mut T, visit: &mut dyn FnMut(&mut PathBuf)) {
        let value = (self.lens.get_mut)(value);
        let Some(variant) = self.variants.of(value) else { return };
        if let Some(inner) = &variant.inner {
            inner.files(value, visit);
        }
        variant.beside.files(value, visit);
    }

    fn shape_key(&self, value: &T) -> Option<&'static str> {
        match self.variants.of((self.lens.get)(value)) {
            Some(variant) => Some(variant.sized),
            None => self.variants.in_code,
        }
    }
}

impl<T: 'static> Keys<T> {
    /// Exactly one of the variants of an enum.
    pub fn one_of<S: Clone + PartialEq + Send + Sync + 'static>(
        &mut self,
        lens: Lens<T, S>,
        declare: impl FnOnce(&mut Variants<S>),
    ) {
        self.add_variants(lens, declare, None);
    }

    /// At most one of them, and none beside one of `others`; without any the value stays what it is by default.
    pub fn at_most_one_of<S: Clone + PartialEq + Send + Sync + 'static>(
        &mut self,
        lens: Lens<T, S>,
        declare: impl FnOnce(&mut Variants<S>),
        others: &'static [&'static str],
    ) {
        self.add_variants(lens, declare, Some(others));
    }

    fn add_variants<S: Clone + PartialEq + Send + Sync + 'static>(
        &mut self,
        lens: Lens<T, S>,
        declare: impl FnOnce(&mut Variants<S>),
        optional: Option<&'static [&'static str]>,
    ) {
        let mut variants = Variants { list: Vec::new(), in_code: None };
        declare(&mut variants);
        self.add("", OneOf { lens, variants, optional });
    }
}
