//! The tables of solids.

use super::super::document::{Table, overwrite};
use super::super::{Inversion, Solid, SolidMaterial, SolidModel, SolidShape, SolidStart};
use super::Result;
use super::bodies::{inner, name, pins};

pub(super) const SOLID_KEYS: &[&str] = &[
    "name",
    "box",
    "position",
    "rotation",
    "scale",
    "velocity",
    "start",
    "youngs_modulus",
    "poisson_ratio",
    "density",
    "model",
    "inversion",
    "thickness",
    "friction",
    "colour",
    "pin",
];

pub(super) fn solid(t: &Table, index: usize) -> Result<Solid> {
    let mut solid = Solid {
        name: name(t, "solid", index)?,
        colour: t.numbers("colour")?,
        shape: shape(t)?,
        start: start(t)?,
        material: material(t)?,
        pin: pins(t)?,
        ..Solid::default()
    };
    overwrite!(solid from t: vector { position, rotation, velocity } number { scale, thickness, friction });
    if let Some(model) = t.choice("model", &SolidModel::NAMES)? {
        solid.model = model;
    }
    if let Some(inversion) = t.choice("inversion", &Inversion::NAMES)? {
        if solid.model != SolidModel::Corotational {
            t.refuse(&["inversion"], "goes with `model = \"corotational\"`")?;
        }
        solid.inversion = inversion;
    }
    Ok(solid)
}

fn shape(t: &Table) -> Result<SolidShape> {
    t.one_of(&["box"])?;
    let b = inner(t, "box", &["size", "cells"])?;
    Ok(SolidShape::Box {
        size: b.need_vector("size")?,
        cells: b.integers("cells")?.ok_or_else(|| b.missing("cells"))?,
    })
}

fn start(t: &Table) -> Result<SolidStart> {
    let mut start = SolidStart::default();
    if let Some(t) = t.table("start", &["stretch", "twist", "scatter"])? {
        overwrite!(start from t: vector { stretch } number { twist });
        start.scatter = t.choice("scatter", &[("none", false), ("box", true)])?.unwrap_or_default();
    }
    Ok(start)
}

fn material(t: &Table) -> Result<SolidMaterial> {
    let mut material = SolidMaterial::default();
    overwrite!(material from t: number { youngs_modulus, poisson_ratio, density });
    Ok(material)
}
