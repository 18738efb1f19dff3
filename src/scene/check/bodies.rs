//! The values of bodies, pins and colliders.

use glam::DVec3;

use super::super::error::{SceneError, SceneErrorKind};
use super::super::{
    Bending, Cloth, ClothShape, Collider, ColliderShape, Keyframe, Masses, Pin, Points, PointsShape,
    Selector, limits,
};
use super::numbers::{
    colour, compliance, corners, direction, finite, finite_vector, not_negative, positive, stiffness, whole,
    within,
};
use super::{Check, fabric};

/// Two corners of a right triangle that approach each other by this part of its short sides leave it a height.
const MOST_IRREGULAR: f64 = 0.3;

pub(in crate::scene) fn cloth(body: &Cloth) -> Check {
    match body.shape {
        ClothShape::Grid { size, cells } => {
            let check = || {
                for (i, (length, n)) in size.into_iter().zip(cells).enumerate() {
                    positive("size", length, "m").map_err(|e| e.index(i))?;
                    if n == 0 {
                        return Err(SceneError::value(
                            "cells",
                            "is 0; a grid needs at least one cell each way",
                        )
                        .index(i));
                    }
                }
                Ok(())
            };
            check().map_err(|e| e.inside("grid"))?;
        }
        ClothShape::Disc { radius, rings } => positive("radius", radius, "m")
            .and_then(|()| whole("rings", rings, 1, u32::MAX))
            .map_err(|e| e.inside("disc"))?,
        ClothShape::Mesh { scale, .. } => positive("scale", scale, "").map_err(|e| e.inside("mesh"))?,
        ClothShape::Triangles(_) => {}
    }
    particle_limit(cloth_key(&body.shape), cloth_particles(&body.shape).unwrap_or(0))?;
    placement(body.position, body.rotation, body.scale, body.velocity)?;
    positive("density", body.density, "kg/m²")?;
    not_negative("thickness", body.thickness, "m")?;
    within(
        "irregular",
        body.irregular,
        (0.0..=MOST_IRREGULAR).contains(&body.irregular),
        "from 0 to 0.3, so that no triangle turns over",
    )?;
    if body.irregular > 0.0 && !matches!(body.shape, ClothShape::Grid { .. } | ClothShape::Disc { .. }) {
        return Err(SceneError::value(
            "irregular",
            "is for `grid` and `disc`; a mesh has the triangles of its file",
        ));
    }
    colour(body.colour)?;
    stiffness("stretch_stiffness", body.stretch_stiffness)?;
    stiffness("compression_stiffness", body.compression())?;
    stiffness("shear_stiffness", body.shear_stiffness)?;
    stiffness("area_stiffness", body.area_stiffness)?;
    let unit = if body.bending == Bending::Distance { "N/m" } else { "N·m" };
    not_negative("bending_stiffness", body.bending_stiffness, unit)?;
    fabric::check(body)?;
    if let Some(tethers) = body.tethers {
        let slack = tethers.slack;
        within("slack", slack, slack >= 1.0 && slack.is_finite(), "at least 1 (the sheet's own length)")
            .map_err(|e| e.inside("tethers"))?;
        if body.pin.is_empty() {
            return Err(SceneError::at(
                SceneErrorKind::Reference,
                "tethers",
                "lead to the pins, but there are none; add `[[cloth.pin]]`",
            ));
        }
    }
    not_negative("drag", body.drag, "")?;
    not_negative("lift", body.lift, "")?;
    not_negative("friction", body.friction, "")?;
    pins(&body.pin)
}

pub(in crate::scene) fn points(body: &Points) -> Check {
    match &body.shape {
        PointsShape::Chain { from, to, links, mass } => {
            let check = || {
                finite_vector("from", *from, "m")?;
                finite_vector("to", *to, "m")?;
                if from == to {
                    return Err(SceneError::value("to", "is where `from` is; a chain needs a length"));
                }
                whole("links", *links, 1, u32::MAX)?;
                positive("mass", *mass, "kg")
            };
            check().map_err(|e| e.inside("chain"))?;
        }
        PointsShape::List { points, masses, .. } => {
            if points.is_empty() {
                return Err(SceneError::value("points", "is empty"));
            }
            for (i, point) in points.iter().enumerate() {
                finite_vector("points", *point, "m").map_err(|e| e.index(i))?;
            }
            match masses {
                Masses::Each(mass) => positive("mass", *mass, "kg")?,
                Masses::List(masses) => {
                    if masses.len() != points.len() {
                        let message = format!("has {} entries for {} points", masses.len(), points.len());
                        return Err(SceneError::value("masses", message));
                    }
                    for (i, mass) in masses.iter().enumerate() {
                        positive("masses", *mass, "kg").map_err(|e| e.index(i))?;
                    }
                }
            }
        }
    }
    particle_limit(points_key(&body.shape), points_particles(&body.shape))?;
    placement(body.position, body.rotation, body.scale, body.velocity)?;
    colour(body.colour)?;
    positive("radius", body.radius, "m")?;
    compliance("compliance", body.compliance, "m/N")?;
    compliance("compression_compliance", body.compression(), "m/N")?;
    compliance("area_compliance", body.area_compliance, "m³/N")?;
    compliance("volume_compliance", body.volume_compliance, "m⁵/N")?;
    not_negative("friction", body.friction, "")?;
    pins(&body.pin)
}

pub(in crate::scene) fn collider(body: &Collider) -> Check {
    match &body.shape {
        ColliderShape::Plane { normal, offset } => direction("normal", *normal)
            .and_then(|()| finite("offset", *offset, "m"))
            .map_err(|e| e.inside("plane"))?,
        ColliderShape::Sphere { radius } => {
            positive("radius", *radius, "m").map_err(|e| e.inside("sphere"))?
        }
        ColliderShape::Box { size } => {
            for (i, length) in size.to_array().into_iter().enumerate() {
                positive("size", length, "m").map_err(|e| e.index(i).inside("box"))?;
            }
        }
        ColliderShape::Capsule { radius, length } => positive("radius", *radius, "m")
            .and_then(|()| positive("length", *length, "m"))
            .map_err(|e| e.inside("capsule"))?,
        ColliderShape::Mesh { scale, resolution, .. } => positive("scale", *scale, "")
            .and_then(|()| whole("resolution", *resolution, 4, limits::RESOLUTION))
            .map_err(|e| e.inside("mesh"))?,
        ColliderShape::Triangles { resolution, .. } => {
            whole("resolution", *resolution, 4, limits::RESOLUTION)?
        }
    }
    finite_vector("position", body.position, "m")?;
    finite_vector("rotation", body.rotation, "degrees")?;
    not_negative("friction", body.friction, "")?;
    colour(body.colour)?;
    motion(&body.motion)?;
    finite_vector("pivot", body.pivot.unwrap_or_default(), "m")
}

pub(super) fn pins(pins: &[Pin]) -> Check {
    if pins.len() > limits::PINS {
        return Err(SceneError::at(
            SceneErrorKind::Limit,
            "pin",
            format_args!("has {} entries; the limit is {}", pins.len(), limits::PINS),
        ));
    }
    for (i, pin) in pins.iter().enumerate() {
        let check = || {
            selector(&pin.selector)?;
            not_negative("compliance", pin.compliance, "m/N")?;
            motion(&pin.motion)?;
            finite_vector("pivot", pin.pivot.unwrap_or_default(), "m")?;
            not_negative("release", pin.release.unwrap_or(0.0), "s")
        };
        check().map_err(|e| e.inside_entry("pin", i, &format!("pin {}", i + 1)))?;
    }
    Ok(())
}

pub(super) fn selector(selector: &Selector) -> Check {
    match *selector {
        Selector::Box { min, max } => corners(min, max).map_err(|e| e.inside("box")),
        Selector::Nearest(point) => finite_vector("nearest", point, "m"),
        _ => Ok(()),
    }
}

pub(super) fn motion(keyframes: &[Keyframe]) -> Check {
    if keyframes.len() > limits::KEYFRAMES {
        let message = format!("has {} entries; the limit is {}", keyframes.len(), limits::KEYFRAMES);
        return Err(SceneError::at(SceneErrorKind::Limit, "motion", message));
    }
    let mut last = None;
    for (i, keyframe) in keyframes.iter().enumerate() {
        let check = || {
            not_negative("time", keyframe.time, "s")?;
            if let Some(last) = last.filter(|last| *last >= keyframe.time) {
                let message = format!("is {} s, not after {last} s of the keyframe before", keyframe.time);
                return Err(SceneError::value("time", message));
            }
            finite_vector("offset", keyframe.offset, "m")?;
            finite_vector("rotation", keyframe.rotation, "degrees")
        };
        check().map_err(|e| e.inside_entry("motion", i, &format!("keyframe {}", i + 1)))?;
        last = Some(keyframe.time);
    }
    Ok(())
}

pub(super) fn placement(position: DVec3, rotation: DVec3, scale: f64, velocity: DVec3) -> Check {
    finite_vector("position", position, "m")?;
    finite_vector("rotation", rotation, "degrees")?;
    positive("scale", scale, "")?;
    finite_vector("velocity", velocity, "m/s")
}

/// Particles of a shape that needs no file, counted without making them.
pub(in crate::scene) fn cloth_particles(shape: &ClothShape) -> Option<u64> {
    match *shape {
        ClothShape::Grid { cells, .. } => {
            Some(cells.map(|n| u64::from(n) + 1).into_iter().fold(1, u64::saturating_mul))
        }
        ClothShape::Disc { rings, .. } => {
            let k = u64::from(rings);
            Some((3 * k).saturating_mul(k + 1).saturating_add(1))
        }
        ClothShape::Mesh { .. } => None,
        ClothShape::Triangles(ref mesh) => Some(mesh.positions.len() as u64),
    }
}

pub(in crate::scene) fn points_particles(shape: &PointsShape) -> u64 {
    match shape {
        PointsShape::Chain { links, .. } => u64::from(*links) + 1,
        PointsShape::List { points, .. } => points.len() as u64,
    }
}

pub(in crate::scene) fn particle_limit(key: &'static str, total: u64) -> Check {
    if total > limits::PARTICLES {
        return Err(SceneError::at(
            SceneErrorKind::Limit,
            key,
            format_args!("makes {total} particles; the limit of a scene is {}", limits::PARTICLES),
        ));
    }
    Ok(())
}

pub(in crate::scene) fn cloth_key(shape: &ClothShape) -> &'static str {
    match shape {
        ClothShape::Grid { .. } => "grid",
        ClothShape::Disc { .. } => "disc",
        ClothShape::Mesh { .. } | ClothShape::Triangles(_) => "mesh",
    }
}

pub(in crate::scene) fn points_key(shape: &PointsShape) -> &'static str {
    match shape {
        PointsShape::Chain { .. } => "chain",
        PointsShape::List { .. } => "points",
    }
}
