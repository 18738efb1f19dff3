//! From TOML to [`Scene`]: keys, types and choices. Values are judged afterwards by [`Scene::validate`].

use super::bodies::{label, subject};
use super::document::{Source, Table};
use super::keys::Declared;
use super::{Collider, FORMAT, Kinds, Place, Scene, SceneError, SceneErrorKind};
use crate::limits;
use std::path::Path;
use toml::de::DeTable;

type Result<T> = std::result::Result<T, SceneError>;

pub(super) fn scene<'a>(source: Source<'a>, root: &'a DeTable<'a>, kinds: &Kinds) -> Result<Scene> {
    // A file of another version may have other keys: say so before complaining about them.
    let own: Vec<&str> = root.keys().map(|k| k.get_ref().as_ref()).collect();
    let whole = Table::open(source, root, 0..0, String::new(), &own)?;
    let format: u32 = whole
        .integer("format")?
        .ok_or_else(|| source.place(whole.missing(&format!("format = {FORMAT}")), &(0..0)))?;
    if format != FORMAT {
        let error = SceneError::value("format", format_args!("is {format}; this version reads {FORMAT}"));
        return Err(source.locate(error, root));
    }
    let mut keys = vec!["format"];
    keys.extend(Scene::keys().names());
    keys.extend(kinds.iter().map(|kind| kind.name));
    keys.push("collider");
    let table = Table::open(source, root, 0..0, String::new(), &keys)?;
    let mut scene = Scene::default();
    Scene::keys().read(&table, &mut scene)?;
    kinds.iter().try_for_each(|kind| kind.read_all(&table, &mut scene))?;
    let name = |i: usize, name: Option<&str>| subject("collider", i, name);
    let colliders = table.tables("collider", limits::COLLIDERS, &Collider::keys().names(), name)?;
    for (i, table) in colliders.iter().enumerate() {
        let mut collider = Collider::default();
        Collider::keys().read(table, &mut collider)?;
        collider.name = label(&collider.name, "collider", i);
        scene.collider.push(collider);
    }
    Ok(scene)
}

/// The text of a scene file, if it is a file of bearable size.
pub(super) fn file(path: &Path) -> Result<String> {
    let bytes = limits::bounded(path, limits::SCENE_BYTES).map_err(|message| {
        let mut error = SceneError::new(SceneErrorKind::File, message);
        error.place = Some(Box::new(Place { file: path.to_owned(), position: None }));
        error
    })?;
    String::from_utf8(bytes).map_err(|e| {
        let text = String::from_utf8_lossy(&e.as_bytes()[..e.utf8_error().valid_up_to()]).into_owned();
        let source = Source { text: &text, file: path, base: Path::new(""), colours: &[] };
        let error = SceneError::new(SceneErrorKind::Syntax, "the file is not UTF-8 text");
        source.place(error, &(text.len()..text.len()))
    })
}
