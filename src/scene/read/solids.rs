//! The tables of solids.

use super::super::document::{Table, overwrite};
use super::super::{
    ClusterDamping, Inversion, Load, Solid, SolidDamping, SolidMaterial, SolidModel, SolidShape, SolidStart,
    SpringDamping, SpringPenalty, Torque, limits,
};
use super::Result;
use super::bodies::{inner, name, pins, selector};
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
    "penalty",
    "damping",
    "thickness",
    "friction",
    "colour",
    "pin",
    "load",
];

pub(super) fn solid(t: &Table, index: usize, base: &Path) -> Result<Solid> {
    let mut solid = Solid {
        name: name(t, "solid", index)?,
        colour: t.numbers("colour")?,
        shape: shape(t, base)?,
        start: start(t)?,
        material: material(t)?,
        damping: damping(t)?,
        pin: pins(t)?,
        load: loads(t)?,
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
    if let Some(p) = t.table("penalty", &["area", "volume"])? {
        if solid.model != SolidModel::Springs {
            t.refuse(&["penalty"], "goes with `model = \"springs\"`")?;
        }
        solid.penalty =
            SpringPenalty { area: p.number("area")?.unwrap_or_default(), volume: p.number("volume")? };
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

fn loads(t: &Table) -> Result<Vec<Load>> {
    let keys = ["indices", "box", "group", "nearest", "force"];
    let tables = t.tables("load", limits::PINS, &keys, |i, _| format!("load {}", i + 1))?;
    tables.iter().map(|t| Ok(Load { selector: selector(t)?, force: t.need_vector("force")? })).collect()
}

fn start(t: &Table) -> Result<SolidStart> {
    let mut start = SolidStart::default();
    if let Some(t) = t.table("start", &["stretch", "twist", "scatter"])? {
        overwrite!(start from t: vector { stretch } number { twist });
        start.scatter = t.choice("scatter", &[("none", false), ("box", true)])?.unwrap_or_default();
    }
    Ok(start)
}

fn damping(t: &Table) -> Result<SolidDamping> {
    let mut damping = SolidDamping::default();
    if let Some(t) = t.table("damping", &["mass", "stiffness", "point", "spring", "global", "local"])? {
        overwrite!(damping from t: number { mass, stiffness, point });
        damping.global = cluster(&t, "global", &Torque::NAMES)?;
        let apart: Vec<_> = Torque::NAMES.into_iter().filter(|(name, _)| *name != "edges").collect();
        damping.local = cluster(&t, "local", &apart)?;
        if let Some(t) = t.table("spring", &["coefficient", "sweeps", "projected"])? {
            let mut spring =
                SpringDamping { coefficient: t.need_number("coefficient")?, ..SpringDamping::default() };
            overwrite!(spring from t: integer { sweeps });
            let yes = [("no", false), ("yes", true)];
            spring.projected = t.choice("projected", &yes)?.unwrap_or(spring.projected);
            damping.spring = Some(spring);
        }
    }
    Ok(damping)
}

fn cluster(
    t: &Table,
    key: &'static str,
    torques: &[(&'static str, Torque)],
) -> Result<Option<ClusterDamping>> {
    let Some(t) = t.table(key, &["rate", "torque"])? else { return Ok(None) };
    let torque = t.choice("torque", torques)?.unwrap_or_default();
    Ok(Some(ClusterDamping { rate: t.need_number("rate")?, torque }))
}

fn material(t: &Table) -> Result<SolidMaterial> {
    let mut material = SolidMaterial::default();
    overwrite!(material from t: number { youngs_modulus, poisson_ratio, density });
    Ok(material)
}
