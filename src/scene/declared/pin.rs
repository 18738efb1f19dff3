//! Pins, selectors, motions and attached weights.

use super::super::document::Table;
use super::super::keys::describe::Type;
use super::super::keys::{Declared, Keys, Lens, Value, Variants, corners, of, quoted};
use super::super::{
    AttachedWeight, Axes, Corner, Edge, Keyframe, Pin, SceneError, SceneErrorKind, Selector,
    motion as motions,
};
use crate::at;
use crate::limits;
use glam::DVec3;

const CORNERS: &[(&str, Corner)] = &[
    ("top_left", Corner::TopLeft),
    ("top_right", Corner::TopRight),
    ("bottom_left", Corner::BottomLeft),
    ("bottom_right", Corner::BottomRight),
];
const EDGES: &[(&str, Edge)] = &[
    ("top", Edge::Top),
    ("bottom", Edge::Bottom),
    ("left", Edge::Left),
    ("right", Edge::Right),
    ("rim", Edge::Rim),
];

const AXES: &[(&str, Axes)] = &[
    ("x", Axes::X),
    ("y", Axes::Y),
    ("z", Axes::Z),
    ("xy", Axes::Xy),
    ("yz", Axes::Yz),
    ("xz", Axes::Xz),
    ("xyz", Axes::All),
];

impl Declared for Pin {
    fn declare(k: &mut Keys<Self>) {
        selector(k, at!(selector));
        k.value("except", at!(except)).says("particles that are selected and not held, by number");
        k.value("compliance", at!(compliance))
            .not_negative("m/N")
            .says("0 fixes the particles; more attaches each by a spring to its (moving) point");
        k.choice("axes", at!(axes), AXES)
            .says("axes of the world along which the pin holds; along the others its particles are free: a rail, a roller on a plane");
        motion(k, at!(motion), at!(pivot), "the centroid of the selected particles");
        k.value("release", at!(release)).not_negative("s").default("never").says("when the pin lets go");
    }
}

impl Declared for AttachedWeight {
    fn declare(k: &mut Keys<Self>) {
        selector(k, at!(selector));
        k.value("mass", at!(mass)).positive("kg").required().says("mass on each selected particle");
    }
}

impl Declared for Keyframe {
    fn declare(k: &mut Keys<Self>) {
        k.value("time", at!(time)).not_negative("s").required().says("when");
        k.value("offset", at!(offset)).finite("m").says("displacement from the start");
        k.value("rotation", at!(rotation))
            .finite("degrees")
            .says("about the world's x, then y, then z, around the pivot, from the start");
    }
}

/// Which particles; corners and edges are those of sheets, groups those of solids.
pub(super) fn selector<T: 'static>(k: &mut Keys<T>, lens: Lens<T, Selector>) {
    k.one_of(lens, selectors);
}

/// The ways to select particles.
pub(super) fn selectors(v: &mut Variants<Selector>) {
    v.beside(
        "corners",
        "corners of a grid",
        || Selector::Corners(Vec::new()),
        |k| {
            let words = CORNERS.iter().map(|(word, _)| *word).collect();
            let kind = Type::Array(Box::new(Type::Word(words)), None);
            k.odd("corners", kind, read_corners, write_corners).says("corners of a grid");
        },
    );
    v.beside(
        "edge",
        "an edge of a grid, or the rim of a disc",
        || Selector::Edge(Edge::Top),
        |k| {
            k.choice("edge", of!(Selector::Edge), EDGES)
                .required()
                .says("an edge of a grid, or the rim of a disc");
        },
    );
    v.beside(
        "indices",
        "particles by number",
        || Selector::Indices(Vec::new()),
        |k| {
            k.value("indices", of!(Selector::Indices)).required().says("particles by number");
        },
    );
    let doc = "all particles that start inside the box, in world space; components may be `inf`";
    v.table(
        "box",
        doc,
        || Selector::Box { min: DVec3::ZERO, max: DVec3::ZERO },
        |k| {
            k.value("min", of!(Selector::Box, min)).unit("m").required().says("lowest corner");
            k.value("max", of!(Selector::Box, max)).unit("m").required().says("highest corner");
            k.checking(|selector| match selector {
                Selector::Box { min, max } => corners(*min, *max),
                _ => Ok(()),
            });
        },
    );
    v.beside(
        "group",
        "a named group of a solid's mesh",
        || Selector::Group(String::new()),
        |k| {
            k.value("group", of!(Selector::Group))
                .required()
                .says("the vertices of a named group of a solid's mesh");
        },
    );
    v.beside(
        "nearest",
        "the nearest particle",
        || Selector::Nearest(DVec3::ZERO),
        |k| {
            k.value("nearest", of!(Selector::Nearest))
                .finite("m")
                .required()
                .says("the one particle that starts nearest to this point, in world space");
        },
    );
}

fn read_corners(t: &Table, key: &str, selector: &mut Selector) -> Result<(), SceneError> {
    *selector = Selector::Corners(t.choice_list(key, CORNERS)?.unwrap_or_default());
    Ok(())
}

fn write_corners(selector: &Selector) -> Option<String> {
    let Selector::Corners(corners) = selector else { return None };
    let word =
        |corner: &Corner| CORNERS.iter().find(|(_, known)| known == corner).map(|(word, _)| quoted(word));
    Some(format!("[{}]", corners.iter().filter_map(word).collect::<Vec<_>>().join(", ")))
}

/// Where something goes.
pub(super) fn motion<T: 'static>(
    k: &mut Keys<T>,
    keyframes: Lens<T, Vec<Keyframe>>,
    pivot: Lens<T, Option<DVec3>>,
    default_pivot: &'static str,
) {
    k.inline_list("motion", keyframes, limits::KEYFRAMES, "keyframe")
        .because("needs at least one keyframe")
        .default("none")
        .says("keyframes of where it goes; offset and angles are linear in time between them");
    k.checking(move |body| increasing((keyframes.get)(body)));
    k.checking(move |body| bounded((keyframes.get)(body)));
    k.value("pivot", pivot).finite("m").default(default_pivot).says("centre of the motion's rotation");
}

/// Rotations by millions of degrees would fill the memory with records.
fn bounded(keyframes: &[Keyframe]) -> Result<(), SceneError> {
    if motions::records(keyframes) <= limits::MOTION_RECORDS {
        return Ok(());
    }
    let turn = |pair: &[Keyframe]| motions::pieces([&pair[0], &pair[1]]);
    let widest = (1..keyframes.len()).max_by_key(|&i| turn(&keyframes[i - 1..=i])).unwrap_or(0);
    let message = format!(
        "takes the motion beyond {} records of 10° each; turn less, or by fewer degrees",
        limits::MOTION_RECORDS
    );
    let error = SceneError::at(SceneErrorKind::Limit, "rotation", message);
    Err(error.inside_entry("motion", widest, &format!("keyframe {}", widest + 1)))
}

fn increasing(keyframes: &[Keyframe]) -> Result<(), SceneError> {
    for (i, pair) in keyframes.windows(2).enumerate() {
        let [last, time] = [pair[0].time, pair[1].time];
        if last >= time {
            let message = format!("is {time} s, not after {last} s of the keyframe before");
            let error = SceneError::value("time", message);
            return Err(error.inside_entry("motion", i + 1, &format!("keyframe {}", i + 2)));
        }
    }
    Ok(())
}

/// What holds a body.
pub(super) fn pins<T: 'static>(k: &mut Keys<T>, lens: Lens<T, Vec<Pin>>) {
    k.list("pin", lens, limits::PINS, "pin").default("none").says("what holds particles where they start");
}

/// What hangs on a body.
pub(super) fn weights<T: 'static>(k: &mut Keys<T>, lens: Lens<T, Vec<AttachedWeight>>) {
    k.list("weight", lens, limits::PINS, "weight").default("none").says("masses that hang on particles");
}

/// A value as it is written.
pub(super) fn written<V: Value>(value: &V) -> Option<String> {
    value.write().ok().flatten()
}
