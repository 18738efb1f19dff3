//! From a [`Scene`] back to TOML. What has its default value is left out.

use super::bodies::inside_body;
use super::keys::{Declared, Entries, Written};
use super::{Collider, FORMAT, Scene, SceneError};
use std::path::{Component, Path, PathBuf};

impl Scene {
    /// The text of a scene file that reads back as this scene.
    ///
    /// Names that were made up for unnamed bodies are written. Meshes made in code have no file and are refused.
    pub fn to_toml(&self) -> Result<String, SceneError> {
        let mut file = Entries::default();
        file.line("format", FORMAT.to_string());
        file.extend(Self::keys().write(self, &Self::default())?);
        let mut bodies: Vec<(&'static str, Vec<Entries>)> = Vec::new();
        for (i, body) in self.numbered_bodies() {
            let entries = body.write().map_err(|e| inside_body(e, i, body))?;
            match bodies.last_mut().filter(|(kind, _)| *kind == body.kind()) {
                Some((_, list)) => list.push(entries),
                None => bodies.push((body.kind(), vec![entries])),
            }
        }
        let plain = Collider::default();
        let colliders = self.collider.iter().map(|collider| Collider::keys().write(collider, &plain));
        bodies.push(("collider", colliders.collect::<Result<_, _>>()?));
        for (kind, entries) in bodies {
            file.push(kind, Written::List { entries, inline: false });
        }
        Ok(file.file())
    }

    /// The same scene for a file in a folder: it names its files by the ways to them from there, or by their full paths where they have
    /// nothing but the root in common with it.
    pub fn with_paths_from(&self, folder: &Path) -> Self {
        // The empty path is the present folder.
        let folder = std::path::absolute(folder.join(".")).unwrap_or_else(|_| folder.to_owned());
        let mut full = |file: &mut PathBuf| {
            if let Ok(absolute) = std::path::absolute(&*file) {
                *file = relative(&absolute, &folder);
            }
        };
        let mut scene = self.clone();
        Self::keys().files(&mut scene, &mut full);
        scene.bodies_mut().for_each(|body| body.files(&mut full));
        scene.collider.iter_mut().for_each(|collider| Collider::keys().files(collider, &mut full));
        scene
    }
}

/// The way from a folder to a file, both by their full paths.
fn relative(file: &Path, folder: &Path) -> PathBuf {
    let normal = |path: &Path| {
        let parts = path.components().filter(|part| *part != Component::CurDir);
        parts.map(|part| PathBuf::from(part.as_os_str())).collect()
    };
    let [file_parts, folder_parts]: [Vec<PathBuf>; 2] = [normal(file), normal(folder)];
    let shared = file_parts.iter().zip(&folder_parts).take_while(|(a, b)| a == b).count();
    let shared_names = file_parts[..shared].iter().filter(|part| part.file_name().is_some()).count();
    if shared_names == 0 {
        return file.to_owned();
    }
    let up = std::iter::repeat_n(PathBuf::from(".."), folder_parts.len() - shared);
    up.chain(file_parts[shared..].iter().cloned()).collect()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_by_the_way_to_them() {
        for (file, folder, way) in [
            ("/home/me/scenes/a.obj", "/home/me/scenes", "a.obj"),
            ("/home/me/meshes/a.obj", "/home/me/scenes/./", "../meshes/a.obj"),
            ("/srv/a.obj", "/home/me", "/srv/a.obj"),
        ] {
            assert_eq!(relative(Path::new(file), Path::new(folder)), Path::new(way));
        }
    }
}
