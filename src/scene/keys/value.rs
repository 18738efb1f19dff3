//! Types of values that a key may have: how each is read, checked, written and described.

use super::super::document::Table;
use super::super::{SceneError, SceneErrorKind};
use super::describe::Type;
use super::rule::direction;
use super::{Check, Meta, Result, Slot, Visit};
use glam::DVec3;
use std::fmt::Write;
use std::path::PathBuf;

/// A value that a scene file can hold.
pub trait Value: Clone + PartialEq + Send + Sync + 'static {
    /// The value of a key, if the table has it.
    fn read(table: &Table, key: &str) -> Result<Option<Self>>;

    /// Is it in its range?
    fn check(&self, meta: &Meta) -> Check;

    /// The text that reads back as the value; a value that is not there has none.
    fn write(&self) -> Result<Option<String>>;

    /// What an editor is told about it.
    fn describe() -> Type;

    /// Calls `visit` with every number that can be set by a slider.
    fn numbers(&mut self, _at: &str, _meta: &Meta, _visit: &mut Visit) {}

    /// Calls `visit` with every file that is named.
    fn files(&mut self, _visit: &mut dyn FnMut(&mut PathBuf)) {}
}

impl Value for f64 {
    fn read(table: &Table, key: &str) -> Result<Option<Self>> {
        table.number(key)
    }
    fn check(&self, meta: &Meta) -> Check {
        meta.rule.number(meta.name, *self, meta.unit)
    }
    fn write(&self) -> Result<Option<String>> {
        Ok(Some(real(*self)))
    }
    fn describe() -> Type {
        Type::Number
    }
    fn numbers(&mut self, at: &str, meta: &Meta, visit: &mut Visit) {
        visit(at, meta, Slot::Real(self));
    }
}

impl Value for u32 {
    fn read(table: &Table, key: &str) -> Result<Option<Self>> {
        table.integer(key)
    }
    fn check(&self, meta: &Meta) -> Check {
        meta.rule.whole(meta.name, *self, meta.because)
    }
    fn write(&self) -> Result<Option<String>> {
        Ok(Some(self.to_string()))
    }
    fn describe() -> Type {
        Type::Whole
    }
    fn numbers(&mut self, at: &str, meta: &Meta, visit: &mut Visit) {
        visit(at, meta, Slot::Whole(self));
    }
}

impl Value for u64 {
    fn read(table: &Table, key: &str) -> Result<Option<Self>> {
        table.integer(key)
    }
    fn check(&self, meta: &Meta) -> Check {
        // TOML has whole numbers to 2⁶³ − 1; a larger one could not be written.
        match i64::try_from(*self) {
            Ok(_) => Ok(()),
            Err(_) => Err(SceneError::value(meta.name, format_args!("is {self}; it must be below 2^63"))),
        }
    }
    fn write(&self) -> Result<Option<String>> {
        Ok(Some(self.to_string()))
    }
    fn describe() -> Type {
        Type::Whole
    }
}

impl Value for bool {
    fn read(table: &Table, key: &str) -> Result<Option<Self>> {
        table.flag(key)
    }
    fn check(&self, _: &Meta) -> Check {
        Ok(())
    }
    fn write(&self) -> Result<Option<String>> {
        Ok(Some(self.to_string()))
    }
    fn describe() -> Type {
        Type::Flag
    }
}

impl Value for String {
    fn read(table: &Table, key: &str) -> Result<Option<Self>> {
        Ok(table.string(key)?.map(str::to_owned))
    }
    fn check(&self, _: &Meta) -> Check {
        Ok(())
    }
    fn write(&self) -> Result<Option<String>> {
        Ok(Some(quoted(self)))
    }
    fn describe() -> Type {
        Type::Text
    }
}

/// A file; relative paths start at the folder of the scene.
impl Value for PathBuf {
    fn read(table: &Table, key: &str) -> Result<Option<Self>> {
        Ok(table.string(key)?.map(|file| table.base().join(file)))
    }
    fn check(&self, _: &Meta) -> Check {
        Ok(())
    }
    fn write(&self) -> Result<Option<String>> {
        let text = self.to_str().ok_or_else(|| {
            SceneError::new(SceneErrorKind::File, format!("the path {} is not UTF-8", self.display()))
        })?;
        Ok(Some(quoted(text)))
    }
    fn describe() -> Type {
        Type::Text
    }
    fn files(&mut self, visit: &mut dyn FnMut(&mut PathBuf)) {
        visit(self);
    }
}

impl Value for DVec3 {
    fn read(table: &Table, key: &str) -> Result<Option<Self>> {
        Ok(table.numbers::<3>(key)?.map(DVec3::from_array))
    }
    fn check(&self, meta: &Meta) -> Check {
        self.to_array().check(meta)?;
        if meta.rule == super::Rule::Direction { direction(meta.name, *self) } else { Ok(()) }
    }
    fn write(&self) -> Result<Option<String>> {
        self.to_array().write()
    }
    fn describe() -> Type {
        <[f64; 3]>::describe()
    }
    fn numbers(&mut self, at: &str, meta: &Meta, visit: &mut Visit) {
        for (i, x) in self.as_mut().iter_mut().enumerate() {
            x.numbers(&format!("{at}[{i}]"), meta, visit);
        }
    }
}

impl<const N: usize> Value for [f64; N] {
    fn read(table: &Table, key: &str) -> Result<Option<Self>> {
        table.numbers(key)
    }
    fn check(&self, meta: &Meta) -> Check {
        each(self, meta)
    }
    fn write(&self) -> Result<Option<String>> {
        array(self)
    }
    fn describe() -> Type {
        Type::Array(Box::new(Type::Number), Some(N))
    }
    fn numbers(&mut self, at: &str, meta: &Meta, visit: &mut Visit) {
        for (i, x) in self.iter_mut().enumerate() {
            x.numbers(&format!("{at}[{i}]"), meta, visit);
        }
    }
}

impl<const N: usize> Value for [u32; N] {
    fn read(table: &Table, key: &str) -> Result<Option<Self>> {
        table.integers(key)
    }
    fn check(&self, meta: &Meta) -> Check {
        each(self, meta)
    }
    fn write(&self) -> Result<Option<String>> {
        array(self)
    }
    fn describe() -> Type {
        Type::Array(Box::new(Type::Whole), Some(N))
    }
    fn numbers(&mut self, at: &str, meta: &Meta, visit: &mut Visit) {
        for (i, n) in self.iter_mut().enumerate() {
            n.numbers(&format!("{at}[{i}]"), meta, visit);
        }
    }
}

/// Steps along the sides of an array of copies.
impl Value for [DVec3; 2] {
    fn read(table: &Table, key: &str) -> Result<Option<Self>> {
        let Some(list) = table.vector_list(key)? else { return Ok(None) };
        let form = format!("{key} = [[x, y, z], [x, y, z]]");
        list.try_into().map(Some).map_err(|_| table.missing(&form))
    }
    fn check(&self, meta: &Meta) -> Check {
        each(self, meta)
    }
    fn write(&self) -> Result<Option<String>> {
        array(self)
    }
    fn describe() -> Type {
        Type::Array(Box::new(DVec3::describe()), Some(2))
    }
}

/// Lists in files: read entry by entry.
macro_rules! lists {
    ($($element:ty { $method:ident } $(<$n:ident>)?),+ $(,)?) => {$(
        impl $(<const $n: usize>)? Value for Vec<$element> {
            fn read(table: &Table, key: &str) -> Result<Option<Self>> {
                table.$method(key)
            }
            fn check(&self, meta: &Meta) -> Check {
                each(self, meta)
            }
            fn write(&self) -> Result<Option<String>> {
                array(self)
            }
            fn describe() -> Type {
                Type::Array(Box::new(<$element>::describe()), None)
            }
        }
    )+};
}

lists!(f64 { number_list }, u32 { integer_list }, DVec3 { vector_list }, [u32; N] { tuple_list } <N>);

/// A value that may be left out.
impl<V: Value> Value for Option<V> {
    fn read(table: &Table, key: &str) -> Result<Option<Self>> {
        Ok(V::read(table, key)?.map(Some))
    }
    fn check(&self, meta: &Meta) -> Check {
        self.as_ref().map_or(Ok(()), |value| value.check(meta))
    }
    fn write(&self) -> Result<Option<String>> {
        self.as_ref().map_or(Ok(None), Value::write)
    }
    fn describe() -> Type {
        V::describe()
    }
    fn numbers(&mut self, at: &str, meta: &Meta, visit: &mut Visit) {
        if let Some(value) = self {
            value.numbers(at, meta, visit);
        }
    }
    fn files(&mut self, visit: &mut dyn FnMut(&mut PathBuf)) {
        if let Some(value) = self {
            value.files(visit);
        }
    }
}

/// Checks the entries of a list; a message names the entry.
fn each<V: Value>(values: &[V], meta: &Meta) -> Check {
    values.iter().enumerate().try_for_each(|(i, value)| value.check(meta).map_err(|e| e.index(i)))
}

fn array<V: Value>(values: &[V]) -> Result<Option<String>> {
    let entries: Result<Vec<_>> = values.iter().map(|value| Ok(value.write()?.unwrap_or_default())).collect();
    Ok(Some(format!("[{}]", entries?.join(", "))))
}

/// The shortest text that reads back as the same number.
pub(in crate::scene) fn real(x: f64) -> String {
    format!("{x:?}")
}

/// A basic string of TOML.
pub(in crate::scene) fn quoted(text: &str) -> String {
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
