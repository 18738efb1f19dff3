//! The file format as a whole: what the manual and editors are told about it.

use super::keys::describe::{Description, Entry, Type};
use super::keys::{Declared, Meta, manual, schema};
use super::{Collider, Kinds, Scene};
use crate::limits;
use std::collections::BTreeSet;

/// All keys of scene files with these kinds of bodies.
pub fn description(kinds: &Kinds) -> Description {
    let list = |name, doc, keys, limit| {
        let mut meta = Meta::new(name);
        meta.says(doc).default("none");
        Entry::new(&meta, Type::List(keys, limit), None)
    };
    let mut format = Meta::new("format");
    format.whole(super::FORMAT, super::FORMAT).required().says("the version of this format");
    let mut file =
        Description { entries: vec![Entry::new(&format, Type::Whole, None)], ..Description::default() };
    let scene = Scene::keys().describe(&Scene::default());
    file.entries.extend(scene.entries);
    add_colours(&mut file, kinds);
    file.entries.extend(kinds.iter().map(|kind| list(kind.name, kind.doc, kind.describe(), limits::BODIES)));
    let colliders = Collider::keys().describe(&Collider::default());
    file.entries.push(list("collider", "obstacles", colliders, limits::COLLIDERS));
    file
}

/// The colours of kinds from outside the library are words of `[render] colour` too.
fn add_colours(file: &mut Description, kinds: &Kinds) {
    let render = file.entries.iter_mut().find(|entry| entry.name == "render");
    let Some(Type::Table(render)) = render.map(|entry| &mut entry.kind) else { return };
    let colour = render.entries.iter_mut().find(|entry| entry.name == "colour");
    if let Some(Type::Word(words)) = colour.map(|entry| &mut entry.kind) {
        words.extend(kinds.iter().flat_map(|kind| kind.colours));
    }
}

/// A JSON schema of scene files, by which editors complete and check keys.
pub fn json_schema(kinds: &Kinds) -> serde_json::Value {
    schema::schema(&description(kinds))
}

/// The manual with its tables of keys made anew, and the keys that it does not show.
pub fn fill_manual(text: &str) -> Result<(String, BTreeSet<String>), String> {
    manual::fill(text, &description(&Kinds::standard()))
}
