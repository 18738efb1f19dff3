//! The tables of nets.

use super::super::document::{Table, overwrite};
use super::super::{Clamps, JointStrain, Junctions, Net, NetMethod, NetRest, NetShape};
use super::Result;
use super::bodies::{inner, name, pins_of};
use super::rods::{material, weights};
use std::path::Path;

pub(super) const NET_KEYS: &[&str] = &[
    "name",
    "ring",
    "grid",
    "web",
    "tree",
    "truss",
    "globe",
    "mail",
    "graph",
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
    "junctions",
    "strain",
    "joint_stiffness",
    "method",
    "drag",
    "friction",
    "weight",
    "pin",
    "clamp",
    "clamps",
];

pub(super) const METHODS: &[(&str, NetMethod)] = &[
    ("direct", NetMethod::Direct),
    ("coloured", NetMethod::Coloured),
    ("jacobi", NetMethod::Jacobi),
    ("corde", NetMethod::Corde),
];
pub(super) const JUNCTIONS: &[(&str, Junctions)] =
    &[("hub", Junctions::Hub), ("pairs", Junctions::Pairs), ("shared", Junctions::Shared)];

pub(super) fn net(t: &Table, index: usize, base: &Path) -> Result<Net> {
    let mut net = Net {
        name: name(t, "net", index)?,
        colour: t.numbers("colour")?,
        shape: shape(t, base)?,
        material: material(t)?,
        weight: weights(t)?,
        pin: pins_of(t, "pin")?,
        clamp: pins_of(t, "clamp")?,
        ..Net::default()
    };
    overwrite!(net from t: vector { position, rotation, velocity } number { scale, joint_stiffness, drag, friction });
    net.rest =
        t.choice("rest", &[("shape", NetRest::Shape), ("straight", NetRest::Straight)])?.unwrap_or_default();
    net.junctions = t.choice("junctions", JUNCTIONS)?.unwrap_or_default();
    net.strain = t
        .choice("strain", &[("relative", JointStrain::Relative), ("darboux", JointStrain::Darboux)])?
        .unwrap_or_default();
    net.clamps =
        t.choice("clamps", &[("wall", Clamps::Wall), ("frames", Clamps::Frames)])?.unwrap_or_default();
    net.method = t.choice("method", METHODS)?.unwrap_or_default();
    Ok(net)
}

fn shape(t: &Table, base: &Path) -> Result<NetShape> {
    let key = t.one_of(&["ring", "grid", "web", "tree", "truss", "globe", "mail", "graph"])?;
    let open = |keys: &[&str]| inner(t, key, keys);
    Ok(match key {
        "ring" => {
            let t = open(&["radius", "segments", "twist"])?;
            NetShape::Ring {
                radius: t.need_number("radius")?,
                segments: t.need_integer("segments")?,
                twist: t.number("twist")?.unwrap_or(0.0),
            }
        }
        "grid" => {
            let t = open(&["size", "cells", "segments"])?;
            NetShape::Grid {
                size: t.numbers("size")?.ok_or_else(|| t.missing("size"))?,
                cells: t.integers("cells")?.ok_or_else(|| t.missing("cells"))?,
                segments: t.integer("segments")?.unwrap_or(1),
            }
        }
        "web" => {
            let t = open(&["radius", "spokes", "rings", "segments"])?;
            NetShape::Web {
                radius: t.need_number("radius")?,
                spokes: t.need_integer("spokes")?,
                rings: t.need_integer("rings")?,
                segments: t.integer("segments")?.unwrap_or(1),
            }
        }
        "tree" => {
            let t = open(&["length", "levels", "branches", "angle", "ratio", "thinning", "segments"])?;
            NetShape::Tree {
                length: t.need_number("length")?,
                levels: t.need_integer("levels")?,
                branches: t.integer("branches")?.unwrap_or(2),
                angle: t.number("angle")?.unwrap_or(30.0),
                ratio: t.number("ratio")?.unwrap_or(0.75),
                thinning: t.number("thinning")?.unwrap_or(0.7),
                segments: t.integer("segments")?.unwrap_or(4),
            }
        }
        "truss" => {
            let t = open(&["size", "bays", "segments"])?;
            NetShape::Truss {
                size: t.numbers("size")?.ok_or_else(|| t.missing("size"))?,
                bays: t.need_integer("bays")?,
                segments: t.integer("segments")?.unwrap_or(1),
            }
        }
        "globe" => {
            let t = open(&["radius", "meridians", "segments"])?;
            NetShape::Globe {
                radius: t.need_number("radius")?,
                meridians: t.need_integer("meridians")?,
                segments: t.need_integer("segments")?,
            }
        }
        "mail" => {
            let t = open(&["rings", "radius", "segments"])?;
            NetShape::Mail {
                rings: t.integers("rings")?.ok_or_else(|| t.missing("rings"))?,
                radius: t.need_number("radius")?,
                segments: t.need_integer("segments")?,
            }
        }
        _ if t.is_string("graph") => NetShape::File { file: base.join(t.need_string("graph")?), segments: 1 },
        _ => {
            let t = open(&["file", "segments"])?;
            NetShape::File {
                file: base.join(t.need_string("file")?),
                segments: t.integer("segments")?.unwrap_or(1),
            }
        }
    })
}
