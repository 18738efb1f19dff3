//! The tables of solids.

use super::super::document::{Table, overwrite};
use super::super::{Inversion, Solid, SolidMaterial, SolidModel, SolidShape, SolidStart};
use super::Result;
use super::bodies::{inner, name, pins};
use crate::meshing::Shape;
use std::path::Path;

pub(super) const SOLID_KEYS: &[&str] = &[
    "name",
    "box",
    "mesh",
    "surface",
    "ball",
    "cylinder",
    "torus",
    "rabbit",
    "resolution",
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

pub(super) fn solid(t: &Table, index: usize, base: &Path) -> Result<Solid> {
    let mut solid = Solid {
        name: name(t, "solid", index)?,
        colour: t.numbers("colour")?,
        shape: shape(t, base)?,
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

/// Default cells of the lattice along the longest side of a surface or shape that is filled.
const DEFAULT_RESOLUTION: u32 = 16;

fn shape(t: &Table, base: &Path) -> Result<SolidShape> {
    let key = t.one_of(&["box", "mesh", "surface", "ball", "cylinder", "torus", "rabbit"])?;
    if matches!(key, "box" | "mesh") {
        let message = "goes with what is filled: `surface`, `ball`, `cylinder`, `torus` or `rabbit`";
        t.refuse(&["resolution"], message)?;
    }
    let resolution = t.integer("resolution")?.unwrap_or(DEFAULT_RESOLUTION);
    let shape = match key {
        "box" => {
            let b = inner(t, "box", &["size", "cells"])?;
            return Ok(SolidShape::Box {
                size: b.need_vector("size")?,
                cells: b.integers("cells")?.ok_or_else(|| b.missing("cells"))?,
            });
        }
        "mesh" => return Ok(SolidShape::File { file: base.join(t.need_string("mesh")?) }),
        "surface" => {
            return Ok(SolidShape::Surface { file: base.join(t.need_string("surface")?), resolution });
        }
        "ball" => Shape::Ball { radius: inner(t, "ball", &["radius"])?.need_number("radius")? },
        "cylinder" => {
            let c = inner(t, "cylinder", &["radius", "height"])?;
            Shape::Cylinder { radius: c.need_number("radius")?, height: c.need_number("height")? }
        }
        "torus" => {
            let c = inner(t, "torus", &["major", "minor"])?;
            Shape::Torus { major: c.need_number("major")?, minor: c.need_number("minor")? }
        }
        _ => Shape::Rabbit { height: inner(t, "rabbit", &["height"])?.need_number("height")? },
    };
    Ok(SolidShape::Filled { shape, resolution })
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
