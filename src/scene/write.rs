//! From a [`Scene`] back to TOML. What has its default value is left out.

use super::bodies::inside_body;
use super::keys::{Declared, Entries, Written};
use super::{Collider, FORMAT, Scene, SceneError};
use std::path::PathBuf;

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

    /// The same scene with files named by their full paths, so that its own file may lie anywhere.
    pub fn with_full_paths(&self) -> Self {
        let mut full = |file: &mut PathBuf| {
            if let Ok(absolute) = std::path::absolute(&*file) {
                *file = absolute;
            }
        };
        let mut scene = self.clone();
        Self::keys().files(&mut scene, &mut full);
        scene.bodies_mut().for_each(|body| body.files(&mut full));
        scene.collider.iter_mut().for_each(|collider| Collider::keys().files(collider, &mut full));
        scene
    }
}
