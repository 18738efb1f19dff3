//! Several mistakes of a scene file at once.
//!
//! Reading stops at the first mistake. To find the next, the key that it is about is taken out of the document and the rest
//! is read again. That ends at a mistake which is about no single key, such as a missing one, and wherever the
//! next message could be a consequence of what was taken out.

use super::document::Source;
use super::{Checked, Kinds, SceneError, SceneErrorKind, read};
use std::path::Path;
use std::time::{Duration, Instant};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Mistakes that are looked for.
const MOST: usize = 10;
/// Scenes whose geometry takes long to make are not made again and again.
const PATIENCE: Duration = Duration::from_secs(1);

/// What is wrong with a scene file, from top to bottom; empty if nothing is.
pub fn problems(path: impl AsRef<Path>) -> Vec<SceneError> {
    let path = path.as_ref();
    match read::file(path) {
        Ok(text) => problems_of(&text, path, path.parent().unwrap_or(Path::new("")), &Kinds::standard()),
        Err(error) => vec![error],
    }
}

/// The same of a text, with the arguments of [`Checked::parse`].
pub fn problems_of(text: &str, file: &Path, base: &Path, kinds: &Kinds) -> Vec<SceneError> {
    let start = Instant::now();
    let Err(first) = Checked::parse(text, file, base, kinds) else { return Vec::new() };
    let colours: Vec<&'static str> = kinds.iter().flat_map(|kind| kind.colours).copied().collect();
    let source = Source { text, file, base, colours: &colours };
    let Ok(mut root) = source.parse() else { return vec![first] };
    let mut found = vec![first];
    let mut removed: Vec<String> = Vec::new();
    while found.len() < MOST && start.elapsed() < PATIENCE {
        let Some(key) =
            found.last().and_then(|error| offset(text, file, error)).and_then(|at| take_out(&mut root, at))
        else {
            break;
        };
        // What a body is called and which version the file has are matters of other keys, too.
        if ["name", "format"].contains(&key.as_str()) {
            break;
        }
        removed.push(key);
        let read = read::scene(source, &root, kinds)
            .and_then(|scene| Checked::new(scene).map(drop).map_err(|error| source.locate(error, &root)));
        let Err(next) = read else { break };
        if is_consequence(&next, &removed, &found) {
            break;
        }
        found.push(next);
    }
    found.sort_by_key(|error| error.place.as_ref().and_then(|place| place.position));
    found
}

/// Whether a mistake may be there only because of the keys that were taken out.
fn is_consequence(error: &SceneError, removed: &[String], found: &[SceneError]) -> bool {
    let message = &error.message;
    let names = |key: &String| message.contains(&format!("`{key}`")) || message.contains(&format!("`{key} "));
    let lacks = message.starts_with("missing key") || message.starts_with("needs one of");
    // A selection that finds nothing may have lost what it should find.
    removed.iter().any(names)
        || error.kind == SceneErrorKind::Reference
        || (lacks && found.iter().any(|earlier| earlier.subject == error.subject))
}

/// The byte at which an error of the scene file itself is.
fn offset(text: &str, file: &Path, error: &SceneError) -> Option<usize> {
    let place = error.place.as_deref().filter(|place| place.file == file)?;
    let (line, column) = place.position?;
    let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let within = text[start..].chars().take(column - 1).map(char::len_utf8).sum::<usize>();
    Some(start + within)
}

/// Removes the innermost key at a place and returns it, if there is one.
fn take_out(table: &mut DeTable<'_>, at: usize) -> Option<String> {
    if let Some(key) = table.iter_mut().find_map(|(_, value)| inside(value, at)) {
        return Some(key);
    }
    let is_there =
        |value: &Spanned<DeValue>| value.span().contains(&at) && !is_list_of_tables(value.get_ref());
    let (key, _) = table.iter().find(|(key, value)| key.span().contains(&at) || is_there(value))?;
    let key = key.get_ref().to_string();
    table.remove(key.as_str())?;
    Some(key)
}

fn inside(value: &mut Spanned<DeValue<'_>>, at: usize) -> Option<String> {
    match value.get_mut() {
        DeValue::Table(table) => take_out(table, at),
        DeValue::Array(array) => array.iter_mut().find_map(|entry| inside(entry, at)),
        _ => None,
    }
}

fn is_list_of_tables(value: &DeValue) -> bool {
    value.as_array().is_some_and(|array| array.iter().any(|entry| entry.get_ref().is_table()))
}
