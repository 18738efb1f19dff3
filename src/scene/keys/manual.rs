//! The tables of the manual, `docs/scene-format.md`, made from the declarations.
//!
//! Its prose is written by hand; a table stands between two marks and is replaced as a whole:
//!
//! ```text
//! <!-- keys: rod.start rod.end -->
//! …
//! <!-- end -->
//! ```
//!
//! `keys` names one or more tables of the file that have the same keys, `shapes` shows the keys of which a table has exactly one, and
//! `only` or `without` chooses among keys. Tables inside a table that have no marks of their own are shown in it, by their path.

use super::describe::{Description, Entry, Type};
use super::rule::{End, Rule};
use std::collections::BTreeSet;
use std::fmt::Write;

/// A mark and what it asks for.
struct Block<'a> {
    shapes: bool,
    paths: Vec<&'a str>,
    only: Vec<&'a str>,
    without: Vec<&'a str>,
}

impl<'a> Block<'a> {
    fn new(line: &'a str) -> Option<Self> {
        let inside = line.trim().strip_prefix("<!--")?.strip_suffix("-->")?.trim();
        let (kind, rest) = inside.split_once(':')?;
        let shapes = match kind {
            "keys" => false,
            "shapes" => true,
            _ => return None,
        };
        let mut block = Self { shapes, paths: Vec::new(), only: Vec::new(), without: Vec::new() };
        let mut list = &mut block.paths;
        for word in rest.split_whitespace() {
            match word {
                "only" => list = &mut block.only,
                "without" => list = &mut block.without,
                word => list.push(word),
            }
        }
        Some(block)
    }
}

/// The manual with its tables made anew, and the keys that it does not show, as `rod.radius`.
///
/// A mark that names no table of the file is an error.
pub fn fill(manual: &str, file: &Description) -> Result<(String, BTreeSet<String>), String> {
    let blocks: Vec<Block> = manual.lines().filter_map(Block::new).collect();
    let own: BTreeSet<&str> = blocks.iter().filter(|b| !b.shapes).flat_map(|b| b.paths.clone()).collect();
    let mut shown = BTreeSet::new();
    let mut text = String::new();
    let mut lines = manual.lines();
    while let Some(line) = lines.next() {
        let _ = writeln!(text, "{line}");
        let Some(block) = Block::new(line) else { continue };
        let mut rows = Rows { own: &own, shown: &mut shown, text: String::new() };
        rows.block(&block, file)?;
        text += "| key | unit | default | range | meaning |\n| --- | --- | --- | --- | --- |\n";
        text += &rows.text;
        text += "<!-- end -->\n";
        lines.by_ref().find(|line| line.trim() == "<!-- end -->").ok_or("a mark has no `<!-- end -->`")?;
    }
    let mut all = BTreeSet::new();
    every_key(file, "", &mut all);
    Ok((text, &all - &shown))
}

/// The path of every key.
fn every_key(table: &Description, path: &str, all: &mut BTreeSet<String>) {
    for entry in &table.entries {
        let path = super::below(path, entry.name);
        if let Some(inner) = table_of(&entry.kind) {
            every_key(inner, &path, all);
        }
        all.insert(path);
    }
}

/// The table that a value is or may be.
fn table_of(kind: &Type) -> Option<&Description> {
    match kind {
        Type::Table(table) | Type::List(table, _) => Some(table),
        Type::Either(kinds) => kinds.iter().find_map(table_of),
        _ => None,
    }
}

fn find<'a>(file: &'a Description, path: &str) -> Result<&'a Description, String> {
    let mut table = file;
    for name in path.split('.').filter(|_| path != "scene") {
        let inner = table.entry(name).and_then(|entry| table_of(&entry.kind));
        table = inner.ok_or_else(|| format!("the manual has a mark for `{path}`, which is no table"))?;
    }
    Ok(table)
}

struct Rows<'a> {
    own: &'a BTreeSet<&'a str>,
    shown: &'a mut BTreeSet<String>,
    text: String,
}

impl Rows<'_> {
    fn block(&mut self, block: &Block, file: &Description) -> Result<(), String> {
        let table = find(file, block.paths.first().ok_or("a mark names no table")?)?;
        for path in &block.paths[1..] {
            let same = find(file, path)?;
            if block.only.is_empty() && same != table {
                return Err(format!("`{path}` has other keys than `{}`", block.paths[0]));
            }
        }
        let paths: Vec<&str> =
            block.paths.iter().map(|path| if *path == "scene" { "" } else { path }).collect();
        for entry in &table.entries {
            let of_shape = table.one_of.iter().flatten().find(|shape| shape.has(entry.name));
            let chosen = block.only.is_empty() || block.only.contains(&entry.name);
            if of_shape.is_some() != block.shapes || !chosen || block.without.contains(&entry.name) {
                continue;
            }
            let alternative = table.one_of.iter().flatten().any(|shape| shape.key == entry.name);
            self.entry(entry, &paths, entry.name, alternative);
        }
        Ok(())
    }

    fn entry(&mut self, entry: &Entry, paths: &[&str], name: &str, alternative: bool) {
        let default = match &entry.default {
            _ if alternative => "one of these".to_owned(),
            _ if entry.required => "required".to_owned(),
            Some(value) => format!("`{value}`"),
            None => entry.note.to_owned(),
        };
        let words = match &entry.kind {
            Type::Word(words) => {
                words.iter().map(|word| format!("`\"{word}\"`")).collect::<Vec<_>>().join(", ")
            }
            _ => range(&entry.rule),
        };
        let unit = unit(entry.unit);
        let _ = writeln!(self.text, "| `{name}` | {unit} | {default} | {words} | {} |", entry.doc);
        let places: Vec<String> = paths.iter().map(|path| super::below(path, entry.name)).collect();
        self.shown.extend(places.iter().cloned());
        let Some(inner) = table_of(&entry.kind) else { return };
        if places.iter().any(|place| self.own.contains(place.as_str())) {
            // Only its own marks show the keys of the others too.
            return;
        }
        let places: Vec<&str> = places.iter().map(String::as_str).collect();
        for inner in &inner.entries {
            self.entry(inner, &places, &format!("{name}.{}", inner.name), false);
        }
    }
}

fn unit(unit: &str) -> String {
    unit.replace("degrees", "°")
}

/// A range in signs.
fn range(rule: &Rule) -> String {
    let (low, high) = rule.ends();
    let number = |x: f64| if x.fract() == 0.0 && x.abs() < 1e6 { format!("{x}") } else { format!("{x:?}") };
    let mut parts = Vec::new();
    match (rule, low, high) {
        (Rule::Whole(..), End::At(low), End::At(high)) => {
            parts.push(format!("{} to {}", number(low), number(high)))
        }
        (_, low, high) => {
            match low {
                End::None => {}
                End::At(x) => parts.push(format!("≥ {}", number(x))),
                End::Beyond(x) => parts.push(format!("> {}", number(x))),
            }
            match high {
                End::None => {}
                End::At(x) => parts.push(format!("≤ {}", number(x))),
                End::Beyond(f64::INFINITY) => {}
                End::Beyond(x) => parts.push(format!("< {}", number(x))),
            }
        }
    }
    if rule.allows_infinity() && *rule != Rule::Any {
        parts.push("or `inf`".to_owned());
    }
    if *rule == Rule::Direction {
        parts.push("not 0".to_owned());
    }
    parts.join(", ")
}
