//! A scene named on the command line: a file, or one that comes with the program.

use anyhow::{anyhow, bail};
use sinew::scene::{self, Checked};
use sinew::scenes;
use std::ffi::OsStr;
use std::path::Path;

/// Likeness of two names from which on one may be meant for the other.
const LIKE: f64 = 0.8;

/// Loads a scene by path or by the name of a built-in one; also returns a short name for folders.
pub fn load(argument: &OsStr) -> anyhow::Result<(Checked, String)> {
    let path = Path::new(argument);
    let argument = &*argument.to_string_lossy();
    if !path.is_file()
        && let Some(built_in) = scenes::find(argument)
    {
        return Ok((built_in.load()?, built_in.name.into()));
    }
    if path.exists() || argument.contains(['/', '\\']) || path.extension().is_some() {
        // The loader's own messages say what is wrong with the file.
        let scene = Checked::load(path).map_err(|first| {
            let lines: Vec<String> = scene::problems(path).iter().map(ToString::to_string).collect();
            if lines.is_empty() { anyhow!(first) } else { anyhow!(lines.join("\n")) }
        })?;
        let name = path.file_stem().map_or("scene".into(), |stem| stem.to_string_lossy().into_owned());
        return Ok((scene, name));
    }
    let names: Vec<&str> = scenes::BUILT_IN.iter().map(|scene| scene.name).collect();
    let likeness = |name: &&str| strsim::jaro_winkler(argument, name);
    let nearest = names.iter().copied().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    match nearest.filter(|name| likeness(name) >= LIKE) {
        Some(name) => bail!("`{argument}` is neither a file nor a built-in scene; did you mean `{name}`?"),
        None => bail!(
            "`{argument}` is neither a file nor a built-in scene; these are built in: {}",
            names.join(", ")
        ),
    }
}
