//! A scene named on the command line: a file, or one that comes with the program.

use anyhow::{Context, bail};
use sinew::scene::Scene;
use sinew::scenes;
use std::path::Path;

/// Loads a scene by path or by the name of a built-in one; also returns a short name for folders.
pub fn load(argument: &str) -> anyhow::Result<(Scene, String)> {
    let path = Path::new(argument);
    if path.is_file() {
        let name = path.file_stem().map_or("scene".into(), |stem| stem.to_string_lossy().into_owned());
        return Ok((Scene::load(path)?, name));
    }
    if let Some(built_in) = scenes::find(argument) {
        let scene = Scene::parse(built_in.text, format!("{}.toml (built in)", built_in.name), "")?;
        return Ok((scene, built_in.name.into()));
    }
    if path.exists() || argument.contains(['/', '\\']) || path.extension().is_some() {
        // The loader's own message says what is wrong with the file.
        return Scene::load(path).map(|scene| (scene, argument.into())).context("reading the scene");
    }
    let names: Vec<&str> = scenes::BUILT_IN.iter().map(|scene| scene.name).collect();
    let nearest = names
        .iter()
        .max_by(|a, b| strsim::jaro_winkler(argument, a).total_cmp(&strsim::jaro_winkler(argument, b)));
    let hint = nearest.map_or(String::new(), |name| format!("; did you mean `{name}`?"));
    bail!("`{argument}` is neither a file nor a built-in scene{hint}\nbuilt-in scenes: {}", names.join(", "))
}
