//! The tables of rods.

use super::super::document::{Table, overwrite};
use super::super::{
    AttachedWeight, Copies, Hold, Rod, RodEnd, RodMaterial, RodMethod, RodRest, RodSection, RodShape, limits,
};
use super::Result;
use super::bodies::{inner, motion, name, pins, selector};
use glam::DVec3;
use std::path::Path;

pub(super) const ROD_KEYS: &[&str] = &[
    "name",
    "from",
    "to",
    "segments",
    "points",
    "spline",
    "lines",
    "helix",
    "position",
    "rotation",
    "scale",
    "velocity",
    "colour",
    "material",
    "radius",
    "density",
    "youngs_modulus",
    "shear_modulus",
    "poisson_ratio",
    "stretch_modulus",
    "shear_stiffness",
    "section",
    "frame_inertia",
    "stretch_friction",
    "bend_friction",
    "rest",
    "rest_curvature",
    "rest_twist",
    "normal",
    "twist",
    "method",
    "start",
    "end",
    "copies",
    "drag",
    "friction",
    "weight",
    "pin",
];

pub(super) fn rod(t: &Table, index: usize, base: &Path) -> Result<Rod> {
    let mut rod = Rod {
        name: name(t, "rod", index)?,
        colour: t.numbers("colour")?,
        shape: shape(t, base)?,
        material: material(t)?,
        rest: rest(t)?,
        start: end(t, "start")?,
        end: end(t, "end")?,
        copies: copies(t)?,
        normal: t.vector("normal")?,
        weight: weights(t)?,
        pin: pins(t)?,
        ..Rod::default()
    };
    overwrite!(rod from t: vector { position, rotation, velocity } number { scale, twist, drag, friction });
    let methods = [
        ("direct", RodMethod::Direct),
        ("coloured", RodMethod::Coloured),
        ("jacobi", RodMethod::Jacobi),
        ("corde", RodMethod::Corde),
    ];
    if let Some(method) = t.choice("method", &methods)? {
        rod.method = method;
    }
    Ok(rod)
}

fn shape(t: &Table, base: &Path) -> Result<RodShape> {
    Ok(match t.one_of(&["from", "points", "spline", "lines", "helix"])? {
        "from" => RodShape::Line {
            from: t.need_vector("from")?,
            to: t.need_vector("to")?,
            segments: t.need_integer("segments")?,
        },
        "points" => {
            t.refuse(&["to"], "goes with `from`; `points` has its own end")?;
            RodShape::Polyline {
                points: t.vector_list("points")?.unwrap_or_default(),
                segments: t.integer("segments")?,
            }
        }
        "spline" => {
            t.refuse(&["to"], "goes with `from`; `spline` has its own end")?;
            RodShape::Spline {
                points: t.vector_list("spline")?.unwrap_or_default(),
                segments: t.need_integer("segments")?,
            }
        }
        "lines" => {
            t.refuse(&["to", "segments"], "does not go with `lines = { … }`, which has its own `segments`")?;
            if t.is_string("lines") {
                RodShape::File { file: base.join(t.need_string("lines")?), segments: None }
            } else {
                let t = inner(t, "lines", &["file", "segments"])?;
                RodShape::File { file: base.join(t.need_string("file")?), segments: t.integer("segments")? }
            }
        }
        _ => {
            t.refuse(&["to", "segments"], "does not go with `helix = { … }`, which has its own `segments`")?;
            let h = inner(t, "helix", &["radius", "pitch", "turns", "segments"])?;
            RodShape::Helix {
                radius: h.need_number("radius")?,
                pitch: h.need_number("pitch")?,
                turns: h.need_number("turns")?,
                segments: h.need_integer("segments")?,
            }
        }
    })
}

/// The preset, then what the scene says.
pub(super) fn material(t: &Table) -> Result<RodMaterial> {
    let mut material = t.choice("material", &RodMaterial::PRESETS)?.unwrap_or_default();
    if t.number("shear_modulus")?.is_some() {
        t.refuse(&["poisson_ratio"], "and `shear_modulus` say the same thing; give one of them")?;
    }
    let stretch = t.number("stretch_modulus")?;
    // A preset's modulus of stretch belongs to its modulus of bending.
    if t.number("youngs_modulus")?.is_some() {
        material.stretch_modulus = None;
    }
    // And its modulus of shear is put aside by whatever else says it.
    if t.number("youngs_modulus")?.is_some() || t.number("poisson_ratio")?.is_some() {
        material.shear_modulus = None;
    }
    overwrite!(material from t: number { radius, density, youngs_modulus, poisson_ratio, stretch_friction, bend_friction });
    material.stretch_modulus = stretch.or(material.stretch_modulus);
    material.shear_modulus = t.number("shear_modulus")?.or(material.shear_modulus);
    material.shear_stiffness = t.number("shear_stiffness")?.or(material.shear_stiffness);
    material.frame_inertia = t.number("frame_inertia")?.or(material.frame_inertia);
    let sections = [("round", RodSection::Round), ("printed", RodSection::Printed)];
    material.section = t.choice("section", &sections)?.unwrap_or(material.section);
    Ok(material)
}

fn rest(t: &Table) -> Result<RodRest> {
    let word = t.choice("rest", &[("shape", RodRest::Shape), ("straight", RodRest::Straight)])?;
    let (bend, twist) = (t.numbers::<2>("rest_curvature")?, t.number("rest_twist")?);
    if bend.is_none() && twist.is_none() {
        return Ok(word.unwrap_or_default());
    }
    t.refuse(&["rest"], "does not go with `rest_curvature` and `rest_twist`, which say it all")?;
    let [first, second] = bend.unwrap_or_default();
    Ok(RodRest::Curved(DVec3::new(first, second, twist.unwrap_or_default())))
}

fn end(t: &Table, key: &'static str) -> Result<RodEnd> {
    let mut end = RodEnd::default();
    let holds = [
        ("free", Hold::Free),
        ("pinned", Hold::Pinned),
        ("clamped", Hold::Clamped),
        ("framed", Hold::Framed),
    ];
    if t.is_string(key) {
        end.hold = t.choice(key, &holds)?.unwrap_or_default();
    } else if let Some(t) =
        t.table(key, &["hold", "motion", "pivot", "release", "weight", "force", "torque"])?
    {
        end.hold = t.choice("hold", &holds)?.unwrap_or_default();
        end.motion = motion(&t)?;
        end.pivot = t.vector("pivot")?;
        end.release = t.number("release")?;
        overwrite!(end from t: vector { force, torque } number { weight });
    }
    Ok(end)
}

/// What hangs on a rod or net.
pub(super) fn weights(t: &Table) -> Result<Vec<AttachedWeight>> {
    let keys = ["indices", "box", "nearest", "mass"];
    let tables = t.tables("weight", limits::PINS, &keys, |i, _| format!("weight {}", i + 1))?;
    let weight = |t: &Table| Ok(AttachedWeight { selector: selector(t)?, mass: t.need_number("mass")? });
    tables.iter().map(weight).collect()
}

fn copies(t: &Table) -> Result<Copies> {
    let mut copies = Copies::default();
    if let Some(t) = t.table("copies", &["count", "steps"])? {
        copies.count = t.integers("count")?.ok_or_else(|| t.missing("count"))?;
        let steps = t.vector_list("steps")?.ok_or_else(|| t.missing("steps"))?;
        copies.steps = steps.try_into().map_err(|_| t.missing("steps = [[x, y, z], [x, y, z]]"))?;
    }
    Ok(copies)
}
