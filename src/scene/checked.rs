//! A scene that has been checked, with the geometry that was made on the way.
//!
//! Whether pins find particles and meshes are sound shows only when the geometry is made. It is kept, so that a model does not make it
//! again: a solid is meshed once per load.

use super::{Body, Kinds, Scene, SceneError, SceneErrorKind, SceneGeometry, check, document, read};
use crate::limits;
use std::borrow::Cow;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

/// A valid scene and its geometry.
#[derive(Debug, Clone)]
pub struct Checked {
    scene: Scene,
    geometry: Arc<SceneGeometry>,
}

impl Checked {
    /// Checks every value, reference, mesh file and limit of a scene, and makes its geometry.
    pub fn new(scene: Scene) -> Result<Self, SceneError> {
        let geometry = Arc::new(scene.build()?);
        Ok(Self { scene, geometry })
    }

    /// Reads a scene file as [`Scene::load`] does and keeps the geometry.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, SceneError> {
        let path = path.as_ref();
        let text = read::file(path)?;
        Self::parse(&text, path, path.parent().unwrap_or(Path::new("")), &Kinds::standard())
    }

    /// Reads the text of a scene as [`Scene::parse_with`] does and keeps the geometry.
    pub fn parse(
        text: &str,
        file: impl AsRef<Path>,
        base: impl AsRef<Path>,
        kinds: &Kinds,
    ) -> Result<Self, SceneError> {
        let colours: Vec<&'static str> = kinds.iter().flat_map(|kind| kind.colours).copied().collect();
        let (file, base) = (file.as_ref(), base.as_ref());
        let source = document::Source { text, file, base, colours: &colours };
        if text.len() as u64 > limits::SCENE_BYTES {
            let message = format!("the scene has {} bytes; the limit is {}", text.len(), limits::SCENE_BYTES);
            return Err(source.place(SceneError::new(SceneErrorKind::Limit, message), &(0..0)));
        }
        let root = source.parse()?;
        let scene = read::scene(source, &root, kinds)?;
        Self::new(scene).map_err(|e| source.locate(e, &root))
    }

    /// Another scene, checked. Its geometry is taken from this one if both have the same.
    pub fn changed(&self, scene: Scene) -> Result<Self, SceneError> {
        if !self.has_geometry_of(&scene) {
            return Self::new(scene);
        }
        check::scene(&scene)?;
        Ok(Self { scene, geometry: self.geometry.clone() })
    }

    fn has_geometry_of(&self, other: &Scene) -> bool {
        let same_bodies = || {
            let mut pairs = self.scene.bodies().zip(other.bodies());
            self.scene.bodies().count() == other.bodies().count()
                && pairs.all(|(ours, theirs): (&dyn Body, &dyn Body)| ours.has_geometry_of(theirs))
        };
        self.scene.seed == other.seed
            && self.scene.collider == other.collider
            && self.scene.attach == other.attach
            && self.scene.seam == other.seam
            && self.scene.joint == other.joint
            && self.scene.load == other.load
            && self.scene.tendon == other.tendon
            && self.scene.expect == other.expect
            && self.scene.probe == other.probe
            && same_bodies()
    }

    /// A scene with the geometry of one that differs in no more than what was cut.
    pub(super) fn with_geometry(scene: Scene, geometry: Arc<SceneGeometry>) -> Self {
        Self { scene, geometry }
    }

    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// World-space particles, meshes and resolved pins.
    pub fn geometry(&self) -> &SceneGeometry {
        &self.geometry
    }

    /// The scene without its geometry.
    pub fn into_scene(self) -> Scene {
        self.scene
    }
}

impl Deref for Checked {
    type Target = Scene;

    fn deref(&self) -> &Scene {
        &self.scene
    }
}

/// A scene, or one that has been checked already: what a model is made of.
pub trait ToChecked {
    fn to_checked(&self) -> Result<Cow<'_, Checked>, SceneError>;
}

impl ToChecked for Scene {
    fn to_checked(&self) -> Result<Cow<'_, Checked>, SceneError> {
        Checked::new(self.clone()).map(Cow::Owned)
    }
}

impl ToChecked for Checked {
    fn to_checked(&self) -> Result<Cow<'_, Checked>, SceneError> {
        Ok(Cow::Borrowed(self))
    }
}

impl crate::scenes::BuiltIn {
    /// The scene, ready to be run.
    pub fn load(&self) -> Result<Checked, SceneError> {
        Checked::parse(self.text, format!("{}.toml (built in)", self.name), "", &Kinds::standard())
    }
}
