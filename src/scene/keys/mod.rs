//! Keys of a scene file, each declared once.
//!
//! ```text
//! k.value("radius", at!(radius)).positive("m").slider(1e-4, 0.1).says("radius of the round, solid section");
//! ```
//!
//! From the declaration follow the reader ([`Keys::read`]), the check of the value ([`Keys::check`]), the writer
//! ([`Keys::write`]), the manual and the JSON schema ([`Keys::describe`]), and the sliders of the viewer
//! ([`Keys::numbers`]). [`Declared`] is implemented by everything that a table of a scene file describes; what a declaration cannot
//! say is said by hooks ([`Keys::reading`], [`Keys::checking`]) in the order of the keys.

pub mod describe;
mod field;
pub mod manual;
mod one_of;
mod rule;
pub mod schema;
mod tables;
mod value;
mod write;

pub use rule::{End, Rule};
pub(super) use rule::{corners, positive, within};
pub use value::Value;
pub(super) use value::{quoted, real};
pub use write::Entries;
pub(super) use write::Written;

use super::SceneError;
use super::document::Table;
use describe::Description;
use field::Field;
pub use one_of::Variants;
use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Mutex;

pub(super) type Result<T> = std::result::Result<T, SceneError>;
/// Whether values are in their ranges.
pub type Check = Result<()>;

/// A field of a struct, or of a variant of an enum.
pub struct Lens<T, V> {
    pub get: fn(&T) -> &V,
    pub get_mut: fn(&mut T) -> &mut V,
}

impl<T, V> Clone for Lens<T, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, V> Copy for Lens<T, V> {}

/// The [`Lens`](crate::scene::keys::Lens) of a field: `at!(material.density)`.
#[macro_export]
macro_rules! at {
    ($($path:tt)+) => {
        $crate::scene::keys::Lens { get: |it| &it.$($path)+, get_mut: |it| &mut it.$($path)+ }
    };
}

/// The lens of a field of a variant: `of!(Shape::Ball, radius)`; of the value of a tuple variant: `of!(Selector::Edge)`; or
/// of whatever a pattern binds: `of!(in Filled { shape: Ball { radius } , .. } => radius)`.
macro_rules! of {
    (in $pattern:pat => $field:ident) => {
        $crate::scene::keys::Lens {
            get: |it| match it {
                $pattern => $field,
                _ => unreachable!("a variant's keys are used for that variant only"),
            },
            get_mut: |it| match it {
                $pattern => $field,
                _ => unreachable!("a variant's keys are used for that variant only"),
            },
        }
    };
    ($variant:path) => {
        of!(in $variant(value) => value)
    };
    ($variant:path, $field:ident) => {
        of!(in $variant { $field, .. } => $field)
    };
}

pub(super) use of;

/// What a table of a scene file describes.
pub trait Declared: Clone + PartialEq + Default + Send + Sync + 'static {
    /// Adds the keys, in the order of the manual and of written files.
    fn declare(keys: &mut Keys<Self>);

    /// The keys, declared once per program.
    fn keys() -> &'static Keys<Self> {
        static ALL: Mutex<Option<HashMap<TypeId, &'static (dyn Any + Send + Sync)>>> = Mutex::new(None);
        let lock = || ALL.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let known = lock().get_or_insert_default().get(&TypeId::of::<Self>()).copied();
        let keys = known.unwrap_or_else(|| {
            let mut keys = Keys::new();
            Self::declare(&mut keys);
            let keys: &'static (dyn Any + Send + Sync) = Box::leak(Box::new(keys));
            *lock().get_or_insert_default().entry(TypeId::of::<Self>()).or_insert(keys)
        });
        keys.downcast_ref().expect("keys are kept by their type")
    }
}

/// What is said about a key.
#[derive(Debug, Clone)]
pub struct Meta {
    pub name: &'static str,
    /// SI, as in messages; empty for pure numbers.
    pub unit: &'static str,
    /// What the key means, in one sentence.
    pub doc: &'static str,
    pub rule: Rule,
    /// Replaces the range in the message about a value out of it.
    pub because: &'static str,
    pub required: bool,
    /// What the manual says about the default, if that is not a value.
    pub default: &'static str,
    /// Ends of the slider in the viewer, if it has one.
    pub slider: Option<[f64; 2]>,
    /// Whether the viewer shows it among the first.
    pub panel: bool,
}

impl Meta {
    pub(super) fn new(name: &'static str) -> Self {
        let (unit, doc, because, default) = ("", "", "", "");
        let (required, slider, panel) = (false, None, false);
        Self { name, unit, doc, rule: Rule::Any, because, required, default, slider, panel }
    }

    pub fn says(&mut self, doc: &'static str) -> &mut Self {
        self.doc = doc;
        self
    }

    /// A unit without a rule.
    pub fn unit(&mut self, unit: &'static str) -> &mut Self {
        self.unit = unit;
        self
    }

    pub fn rule(&mut self, rule: Rule, unit: &'static str) -> &mut Self {
        (self.rule, self.unit) = (rule, unit);
        self
    }

    pub fn finite(&mut self, unit: &'static str) -> &mut Self {
        self.rule(Rule::Finite, unit)
    }

    pub fn positive(&mut self, unit: &'static str) -> &mut Self {
        self.rule(Rule::Positive, unit)
    }

    pub fn not_negative(&mut self, unit: &'static str) -> &mut Self {
        self.rule(Rule::NotNegative, unit)
    }

    pub fn stiffness(&mut self, unit: &'static str) -> &mut Self {
        self.rule(Rule::Stiffness, unit)
    }

    pub fn compliance(&mut self, unit: &'static str) -> &mut Self {
        self.rule(Rule::Compliance, unit)
    }

    /// A whole number from the first to the second.
    pub fn whole(&mut self, least: u32, most: u32) -> &mut Self {
        self.rule(Rule::Whole(least, most), "")
    }

    /// Between two ends; `wanted` is the range in words.
    pub fn within(&mut self, low: End, high: End, wanted: &'static str) -> &mut Self {
        self.rule = Rule::Within { low, high, wanted };
        self
    }

    pub fn because(&mut self, because: &'static str) -> &mut Self {
        self.because = because;
        self
    }

    pub fn required(&mut self) -> &mut Self {
        self.required = true;
        self
    }

    /// What the manual says about the default: "never", "that of the frame".
    pub fn default(&mut self, default: &'static str) -> &mut Self {
        self.default = default;
        self
    }

    /// A slider in the viewer, from `low` to `high`.
    pub fn slider(&mut self, low: f64, high: f64) -> &mut Self {
        self.slider = Some([low, high]);
        self.panel()
    }

    /// Is shown among the first in the viewer.
    pub fn panel(&mut self) -> &mut Self {
        self.panel = true;
        self
    }
}

/// A value that the viewer can set.
pub enum Slot<'a> {
    Real(&'a mut f64),
    Whole(&'a mut u32),
    /// One of some words, by its number.
    Word {
        words: &'a [&'static str],
        chosen: usize,
        set: &'a mut dyn FnMut(usize),
    },
}

/// Is called with the place of a value within its body (`grid.size[1]`), what is said about it, and the value.
pub type Visit<'a> = dyn FnMut(&str, &Meta, Slot<'_>) + 'a;

/// The keys of a table.
pub struct Keys<T: 'static> {
    list: Vec<Key<T>>,
    /// What written values are compared with, if not with the default.
    base: Option<fn(&T) -> T>,
}

struct Key<T> {
    meta: Meta,
    field: Box<dyn Field<T>>,
}

impl<T: 'static> Keys<T> {
    fn new() -> Self {
        Self { list: Vec::new(), base: None }
    }

    fn add(&mut self, name: &'static str, field: impl Field<T> + 'static) -> &mut Meta {
        self.list.push(Key { meta: Meta::new(name), field: Box::new(field) });
        let last = self.list.len() - 1;
        &mut self.list[last].meta
    }

    /// Values are written where they differ from what `base` makes of them, instead of from the default.
    pub(super) fn base(&mut self, base: fn(&T) -> T) {
        self.base = Some(base);
    }

    /// The names of all keys.
    pub(super) fn names(&self) -> Vec<&'static str> {
        let mut names = Vec::new();
        self.list.iter().for_each(|key| key.field.names(&key.meta, &mut names));
        names
    }

    /// Overwrites what the table has keys for.
    pub(super) fn read(&self, table: &Table, target: &mut T) -> Result<()> {
        self.list.iter().try_for_each(|key| key.field.read(&key.meta, key.meta.name, table, target))
    }

    /// Reads one key from where another one stands: `start = "clamped"` for `start = { hold = "clamped" }`.
    fn read_short(&self, short: &str, key: &str, table: &Table, target: &mut T) -> Result<()> {
        let found = self.list.iter().find(|known| known.meta.name == short);
        let found = found.expect("a short form stands for a declared key");
        found.field.read(&found.meta, key, table, target)
    }

    /// Is every value in its range?
    pub fn check(&self, value: &T) -> Check {
        self.list.iter().try_for_each(|key| key.field.check(&key.meta, value))
    }

    /// The entries of a table that reads back as `value`; what is as in `plain` is left out.
    pub(super) fn write(&self, value: &T, plain: &T) -> Result<Entries> {
        let mut entries = Entries::default();
        let base = self.base.map(|base| base(value));
        let plain = base.as_ref().unwrap_or(plain);
        self.list.iter().try_for_each(|key| key.field.write(&key.meta, value, plain, &mut entries))?;
        Ok(entries)
    }

    /// The keys as data, for the manual and the schema; `plain` has the default values.
    pub fn describe(&self, plain: &T) -> Description {
        let mut description = Description::default();
        self.list.iter().for_each(|key| key.field.describe(&key.meta, plain, &mut description));
        description
    }

    /// Calls `visit` with every value that the viewer can set; `at` is where the table stands in its body.
    pub fn numbers(&self, value: &mut T, at: &str, visit: &mut Visit) {
        self.list.iter().for_each(|key| key.field.numbers(&key.meta, at, value, visit));
    }

    /// Calls `visit` with every file that is named.
    pub fn files(&self, value: &mut T, visit: &mut dyn FnMut(&mut PathBuf)) {
        self.list.iter().for_each(|key| key.field.files(value, visit));
    }

    /// The key that says which shape a body has; messages about its size name it.
    pub(super) fn shape_key(&self, value: &T) -> &'static str {
        self.list.iter().find_map(|key| key.field.shape_key(value)).unwrap_or("name")
    }
}

/// The place of a key below that of its table.
fn below(at: &str, name: &str) -> String {
    if at.is_empty() { name.to_owned() } else { format!("{at}.{name}") }
}
