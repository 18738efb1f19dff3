//! The tables of bodies and colliders.

use std::path::{Path, PathBuf};

use super::super::body::name_or_number;
use super::super::document::{Table, overwrite};
use super::super::{
    Bending, Cloth, ClothShape, Collider, ColliderShape, Corner, Edge, Keyframe, Masses, Pin, Points,
    PointsShape, Selector, Tethers, limits,
};
use super::{Result, fabric};

pub(super) const CLOTH_KEYS: &[&str] = &[
    "name",
    "grid",
    "disc",
    "mesh",
    "position",
    "rotation",
    "scale",
    "velocity",
    "density",
    "thickness",
    "colour",
    "model",
    "fabric",
    "pattern",
    "irregular",
    "stretch_stiffness",
    "compression_stiffness",
    "shear_stiffness",
    "bending",
    "bending_stiffness",
    "area_stiffness",
    "tethers",
    "drag",
    "lift",
    "friction",
    "pin",
];
pub(super) const POINTS_KEYS: &[&str] = &[
    "name",
    "chain",
    "points",
    "mass",
    "masses",
    "links",
    "triangles",
    "tetrahedra",
    "compliance",
    "compression_compliance",
    "area_compliance",
    "volume_compliance",
    "position",
    "rotation",
    "scale",
    "velocity",
    "colour",
    "radius",
    "friction",
    "pin",
];
pub(super) const COLLIDER_KEYS: &[&str] = &[
    "name", "plane", "sphere", "box", "capsule", "mesh", "position", "rotation", "friction", "colour",
    "motion", "pivot",
];
pub(super) const PIN_KEYS: &[&str] = &[
    "corners",
    "edge",
    "indices",
    "box",
    "group",
    "nearest",
    "compliance",
    "motion",
    "pivot",
    "release",
    "except",
];

/// Default cells of a mesh collider's distance field along its longest side.
const DEFAULT_RESOLUTION: u32 = 64;

pub(super) fn cloth(t: &Table, index: usize, base: &Path) -> Result<Cloth> {
    let mut cloth = Cloth {
        name: name(t, "cloth", index)?,
        colour: t.numbers("colour")?,
        compression_stiffness: t.number("compression_stiffness")?,
        ..Cloth::default()
    };
    cloth.shape = match t.one_of(&["grid", "disc", "mesh"])? {
        "grid" => {
            let g = inner(t, "grid", &["size", "cells"])?;
            ClothShape::Grid {
                size: g.numbers("size")?.ok_or_else(|| g.missing("size"))?,
                cells: g.integers("cells")?.ok_or_else(|| g.missing("cells"))?,
            }
        }
        "disc" => {
            let d = inner(t, "disc", &["radius", "rings"])?;
            ClothShape::Disc { radius: d.need_number("radius")?, rings: d.need_integer("rings")? }
        }
        _ if t.is_string("mesh") => ClothShape::Mesh { file: base.join(t.need_string("mesh")?), scale: 1.0 },
        _ => {
            let (file, scale, _) = mesh_file(&inner(t, "mesh", &["file", "scale"])?, base)?;
            ClothShape::Mesh { file, scale }
        }
    };
    fabric::read(t, &mut cloth)?;
    cloth.pattern = t.number("pattern")?;
    overwrite!(cloth from t:
        vector { position, rotation, velocity }
        number {
            scale, density, thickness, irregular, stretch_stiffness, shear_stiffness, bending_stiffness, area_stiffness, drag, lift,
            friction
        }
    );
    let laws = [
        ("isometric", Bending::Isometric),
        ("dihedral", Bending::Dihedral),
        ("distance", Bending::Distance),
        ("none", Bending::None),
    ];
    if let Some(bending) = t.choice("bending", &laws)? {
        cloth.bending = bending;
    }
    if let Some(t) = t.table("tethers", &["slack"])? {
        let mut tethers = Tethers::default();
        overwrite!(tethers from t: number { slack });
        cloth.tethers = Some(tethers);
    }
    cloth.pin = pins(t)?;
    Ok(cloth)
}

pub(super) fn points(t: &Table, index: usize) -> Result<Points> {
    let mut points = Points {
        name: name(t, "points", index)?,
        colour: t.numbers("colour")?,
        compression_compliance: t.number("compression_compliance")?,
        ..Points::default()
    };
    points.shape = match t.one_of(&["chain", "points"])? {
        "chain" => {
            t.refuse(
                &["mass", "masses", "links", "triangles", "tetrahedra"],
                "goes with `points`; `chain = { … }` has its own `links` and `mass`",
            )?;
            let c = inner(t, "chain", &["from", "to", "links", "mass"])?;
            PointsShape::Chain {
                from: c.need_vector("from")?,
                to: c.need_vector("to")?,
                links: c.need_integer("links")?,
                mass: c.need_number("mass")?,
            }
        }
        _ => PointsShape::List {
            points: t.vector_list("points")?.unwrap_or_default(),
            masses: match t.one_of(&["mass", "masses"])? {
                "mass" => Masses::Each(t.need_number("mass")?),
                _ => Masses::List(t.number_list("masses")?.unwrap_or_default()),
            },
            links: t.tuple_list("links")?.unwrap_or_default(),
            triangles: t.tuple_list("triangles")?.unwrap_or_default(),
            tetrahedra: t.tuple_list("tetrahedra")?.unwrap_or_default(),
        },
    };
    overwrite!(points from t:
        vector { position, rotation, velocity }
        number { scale, radius, compliance, area_compliance, volume_compliance, friction }
    );
    points.pin = pins(t)?;
    Ok(points)
}

pub(super) fn pins(t: &Table) -> Result<Vec<Pin>> {
    pins_of(t, "pin")
}

/// The pins of another name.
pub(super) fn pins_of(t: &Table, key: &'static str) -> Result<Vec<Pin>> {
    let tables = t.tables(key, limits::PINS, PIN_KEYS, |i, _| format!("{key} {}", i + 1))?;
    tables.iter().map(pin).collect()
}

fn pin(t: &Table) -> Result<Pin> {
    let mut pin = Pin {
        selector: selector(t)?,
        motion: motion(t)?,
        pivot: t.vector("pivot")?,
        release: t.number("release")?,
        except: t.integer_list("except")?.unwrap_or_default(),
        ..Pin::default()
    };
    overwrite!(pin from t: number { compliance });
    Ok(pin)
}

pub(super) fn selector(t: &Table) -> Result<Selector> {
    let corners = [
        ("top_left", Corner::TopLeft),
        ("top_right", Corner::TopRight),
        ("bottom_left", Corner::BottomLeft),
        ("bottom_right", Corner::BottomRight),
    ];
    let edges = [
        ("top", Edge::Top),
        ("bottom", Edge::Bottom),
        ("left", Edge::Left),
        ("right", Edge::Right),
        ("rim", Edge::Rim),
    ];
    let key = t.one_of(&["corners", "edge", "indices", "box", "group", "nearest"])?;
    let selector = match key {
        "corners" => t.choice_list(key, &corners)?.map(Selector::Corners),
        "edge" => t.choice(key, &edges)?.map(Selector::Edge),
        "indices" => t.integer_list(key)?.map(Selector::Indices),
        "box" => {
            let b = inner(t, key, &["min", "max"])?;
            Some(Selector::Box { min: b.need_vector("min")?, max: b.need_vector("max")? })
        }
        "group" => t.string(key)?.map(|name| Selector::Group(name.to_owned())),
        _ => t.vector(key)?.map(Selector::Nearest),
    };
    selector.ok_or_else(|| t.missing(key))
}

pub(super) fn motion(t: &Table) -> Result<Vec<Keyframe>> {
    let keys = ["time", "offset", "rotation"];
    let tables = t.tables("motion", limits::KEYFRAMES, &keys, |i, _| format!("keyframe {}", i + 1))?;
    if tables.is_empty() {
        t.refuse(&["motion"], "needs at least one keyframe")?;
    }
    let keyframe = |t: &Table| {
        let mut keyframe = Keyframe { time: t.need_number("time")?, ..Keyframe::default() };
        overwrite!(keyframe from t: vector { offset, rotation });
        Ok(keyframe)
    };
    tables.iter().map(keyframe).collect()
}

pub(super) fn collider(t: &Table, index: usize, base: &Path) -> Result<Collider> {
    let mut collider = Collider {
        name: name(t, "collider", index)?,
        colour: t.numbers("colour")?,
        motion: motion(t)?,
        pivot: t.vector("pivot")?,
        ..Collider::default()
    };
    collider.shape = match t.one_of(&["plane", "sphere", "box", "capsule", "mesh"])? {
        "plane" => {
            let p = inner(t, "plane", &["normal", "offset"])?;
            ColliderShape::Plane {
                normal: p.need_vector("normal")?,
                offset: p.number("offset")?.unwrap_or(0.0),
            }
        }
        "sphere" => ColliderShape::Sphere { radius: inner(t, "sphere", &["radius"])?.need_number("radius")? },
        "box" => ColliderShape::Box { size: inner(t, "box", &["size"])?.need_vector("size")? },
        "capsule" => {
            let c = inner(t, "capsule", &["radius", "length"])?;
            ColliderShape::Capsule { radius: c.need_number("radius")?, length: c.need_number("length")? }
        }
        _ if t.is_string("mesh") => ColliderShape::Mesh {
            file: base.join(t.need_string("mesh")?),
            scale: 1.0,
            resolution: DEFAULT_RESOLUTION,
        },
        _ => {
            let (file, scale, resolution) =
                mesh_file(&inner(t, "mesh", &["file", "scale", "resolution"])?, base)?;
            ColliderShape::Mesh { file, scale, resolution }
        }
    };
    overwrite!(collider from t: vector { position, rotation } number { friction });
    Ok(collider)
}

fn mesh_file(t: &Table, base: &Path) -> Result<(PathBuf, f64, u32)> {
    Ok((
        base.join(t.need_string("file")?),
        t.number("scale")?.unwrap_or(1.0),
        t.integer("resolution")?.unwrap_or(DEFAULT_RESOLUTION),
    ))
}

pub(super) fn name(t: &Table, kind: &str, index: usize) -> Result<String> {
    Ok(name_or_number(t.string("name")?.unwrap_or_default(), kind, index))
}

pub(super) fn inner<'a>(t: &Table<'a>, key: &'static str, keys: &[&str]) -> Result<Table<'a>> {
    t.table(key, keys)?.ok_or_else(|| t.missing(key))
}
