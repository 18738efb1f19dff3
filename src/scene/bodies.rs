//! Bodies of any kind: what a scene can do with them without knowing what they are.
//!
//! A kind of body is a struct whose keys are [`Declared`] and which is a [`BodyTable`]; it is then a [`Body`]. The kinds of the
//! library are in [`KINDS`] and have lists of their own in [`Scene`]; others are given to [`Scene::parse_with`] and end up in
//! [`Scene::other`]:
//!
//! ```text
//! static MARBLES: Kind = Kind::of::<Marbles>();
//! let scene = Scene::parse_with(text, "scene.toml", "", &Kinds::standard().with(&MARBLES))?;
//! ```

use super::document::Table;
use super::error::{SceneError, SceneErrorKind};
use super::keys::describe::Description;
use super::keys::{Check, Declared, Entries, Lens, Visit};
use super::{Cloth, Composite, Net, Pin, Points, Rigid, Rod, Scene, SceneGeometry, Solid};
use crate::limits;
use std::any::Any;
use std::fmt::Debug;
use std::path::PathBuf;

type Result<T> = std::result::Result<T, SceneError>;

/// A body that has a kind of table of its own in scene files.
pub trait BodyTable: Declared + Debug {
    /// The name of the table: `rod` for `[[rod]]`.
    const KIND: &'static str;

    /// What such a body is, in a few words.
    const DOC: &'static str;

    /// Unique over all bodies and colliders; if empty, the body is called by its kind and number.
    const NAME: Lens<Self, String>;

    /// What holds it.
    const PINS: Lens<Self, Vec<Pin>>;

    /// Fields of its family that colours can show, besides those of the library.
    const COLOURS: &'static [&'static str] = &[];

    /// Particles, counted without making them; 0 where a file says how many there are.
    fn particle_count(&self) -> u64;

    /// The body with the defaults of what its geometry does not depend on: bodies that are equal then have the same.
    fn geometry_part(&self) -> Self {
        self.clone()
    }

    /// Makes the geometry of a body whose values have been checked and adds it to the scene's.
    fn build_into(&self, context: &BuildContext, geometry: &mut SceneGeometry) -> Result<()>;
}

/// What a body is built with.
pub struct BuildContext {
    /// The body's name, or its kind and number.
    pub name: String,
    /// Particles that have been made for other bodies.
    pub total: u64,
    /// The scene's seed.
    pub seed: u64,
}

/// A body of any kind. Everything that is a [`BodyTable`] is one.
pub trait Body: Any + Debug + Send + Sync {
    /// The name of its table: `rod` for `[[rod]]`.
    fn kind(&self) -> &'static str;
    fn name(&self) -> &str;
    /// What holds it.
    fn pins_mut(&mut self) -> &mut Vec<Pin>;
    /// Particles, counted without making them; 0 where a file says how many there are.
    fn particle_count(&self) -> u64;
    /// The key that its number of particles follows from.
    fn shape_key(&self) -> &'static str;
    /// Is every value in its range?
    fn check(&self) -> Check;
    /// Adds its geometry, after [`Body::check`].
    fn build_into(&self, context: &BuildContext, geometry: &mut SceneGeometry) -> Result<()>;
    /// Whether another body has the same geometry.
    fn has_geometry_of(&self, other: &dyn Body) -> bool;
    /// The entries of its table.
    fn write(&self) -> Result<Entries>;
    /// Calls `visit` with every file that it is made from.
    fn files(&mut self, visit: &mut dyn FnMut(&mut PathBuf));
    /// Calls `visit` with every number that a slider can set.
    fn numbers(&mut self, visit: &mut Visit);
    fn copy(&self) -> Box<dyn Body>;
    fn is_same(&self, other: &dyn Body) -> bool;
    fn as_any(&self) -> &dyn Any;
}

impl<T: BodyTable> Body for T {
    fn kind(&self) -> &'static str {
        T::KIND
    }

    fn name(&self) -> &str {
        (T::NAME.get)(self)
    }

    fn pins_mut(&mut self) -> &mut Vec<Pin> {
        (T::PINS.get_mut)(self)
    }

    fn particle_count(&self) -> u64 {
        BodyTable::particle_count(self)
    }

    fn shape_key(&self) -> &'static str {
        T::keys().shape_key(self)
    }

    fn check(&self) -> Check {
        T::keys().check(self)?;
        particle_limit(Body::shape_key(self), BodyTable::particle_count(self))
    }

    fn build_into(&self, context: &BuildContext, geometry: &mut SceneGeometry) -> Result<()> {
        BodyTable::build_into(self, context, geometry)
    }

    fn has_geometry_of(&self, other: &dyn Body) -> bool {
        let other = other.as_any().downcast_ref::<T>();
        other.is_some_and(|other| other == self || other.geometry_part() == self.geometry_part())
    }

    fn write(&self) -> Result<Entries> {
        T::keys().write(self, &T::default())
    }

    fn files(&mut self, visit: &mut dyn FnMut(&mut PathBuf)) {
        T::keys().files(self, visit);
    }

    fn numbers(&mut self, visit: &mut Visit) {
        T::keys().numbers(self, "", visit);
    }

    fn copy(&self) -> Box<dyn Body> {
        Box::new(self.clone())
    }

    fn is_same(&self, other: &dyn Body) -> bool {
        other.as_any().downcast_ref::<T>() == Some(self)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// A body of a kind that the library does not know.
#[derive(Debug)]
pub struct OtherBody(pub Box<dyn Body>);

impl Clone for OtherBody {
    fn clone(&self) -> Self {
        Self(self.0.copy())
    }
}

impl PartialEq for OtherBody {
    fn eq(&self, other: &Self) -> bool {
        self.0.is_same(&*other.0)
    }
}

/// A kind of table that describes bodies.
pub struct Kind {
    /// The name of the table: `rod` for `[[rod]]`.
    pub name: &'static str,
    /// What such a body is, in a few words.
    pub doc: &'static str,
    /// Fields of its family that colours can show, besides those of the library.
    pub colours: &'static [&'static str],
    keys: fn() -> Vec<&'static str>,
    read: fn(&Table, usize, &mut Scene) -> Result<()>,
    describe: fn() -> Description,
}

impl Kind {
    /// The kind of a body that goes to [`Scene::other`].
    pub const fn of<T: BodyTable>() -> Self {
        Self::stored::<T>(|t, i, scene| {
            scene.other.push(OtherBody(Box::new(read::<T>(t, i)?)));
            Ok(())
        })
    }

    const fn stored<T: BodyTable>(read: fn(&Table, usize, &mut Scene) -> Result<()>) -> Self {
        let keys = || T::keys().names();
        let describe = || T::keys().describe(&T::default());
        Self { name: T::KIND, doc: T::DOC, colours: T::COLOURS, keys, read, describe }
    }

    /// The keys of its table.
    pub fn describe(&self) -> Description {
        (self.describe)()
    }

    /// Reads every table of this kind.
    pub(super) fn read_all(&self, table: &Table, scene: &mut Scene) -> Result<()> {
        let name = |i: usize, name: Option<&str>| subject(self.name, i, name);
        let tables = table.tables(self.name, limits::BODIES, &(self.keys)(), name)?;
        tables.iter().enumerate().try_for_each(|(i, t)| (self.read)(t, i, scene))
    }
}

/// The kinds of bodies of the library, in the order in which a scene has them.
pub static KINDS: [Kind; 7] = [
    Kind::stored::<Cloth>(|t, i, scene| read(t, i).map(|body| scene.cloth.push(body))),
    Kind::stored::<Points>(|t, i, scene| read(t, i).map(|body| scene.points.push(body))),
    Kind::stored::<Rod>(|t, i, scene| read(t, i).map(|body| scene.rod.push(body))),
    Kind::stored::<Net>(|t, i, scene| read(t, i).map(|body| scene.net.push(body))),
    Kind::stored::<Solid>(|t, i, scene| read(t, i).map(|body| scene.solid.push(body))),
    Kind::stored::<Rigid>(|t, i, scene| read(t, i).map(|body| scene.rigid.push(body))),
    Kind::stored::<Composite>(|t, i, scene| read(t, i).map(|body| scene.composite.push(body))),
];

/// The kinds of bodies that a scene file may have.
#[derive(Clone)]
pub struct Kinds(Vec<&'static Kind>);

impl Kinds {
    /// Those of the library.
    pub fn standard() -> Self {
        Self(KINDS.iter().collect())
    }

    /// One more.
    pub fn with(mut self, kind: &'static Kind) -> Self {
        self.0.push(kind);
        self
    }

    pub fn iter(&self) -> impl Iterator<Item = &'static Kind> + '_ {
        self.0.iter().copied()
    }
}

fn read<T: BodyTable>(table: &Table, index: usize) -> Result<T> {
    let mut body = T::default();
    T::keys().read(table, &mut body)?;
    let name = (T::NAME.get_mut)(&mut body);
    *name = label(name, T::KIND, index);
    Ok(body)
}

impl Scene {
    /// All bodies, kind after kind.
    pub fn bodies(&self) -> impl Iterator<Item = &dyn Body> {
        let cloth = self.cloth.iter().map(|body| body as &dyn Body);
        let points = self.points.iter().map(|body| body as &dyn Body);
        let rods = self.rod.iter().map(|body| body as &dyn Body);
        let nets = self.net.iter().map(|body| body as &dyn Body);
        let solids = self.solid.iter().map(|body| body as &dyn Body);
        let rigid = self.rigid.iter().map(|body| body as &dyn Body);
        let composites = self.composite.iter().map(|body| body as &dyn Body);
        let others = self.other.iter().map(|body| &*body.0);
        cloth.chain(points).chain(rods).chain(nets).chain(solids).chain(rigid).chain(composites).chain(others)
    }

    /// The same, to be changed.
    pub fn bodies_mut(&mut self) -> impl Iterator<Item = &mut dyn Body> {
        let cloth = self.cloth.iter_mut().map(|body| body as &mut dyn Body);
        let points = self.points.iter_mut().map(|body| body as &mut dyn Body);
        let rods = self.rod.iter_mut().map(|body| body as &mut dyn Body);
        let nets = self.net.iter_mut().map(|body| body as &mut dyn Body);
        let solids = self.solid.iter_mut().map(|body| body as &mut dyn Body);
        let rigid = self.rigid.iter_mut().map(|body| body as &mut dyn Body);
        let composites = self.composite.iter_mut().map(|body| body as &mut dyn Body);
        let others = self.other.iter_mut().map(|body| &mut *body.0);
        cloth.chain(points).chain(rods).chain(nets).chain(solids).chain(rigid).chain(composites).chain(others)
    }

    /// All bodies, each with its number among those of its kind.
    pub(super) fn numbered_bodies(&self) -> impl Iterator<Item = (usize, &dyn Body)> {
        let mut counts = std::collections::HashMap::new();
        self.bodies().map(move |body| {
            let next: &mut usize = counts.entry(body.kind()).or_default();
            *next += 1;
            (*next - 1, body)
        })
    }

    /// What holds the body of a name.
    pub fn pins_mut(&mut self, body: &str) -> Option<&mut Vec<Pin>> {
        self.bodies_mut().find(|known| known.name() == body).map(|known| known.pins_mut())
    }
}

/// Puts an error of a body where the body stands.
pub(super) fn inside_body(error: SceneError, index: usize, body: &dyn Body) -> SceneError {
    error.inside_entry(body.kind(), index, &subject(body.kind(), index, Some(body.name())))
}

/// How messages name a body: ``cloth `flag` ``, or `cloth 1` if it has no name.
pub(super) fn subject(kind: &str, index: usize, name: Option<&str>) -> String {
    match name {
        Some(name) if !name.is_empty() => format!("{kind} `{}`", crate::limits::excerpt(name)),
        _ => format!("{kind} {}", index + 1),
    }
}

/// The name, or `rod n` for the unnamed rod at `index` of the scene's list.
pub(super) fn label(name: &str, kind: &str, index: usize) -> String {
    if name.is_empty() { format!("{kind} {}", index + 1) } else { name.to_owned() }
}

pub(super) fn particle_limit(key: &'static str, total: u64) -> Check {
    if total > limits::PARTICLES {
        return Err(SceneError::at(
            SceneErrorKind::Limit,
            key,
            format_args!("makes {total} particles; the limit of a scene is {}", limits::PARTICLES),
        ));
    }
    Ok(())
}
